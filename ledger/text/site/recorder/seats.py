"""Place the players around the table on a phone, with the seat that is due, the dealer and the last trick."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from ledger.cards import SYMBOLS
from ledger.events import PlayerSeated
from ledger.games.kernel.protocol import Game
from ledger.games.kernel.views import DealView
from ledger.recording.board.keyboard import Board
from ledger.table.fold import TableFold
from ledger.text.catalogue import Wording
from ledger.text.site.catalogue import say

_CLOCKWISE: Final[Mapping[int, Sequence[str]]] = {
    3: ("bottom", "left", "right"),
    4: ("bottom", "left", "top", "right"),
    6: ("bottom", "bl", "tl", "top", "tr", "br"),
    8: ("bottom", "bl", "left", "tl", "top", "tr", "right", "br"),
}
"""The places of the seats, from the seat at the bottom on, if the next player sits to the left."""


class Plate(Struct, frozen=True, kw_only=True):
    """A player's name at the table. `place`: its place. `notes`: calls or contract. `tricks`: the tricks won."""

    seat: int
    name: str
    place: str
    is_due: bool
    deals: bool
    notes: tuple[str, ...]
    tricks: int


class LaidCard(Struct, frozen=True, kw_only=True):
    """A card of the last trick. `place`: the place of its player."""

    card: str
    place: str
    took: bool


class TableView(Struct, frozen=True, kw_only=True):
    """The table with its players and cards. `turned`: the card turned up. `shape`: the class of the picture."""

    plates: tuple[Plate, ...]
    laid: tuple[LaidCard, ...]
    turned: str | None
    shape: str


def seat_positions(seats: int, game: Game, below: int) -> dict[int, str]:
    """Return the place of each seat in the game's direction of play."""
    round_table = _CLOCKWISE.get(seats) or tuple(f"at{place}" for place in range(seats))
    if game.goes_to_the_right:
        round_table = (round_table[0], *reversed(round_table[1:]))
    return {(below + place) % seats: name for place, name in enumerate(round_table)}


def table_view(
    board: Board,
    view: DealView | None,
    game: Game,
    wording: Wording,
    below: int,
    exchanged: Mapping[int, int],
    turned: str | None,
) -> TableView:
    """Return the table as everyone at it knows it.

    `below`: the seat at the recorder's side. `exchanged`: cards exchanged by seat, while the exchange lasts. `turned`:
    the card turned up.
    """
    seats = len(board.players)
    where = seat_positions(seats, game, below % seats)
    dealer = None if view is None else view.dealer
    plates = tuple(
        Plate(
            seat=seat,
            name=name,
            place=where[seat],
            is_due=seat == board.turn,
            deals=seat == dealer,
            notes=() if view is None else (*_notes(seat, view, game, wording), *_exchanged(seat, exchanged, wording)),
            tricks=board.tricks[seat],
        )
        for seat, name in enumerate(board.players)
    )
    laid = tuple(LaidCard(card=card, place=where[seat], took=seat == board.took) for seat, card in board.trick)
    return TableView(plates=plates, laid=laid, turned=turned, shape=_shape(seats))


def _shape(seats: int) -> str:
    return {3: "three", 6: "six", 8: "eight"}.get(seats, "four")


def _exchanged(seat: int, counts: Mapping[int, int], wording: Wording) -> Sequence[str]:
    return [say(wording.lang, "rec.has_exchanged", count=counts[seat])] if seat in counts else []


def _notes(seat: int, view: DealView, game: Game, wording: Wording) -> Sequence[str]:
    if view.phase == "auction":
        calls = [call["call"] for call in view.auction if call["seat"] == seat]
        return [wording.spoken(call) for call in calls[-1:]]
    if seat != view.declarer:
        return []
    trump = None if view.trump is None else SYMBOLS[view.trump]
    said = None if view.contract is None else wording.spoken(view.contract)
    return [" ".join(filter(None, (said, trump)))] if said or trump else []


class SeatedPlayer(Struct, frozen=True, kw_only=True):
    """A player at the table. `place`: their place in the picture."""

    seat: int
    name: str
    place: str
    deals: bool
    is_below: bool


def seated_players(players: Sequence[str], game: Game, below: int, dealer: int) -> tuple[SeatedPlayer, ...]:
    """Return the players in order of play, from the seat at the bottom on."""
    where = seat_positions(len(players), game, below)
    seats = [(below + step) % len(players) for step in range(len(players))]
    return tuple(
        SeatedPlayer(seat=seat, name=players[seat], place=where[seat], deals=seat == dealer, is_below=seat == below)
        for seat in seats
    )


class Roles(Struct, frozen=True, kw_only=True):
    """The seats with a role besides dealing; None if the game does not say."""

    cuts: int | None
    leads: int | None


def roles_of(game: Game, dealer: int, seats: int) -> Roles:
    """Return who cuts and who leads if this seat deals."""
    return Roles(
        cuts=None if game.cutter is None else game.cutter(dealer, seats),
        leads=None if game.first_leader is None else game.first_leader(dealer, seats),
    )


def needs_seating_check(fold: TableFold) -> bool:
    """Return whether the players must confirm their seats: before the first deal, and after somebody sat down."""
    if not fold.deals:
        return True
    return any(type(event) is PlayerSeated for _, event in fold.entries[fold.deals[-1].start :])
