"""Adapt errors to the reader: tokens bound to tables learn of no others, only an admin learns of a rescue file."""

from __future__ import annotations

from ledger.access.grants import Grant
from ledger.errors import LedgerError
from ledger.log.open_files import ReplacedError
from ledger.service.guarding import HandsNotSeenError
from ledger.service.proving import DealOpenError
from ledger.table.repository import TABLE_PREFIX, slug_of
from ledger.web.http.problems import WebError, web_error


def as_told_to(grant: Grant, error: LedgerError | WebError) -> LedgerError | WebError:
    """Return the error as this reader may see it."""
    if isinstance(error, HandsNotSeenError):
        return web_error("forbidden", "opens_hands")
    if isinstance(error, ReplacedError) and error.rescue is not None and grant.at_least("admin"):
        return error.with_rescue()
    if grant.tables is None or isinstance(error, WebError):
        return error
    if isinstance(error, DealOpenError) and not all(map(grant.sees, error.tables)):
        seen = tuple(filter(grant.sees, error.tables))
        return web_error("deal_open", "deal_open_elsewhere", tables=seen, reaches=error.reaches)
    told = error.answer("en").error
    stream = told.stream or ""
    if told.code == "id_used" and stream.startswith(TABLE_PREFIX) and not grant.sees(slug_of(stream)):
        return web_error("id_used", "id_used_elsewhere", id=told.id)
    return error
