"""Projections of streams other than tables (those are in `projector`) into rows. Pure: entries in, rows out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec import Struct

from ledger.events import SessionClosed
from ledger.history.model.rows import TABLE_ROW_TYPES, HistoryRow, Rows, SessionRow
from ledger.log.bulk import BulkReader
from ledger.streams import SESSION, StreamType, load_packages
from ledger.table.corrections import corrected_reading
from ledger.table.repository import opening_of


class Projection(Struct, frozen=True):
    """The rows of one kind of stream.

    `rows`: the types of its rows, one for each table; `key`: their column with the slug. `collect` adds the rows of one
    stream (its slug) from all its entries up to a log position. `schema`: the SQL that creates the tables.
    """

    kind: StreamType
    key: str
    rows: tuple[type[HistoryRow], ...]
    collect: Callable[[Rows, str, BulkReader, int], None]
    schema: str = ""

    @property
    def tables(self) -> list[str]:
        """The names of the tables."""
        return [row.TABLE for row in self.rows]


def collect_session(rows: Rows, session: str, source: BulkReader, until: int) -> None:
    """Add the row of a session."""
    stream = SESSION.stream(session)
    events = source.events(stream, until)
    if not events:
        return
    reading = corrected_reading(enumerate(events, start=1))
    opened = opening_of(reading)
    places = source.places(stream, (1, len(events)))
    row = SessionRow(
        session=session,
        title=None if opened is None else opened.title,
        played_on=None if opened is None else opened.date,
        club=None if opened is None else opened.club,
        place=None if opened is None else opened.place,
        zone=None if opened is None else opened.zone,
        is_closed=any(isinstance(event, SessionClosed) for _, event in reading),
        first_position=places[1].position,
        last_position=places[len(events)].position,
    )
    rows[SessionRow].append(row)


PROJECTIONS: Final[dict[str, Projection]] = {
    SESSION.name: Projection(SESSION, "session", (SessionRow,), collect_session),
}
"""Registry by the name of the kind. Sessions are in `schema/sittings.sql`, with the tables that refer to them."""


def projections() -> list[Projection]:
    """Return the projections of all kinds, those of installed packages included."""
    load_packages()
    return list(PROJECTIONS.values())


def row_types() -> list[type[HistoryRow]]:
    """Return the types of all rows and documents, one for each table that is filled from Python."""
    return [*(row for projection in projections() for row in projection.rows), *TABLE_ROW_TYPES]
