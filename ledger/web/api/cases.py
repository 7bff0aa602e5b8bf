"""The case sheet of a dispute, as JSON, HTML and PDF."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from threading import Lock
from typing import Final

from msgspec import structs

from ledger import api
from ledger.access.grants import Grant
from ledger.cases.facts import CaseSheet
from ledger.errors import ConflictError
from ledger.events import DisputeRaised
from ledger.games import registered_games
from ledger.games.kernel.rulebook import load
from ledger.log.base import Head, LogStore, Row
from ledger.service.visibility import NO_DIGEST
from ledger.streams import TABLE
from ledger.web.catalogue import phrase
from ledger.web.http.problems import web_error
from ledger.web.http.reading import TableReading, check_seat, requested_position, seen, view_of
from ledger.web.http.request import Request, number_of
from ledger.web.http.response import Response, in_languages, itself, linked
from ledger.web.http.routing import HTML, JSON, route

PDF: Final = "application/pdf"
FORMS: Final = (JSON, HTML, PDF)

_STYLE: Final = re.compile(r"<style>(.*?)</style>", re.DOTALL)

_printing = Lock()
"""The lock for PDF, which takes a second of one core: one page at a time."""


def check_case(request: Request, table: str, version: str) -> None:
    """Raise `WebError` unless the client is a director or raised the dispute, whether or not it exists."""
    grant = request.grant
    if grant.at_least("director"):
        return
    at = number_of(version, "version")
    row = next(iter(seen(request).read_stream(TABLE.stream(table), max(0, at - 1))), None)
    if row is None or row.version != at or not is_raised_by(grant, row):
        raise web_error("forbidden", "case_of_others")


def is_raised_by(grant: Grant, row: Row) -> bool:
    """Return whether the entry is a dispute recorded by this client or raised from its seat."""
    raised = row.event()
    is_his = row.recorded_by == grant.recorded_by
    return isinstance(raised, DisputeRaised) and (is_his or (grant.seat is not None and raised.seat == grant.seat))


@route(
    "GET",
    "/tables/{table}/disputes/{version}/case",
    "viewer",
    query=TableReading,
    answers={200: CaseSheet},
    media=FORMS,
    rests_on="head",
    problems=("not_found", "busy", "not_installed"),
    guard=check_case,
)
def case(request: Request, table: str, version: str) -> Response:
    """Return everything about one dispute, with the result of each reading, for directors and the person who raised
    it.
    """
    check_seat(request, table)
    store = _as_of(request)
    names = {} if request.media == JSON else store.display_names()
    sheet = api.case_sheet(store, table, number_of(version, "version"), request.lang, names)
    game = next(game for game in registered_games().values() if game.title == sheet.game)
    forms = ((itself(request), form.partition(";")[0]) for form in FORMS if form != request.media)
    links = linked(request, *forms, related=f"/t/{TABLE.slug(table)}/disputes/{sheet.dispute.version}")
    links |= in_languages(request.lang, load(game.package, request.lang).lang)
    if request.media == JSON:
        return Response(sheet, headers=links)
    page = api.case_page(sheet, request.lang)
    if request.media == PDF:
        return Response(_printed(page), media_type=PDF, headers=links)
    return Response(page.encode(), media_type=HTML, headers={**links, "content-security-policy": policy_of(page)})


def _as_of(request: Request) -> LogStore:
    """Return the ledger as the client may see it, up to the requested position."""
    store = seen(request)
    if request.query.as_of is None:
        return store
    position = requested_position(request)
    row = next(store.read(position - 1, position), None)  # None if it is of a table that the client may not see
    until = structs.replace(request.visible, head=Head(position, NO_DIGEST if row is None else row.digest))
    return request.service.seen(view_of(request), until)


def _printed(page: str) -> bytes:
    if not _printing.acquire(blocking=False):
        raise ConflictError("busy", phrase("no_page_now"))
    try:
        return api.pdf(page)
    finally:
        _printing.release()


def policy_of(page: str) -> str:
    """Return the content security policy of a self-contained page: its own style, and nothing else."""
    styles = " ".join(
        f"'sha256-{b64encode(sha256(style.encode()).digest()).decode()}'" for style in _STYLE.findall(page)
    )
    rest = "img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
    return f"default-src 'none'; style-src {styles}; {rest}"
