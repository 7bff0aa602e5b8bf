"""The row of one session, made from its entries in the log. Pure: entries in, a row out."""

from __future__ import annotations

from ledger.events import SessionClosed
from ledger.history.model.rows import SessionRow
from ledger.log.bulk import Bulk
from ledger.table.corrections import corrected_reading
from ledger.table.lookup import opening_of


def session_row(session: str, source: Bulk, until: int) -> SessionRow | None:
    """The row of a session from all its entries up to a log position; None where there are none."""
    stream = f"session/{session}"
    events = source.events(stream, until)
    if not events:
        return None
    reading = corrected_reading(enumerate(events, start=1))
    opened = opening_of(reading)
    places = source.places(stream, (1, len(events)))
    return SessionRow(
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
