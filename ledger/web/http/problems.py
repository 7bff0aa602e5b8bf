"""Problem documents for errors (RFC 9457; contract of HTTP, sections 1 and 3), and the status of each code."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct

from ledger.access.grants import Grant
from ledger.errors import AgainstRulesError, Code, ErrorDetail, LedgerError, MalformedError
from ledger.extras import MissingExtraError
from ledger.i18n import Text
from ledger.log.open_files import ReplacedError
from ledger.service.authorized_store import HandsNotSeenError
from ledger.service.proving import DealOpenError
from ledger.streams import TABLE
from ledger.web.catalogue import phrase

PROBLEM: Final = "application/problem+json"

STATUSES: Final[Mapping[str, int]] = {
    "malformed": 422, "not_json": 400, "unknown_parameter": 400, "against_rules": 422, "wrong_version": 409,
    "id_used": 409, "partly_recorded": 409, "precondition_required": 428, "not_found": 404, "unauthenticated": 401,
    "forbidden": 403, "csrf": 403, "misdirected": 421, "gone": 410, "too_large": 413, "unsupported_media_type": 415,
    "not_acceptable": 406, "too_many_requests": 429, "request_timeout": 408, "query_refused": 422, "deal_open": 409,
    "deal_shown": 409,
    "locked": 503, "busy": 503, "closing": 503, "damaged": 500, "method_not_allowed": 405, "headers_too_large": 431,
    "internal": 500, "no_space": 507, "read_only": 503, "rolled_back": 503, "confirm_required": 409,
    "exists": 409, "changed": 409, "not_next": 409, "forked": 409, "other_past": 409, "still_unscorable": 409,
    "not_installed": 501, "not_http": 400,
}  # fmt: skip
"""The status of each code."""

_ELSEWHERE: Final[Mapping[Code, str]] = {
    "usage": "malformed",
    "file": "internal",
    "no_ledger": "damaged",
    "not_a_ledger": "damaged",
    "too_new": "damaged",
    "forbidden": "read_only",
    "disk": "damaged",
    "unreachable": "busy",
    "closed": "closing",
}
"""Codes of the command line that have another code in HTTP."""

REPLACED: Final = 503
"""The status of `damaged` if files were replaced while being served."""

RETRY_AFTER_S: Final[Mapping[str, int]] = {"locked": 1, "busy": 1, "closing": 5, "too_many_requests": 60}

_ENTRY: Final = re.compile(r"(?:batches\[\d+\]\.)?entries\[(\d+)\]")


class Problem(Struct, frozen=True, omit_defaults=True):
    """What went wrong: the members of RFC 9457, `code`, and details of this code.

    `instance`: the path of the request. `entry_index`: the index of the wrong entry, from 0. `tables`: the tables whose
    open deals hold proofs up; `reaches`: the last position of proofs. `allow`: the allowed methods.
    """

    type: str
    title: str
    status: int
    detail: str
    instance: str
    code: str
    where: str | None = None
    text: str | None = None
    expected: str | int | None = None
    actual: int | None = None
    file: str | None = None
    line: int | None = None
    entry_index: int | None = None
    stream: str | None = None
    version: int | None = None
    position: int | None = None
    id: str | None = None
    known: tuple[str, ...] = ()
    limit: int | None = None
    finding: str | None = None
    rule: str | None = None
    seat: int | None = None
    legal: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    reaches: int | None = None
    allow: tuple[str, ...] = ()


class WebError(Exception):
    """A refusal that only HTTP knows: its code, message, members of the problem and headers of the answer.

    The members include the status if it is not that of the code.
    """

    def __init__(self, code: str, said: Text, headers: Mapping[str, str] | None = None, **members: Any) -> None:
        super().__init__(code, said)
        self.code = code
        self.said = said
        self.headers = headers or {}
        self.members = members


def web_error(code: str, key: str, /, headers: Mapping[str, str] | None = None, **values: Any) -> WebError:
    """Return the refusal with a message of the catalogue; values that are members of a problem become members."""
    members = {name: value for name, value in values.items() if name in Problem.__struct_fields__}
    return WebError(code, phrase(key, **values), headers, **members)


def problem_of(error: LedgerError | WebError, instance: str, lang: str) -> Problem:
    """Return the problem document for an error."""
    if isinstance(error, WebError):
        code, members = error.code, error.members
        detail = error.said if isinstance(error.said, str) else error.said.in_words(lang)
    else:
        code, answer = _ELSEWHERE.get(error.code, error.code), error.answer(lang).error
        members, detail = {name: getattr(answer, name) for name in _MEMBERS}, answer.message
        if isinstance(error, ReplacedError):
            members["status"] = REPLACED
        if isinstance(error, DealOpenError):
            members |= {"tables": error.tables, "reaches": error.reaches}
        if isinstance(error, MalformedError | AgainstRulesError):
            members["entry_index"] = _entry_of(error)
    title = phrase(f"title.{code}").in_words(lang)
    members = {"status": STATUSES[code], **members}
    return Problem(type=f"/problems/{code}", title=title, detail=detail, instance=instance, code=code, **members)


def _entry_of(error: MalformedError | AgainstRulesError) -> int | None:
    """Return the index of the wrong entry, from 0."""
    match = _ENTRY.match(error.faulty_field or "") if isinstance(error, MalformedError) else None
    return error.entry if match is None else int(match[1])


_MEMBERS: Final = tuple(set(ErrorDetail.__struct_fields__) & set(Problem.__struct_fields__) - {"code"})


def headers_of(error: LedgerError | WebError, problem: Problem) -> dict[str, str]:
    """Return the headers of a problem: when to retry, how to sign in, allowed methods."""
    headers = dict(error.headers) if isinstance(error, WebError) else {}
    if problem.code in RETRY_AFTER_S:
        headers.setdefault("retry-after", str(RETRY_AFTER_S[problem.code]))
    if problem.code == "unauthenticated":
        headers["www-authenticate"] = "Bearer"
    if problem.allow:
        headers["allow"] = ", ".join(problem.allow)
    return headers


def redacted_for(grant: Grant, error: LedgerError | WebError) -> LedgerError | WebError:
    """Return the error as this client may see it."""
    if isinstance(error, HandsNotSeenError):
        return web_error("forbidden", "opens_hands")
    if isinstance(error, ReplacedError) and error.rescue is not None and grant.at_least("admin"):
        return error.with_rescue()
    if isinstance(error, MissingExtraError) and not grant.at_least("admin"):
        return web_error("not_installed", "extra_missing", text=error.package)
    if grant.tables is None or isinstance(error, WebError):
        return error
    if isinstance(error, DealOpenError) and not all(map(grant.sees, error.tables)):
        seen = tuple(filter(grant.sees, error.tables))
        return web_error("deal_open", "deal_open_elsewhere", tables=seen, reaches=error.reaches)
    answer = error.answer("en").error
    stream = answer.stream or ""
    if answer.code == "id_used" and TABLE.has(stream) and not grant.sees(TABLE.slug(stream)):
        return web_error("id_used", "id_used_elsewhere", id=answer.id)
    return error
