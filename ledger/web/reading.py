"""What all reads of a table may ask for: which reading, as of when, with whose eyes (contract of HTTP, section 1)."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from ledger import api
from ledger.events import Slug
from ledger.log.base import LogStore
from ledger.service.views import View
from ledger.table.lookup import TableAsRead, no_table, slug_of
from ledger.web.asking import Asked
from ledger.web.problems import web_error


class TableReading(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`reading`: as corrected, or as first written. `as_of`: as the record stood at a position or moment. `seat`: what
    this seat could know. `without_rulings`: by the rules alone.
    """

    reading: Literal["corrected", "recorded"] = "corrected"
    as_of: str | None = None
    seat: str | None = None
    without_rulings: bool = False


def reading_of(query: Any) -> str:
    """The reading as an entity tag says it."""
    return getattr(query, "reading", "corrected")


def view_of(asked: Asked) -> View:
    """What whoever asks may see. The cards of his own seat in an open deal he sees where he asks for that seat."""
    grant = asked.grant
    seat = None
    if not grant.hands and grant.seat is not None and getattr(asked.query, "seat", None) == str(grant.seat):
        assert grant.tables is not None
        seat = (grant.tables[0], grant.seat)
    return View(hands=grant.hands, writer=grant.token, seat=seat, tables=grant.tables)


def seen(asked: Asked) -> LogStore:
    """The ledger as whoever asks may see it."""
    return asked.service.seen(view_of(asked), asked.horizon)


def check_table(asked: Asked) -> None:
    """A table that somebody may not see is not there for him: raises `NotFoundError`."""
    table = asked.parameters.get("table")
    if table is not None and not asked.grant.sees(slug_of(table)):
        raise no_table(seen(asked), table)


def check_seat(asked: Asked, table: Slug) -> None:
    """Raises `WebError` where he asks for the eyes of a seat in an open deal that is not his."""
    hidden = asked.horizon.hidden.get(f"table/{table}")
    if hidden is None or asked.grant.hands or asked.query.seat is None:
        return
    if view_of(asked).seat is None:
        raise web_error("forbidden", "seat_of_open_deal", text=asked.query.seat)


def read_table(asked: Asked, table: str) -> TableAsRead:
    """The table in the reading that is asked for, folded once for all who ask the same."""
    query = asked.query
    key = (
        "fold", table, asked.service.versions.get(f"table/{table}"), query.reading, query.as_of,
        query.without_rulings, view_of(asked), asked.service.session_entries,
    )  # fmt: skip
    kept: TableAsRead | None = asked.service.folds.get(key)
    if kept is None:
        kept = next(
            api.read_tables(
                seen(asked),
                table,
                as_recorded=query.reading == "recorded",
                as_of=query.as_of,
                without_rulings=query.without_rulings,
            )
        )
        asked.service.folds.keep(key, kept, 1)
    return kept
