"""Makes what closes a table and what is noted at it."""

from __future__ import annotations

from ledger.errors import MalformedError
from ledger.events import Event, HandsOpened, Noted, TableClosed
from ledger.recording.correcting import Named
from ledger.recording.directing import seat_named
from ledger.recording.words import phrase
from ledger.table.fold import TableFold
from ledger.table.hiding import hidden_deals_in
from ledger.validation import converted


def closing(fold: TableFold, reason: str | None) -> list[Event]:
    """Return the events that close a table and open its hands; raise `MalformedError` if it is closed already."""
    if fold.is_closed:
        raise MalformedError(phrase("closing.is_closed"), phrase("closing.open_table"))
    closed = converted({"type": "table_closed", "reason": reason or None}, TableClosed, "closing")
    hidden = hidden_deals_in([*fold.recorded, (len(fold.recorded) + 1, closed)])
    return [closed, *(HandsOpened(deal=deal) for deal in hidden)]


def note(fold: TableFold, text: str, named: Named, player: str | int | None) -> Noted:
    """A remark: about the entry that is named, if any, and about a player by name or seat, if any.

    Raises `MalformedError` for a remark without words and a player whom the table does not have, `NotFoundError` for an
    entry that it does not have.
    """
    check_remark(text)
    is_about_an_entry = named != Named()
    version = named.place(fold).version if is_about_an_entry else None
    players = fold.players if named.deal is None else fold.deal(named.deal).players
    seat = None if player is None else seat_named(players, str(player))
    return converted({"type": "noted", "text": text, "seat": seat, "version": version}, Noted, "note")


def check_remark(text: str) -> None:
    if not text.strip():
        raise MalformedError(phrase("noting.no_words"), phrase("noting.words"))
