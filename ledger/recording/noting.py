"""Makes what closes a table, what seats a player there, and what is noted at it."""

from __future__ import annotations

from collections.abc import Mapping

from ledger.errors import MalformedError
from ledger.events import Event, HandsOpened, Noted, PlayerSeated, TableClosed
from ledger.names import folded
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


def seating(fold: TableFold, seat: str | int, player: str, names: Mapping[str, str]) -> PlayerSeated:
    """Return the event that seats a player for the one in that seat, named by its number or by who sits there.

    `names`: what is shown for players, by their names in the record. Raises `MalformedError` for a seat that the table
    does not have, for somebody who sits there already, and where the table is closed or a deal is not over.
    """
    if fold.is_closed:
        raise MalformedError(phrase("closing.is_closed"), phrase("closing.open_table"))
    if fold.deals and fold.deals[-1].machine.status == "open":
        what = phrase("seating.deal_open", deal=fold.deals[-1].number)
        raise MalformedError(what, phrase("seating.between_deals"))
    place = seat_named(fold.players, str(seat))
    seated = [folded(name) for name in fold.players]
    if folded(player) in seated:
        other = seated.index(folded(player))
        raise MalformedError(phrase("seating.sits", seat=other), phrase("seating.another"), player)
    recorded = next((one for one, shown in names.items() if folded(shown) == folded(player)), player)
    return converted({"type": "player_seated", "seat": place, "player": recorded}, PlayerSeated, "seating")


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
