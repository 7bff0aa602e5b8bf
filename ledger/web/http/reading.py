"""What all reads of a table may ask for: which reading, as of when, with whose eyes (contract of HTTP, section 1)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal

from msgspec import Struct

from ledger import api
from ledger.events import Slug
from ledger.log.base import LogStore
from ledger.service.visibility import View
from ledger.streams import TABLE
from ledger.table.repository import TableAsRead, no_table, position_at
from ledger.table.steps import seat_named
from ledger.web.http.problems import web_error
from ledger.web.http.request import Request
from ledger.web.http.routing import Handler, route

_KIND_OF_TABLES: Final = TABLE.name
_EVERYBODY: Final = View(hands=True)
"""The eyes that all have alike where nothing is hidden."""


class TableReading(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`reading`: as corrected, or as first written. `as_of`: as the record stood at a position or moment. `seat`: what
    this seat could know. `without_rulings`: by the rules alone.
    """

    reading: Literal["corrected", "recorded"] = "corrected"
    as_of: str | None = None
    seat: str | None = None
    without_rulings: bool = False


def table_route(path: str, answer: Any, **declared: Any) -> Callable[[Handler], Handler]:
    """Declares a read of a table, in the reading that is asked for."""
    usual = {"query": TableReading, "answers": {200: answer}, "rests_on": "table", "problems": ("not_found",)}
    return route("GET", path, "viewer", **usual | declared)


def view_of(request: Request) -> View:
    """What whoever asks may see. The cards of his own seat in an open deal he sees where he asks for that seat."""
    grant = request.grant
    seat = None
    if not grant.hands and grant.seat is not None and getattr(request.query, "seat", None) == str(grant.seat):
        assert grant.tables is not None
        seat = (grant.tables[0], grant.seat)
    writer = grant.recorded_by if grant.is_writer else ""  # all who only look on share their answers
    return View(hands=grant.hands, writer=writer, seat=seat, tables=grant.tables)


def eyes_of(request: Request) -> View:
    """What an answer about one table changes with: what he may see, where something is hidden from anybody."""
    is_hidden = TABLE.stream(request.path_params["table"]) in request.visible.hidden
    return view_of(request) if is_hidden else _EVERYBODY


def seen(request: Request) -> LogStore:
    """The ledger as whoever asks may see it."""
    return request.service.seen(view_of(request), request.visible)


def check_table(request: Request) -> None:
    """A table that somebody may not see is not there for him: raises `NotFoundError`."""
    parameters = request.path_params
    table = parameters.get("slug") if parameters.get("kind") == _KIND_OF_TABLES else parameters.get("table")
    if table is not None and ("/" in table or not request.grant.sees(TABLE.slug(table))):
        raise no_table(seen(request), table)


def check_seat(request: Request, table: Slug, deal: int | None = None) -> None:
    """Raises `WebError` where he asks for the eyes of a seat in an open deal that is not his; of deals before that
    every seat may be asked for. `deal`: None for the table as a whole.
    """
    hidden = request.visible.hidden.get(TABLE.stream(table))
    if hidden is None or request.grant.hands or request.query.seat is None:
        return
    if view_of(request).seat is None and (deal is None or deal >= hidden.deal):
        raise web_error("forbidden", "seat_of_open_deal", text=request.query.seat)


def read_table(request: Request, table: str, *, is_shown: bool = False) -> TableAsRead:
    """The table in the reading that is asked for, folded once for all who ask the same.

    `is_shown`: with the names that are shown for players; what programs read has those of the record.
    """
    query = request.query
    shown = request.visible.names if is_shown else None
    key = (
        "fold", table, request.rests_on, query.reading, query.as_of, query.without_rulings, eyes_of(request), shown,
    )  # fmt: skip
    cached: TableAsRead | None = request.service.folds.get(key)
    if cached is None:
        store = seen(request)
        cached = next(
            api.read_tables(
                store,
                table,
                as_recorded=query.reading == "recorded",
                as_of=None if query.as_of is None else requested_position(request),
                without_rulings=query.without_rulings,
                names=store.display_names() if is_shown else {},
            )
        )
        if request.rests_on:
            request.service.folds.keep(key, cached, len(cached.fold.recorded))
    return cached


def read_now(request: Request, table: str) -> TableAsRead:
    """The table as it reads now, whatever is asked for, with the names that are shown for players."""
    return read_table(request.replace(query=TableReading()), table, is_shown=True)


def requested_position(request: Request) -> int:
    """The position that `as_of` means. Where a moment lies is looked for once: an entry that came later stays later.

    Raises `NotFoundError` for what is neither position nor moment, and for one that the ledger has not reached.
    """
    as_of, last = request.query.as_of, request.visible.head.position
    moments = request.service.moments
    position: int | None = moments.get(as_of) or moments.get((as_of, last))
    if position is None:
        position = position_at(request.service.seen(_EVERYBODY, request.visible), as_of)
        moments.keep(as_of if position < last and not as_of.isdecimal() else (as_of, last), position, 1)
    return position


def version_of(request: Request, read: TableAsRead) -> int:
    """The version of the table's last entry, as far as it is read."""
    if getattr(request.query, "as_of", None) is None:
        return int(request.rests_on.partition("-")[0])
    return read.fold.recorded[-1][0]


def requested_table(request: Request, table: str) -> TableAsRead:
    """The table, for an answer about all of it; the seat that is told must be one of its seats."""
    check_seat(request, table)
    read = read_table(request, table)
    if request.query.seat is not None:
        deals = read.fold.deals
        players = deals[-1].players if deals else read.fold.players
        seat_named(players, deals[-1].number if deals else 1, request.query.seat)
    return read
