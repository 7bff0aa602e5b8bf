"""The parameters of all reads of a table: reading, position and seat (contract of HTTP, section 1)."""

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
"""The view that all clients share where nothing is hidden."""


class TableReading(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`reading`: as corrected, or as first written. `as_of`: the record up to a position or time. `seat`: only what
    this seat could know. `without_rulings`: by the rules alone.
    """

    reading: Literal["corrected", "recorded"] = "corrected"
    as_of: str | None = None
    seat: str | None = None
    without_rulings: bool = False


def table_route(path: str, answer: Any, **declared: Any) -> Callable[[Handler], Handler]:
    """Declare a route that reads a table in the requested reading."""
    usual = {"query": TableReading, "answers": {200: answer}, "rests_on": "table", "problems": ("not_found",)}
    return route("GET", path, "viewer", **usual | declared)


def view_of(request: Request) -> View:
    """Return the view of the client. It has the cards of its own seat in an open deal if that seat is requested."""
    grant = request.grant
    seat = None
    if not grant.hands and grant.seat is not None and getattr(request.query, "seat", None) == str(grant.seat):
        assert grant.tables is not None
        seat = (grant.tables[0], grant.seat)
    writer = grant.recorded_by if grant.is_writer else ""  # clients that may not record share their answers
    return View(hands=grant.hands, writer=writer, seat=seat, tables=grant.tables)


def eyes_of(request: Request) -> View:
    """Return the view that an answer about one table depends on: a shared one where nothing is hidden."""
    is_hidden = TABLE.stream(request.path_params["table"]) in request.visible.hidden
    return view_of(request) if is_hidden else _EVERYBODY


def seen(request: Request) -> LogStore:
    """Return the ledger as the client may see it."""
    return request.service.seen(view_of(request), request.visible)


def check_table(request: Request) -> None:
    """Raise `NotFoundError` for a table that the client may not see."""
    parameters = request.path_params
    table = parameters.get("slug") if parameters.get("kind") == _KIND_OF_TABLES else parameters.get("table")
    if table is not None and ("/" in table or not request.grant.sees(TABLE.slug(table))):
        raise no_table(seen(request), table)


def check_seat(request: Request, table: Slug, deal: int | None = None) -> None:
    """Raise `WebError` for the view of another seat in an open deal; in earlier deals any seat may be requested.

    `deal`: None for the table as a whole.
    """
    hidden = request.visible.hidden.get(TABLE.stream(table))
    if hidden is None or request.grant.hands or request.query.seat is None:
        return
    if view_of(request).seat is None and (deal is None or deal >= hidden.deal):
        raise web_error("forbidden", "seat_of_open_deal", text=request.query.seat)


def read_table(request: Request, table: str, *, is_shown: bool = False) -> TableAsRead:
    """Return the table in the requested reading; equal requests share one fold.

    `is_shown`: with display names of players; programs get those of the record.
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
    """Return the table as it reads now, with display names, whatever reading is requested."""
    return read_table(request.replace(query=TableReading()), table, is_shown=True)


def requested_position(request: Request) -> int:
    """Return the position of `as_of`. The position of a time is cached: later entries do not change it.

    Raise `NotFoundError` for an invalid value, or one that the ledger has not reached.
    """
    as_of, last = request.query.as_of, request.visible.head.position
    moments = request.service.moments
    position: int | None = moments.get(as_of) or moments.get((as_of, last))
    if position is None:
        position = position_at(request.service.seen(_EVERYBODY, request.visible), as_of)
        moments.keep(as_of if position < last and not as_of.isdecimal() else (as_of, last), position, 1)
    return position


def version_of(request: Request, read: TableAsRead) -> int:
    """Return the version of the last entry in the reading."""
    if getattr(request.query, "as_of", None) is None:
        return int(request.rests_on.partition("-")[0])
    return read.fold.recorded[-1][0]


def requested_table(request: Request, table: str) -> TableAsRead:
    """Return the table for an answer about all of it. Raise if the requested seat does not exist."""
    check_seat(request, table)
    read = read_table(request, table)
    if request.query.seat is not None:
        deals = read.fold.deals
        players = deals[-1].players if deals else read.fold.players
        seat_named(players, deals[-1].number if deals else 1, request.query.seat)
    return read
