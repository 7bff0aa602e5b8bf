"""How they sit: the names around the table in the game's true direction, and who does what first."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ledger.events import PlayerSeated
from ledger.games.kernel.protocol import Game
from ledger.table.fold import TableFold
from ledger.text.site.recorder.seats import places


class Sitting(Struct, frozen=True, kw_only=True):
    """One at the table. `place`: where in the picture."""

    seat: int
    name: str
    place: str
    deals: bool
    is_below: bool


def sitting_around(players: Sequence[str], game: Game, below: int, dealer: int) -> tuple[Sitting, ...]:
    """All in the order in which they follow one another, from the seat below on."""
    where = places(len(players), game, below)
    seats = [(below + step) % len(players) for step in range(len(players))]
    return tuple(
        Sitting(seat=seat, name=players[seat], place=where[seat], deals=seat == dealer, is_below=seat == below)
        for seat in seats
    )


class Roles(Struct, frozen=True, kw_only=True):
    """Who does what besides dealing, by seat; None where the game does not say."""

    cuts: int | None
    leads: int | None


def roles_of(game: Game, dealer: int, seats: int) -> Roles:
    """What a game says of a deal by that dealer."""
    return Roles(
        cuts=None if game.cutter is None else game.cutter(dealer, seats),
        leads=None if game.first_leader is None else game.first_leader(dealer, seats),
    )


def asks_how_they_sit(fold: TableFold) -> bool:
    """Whether nobody has looked yet: before the first deal, and after somebody sat down since the last one began."""
    if not fold.deals:
        return True
    return any(type(event) is PlayerSeated for _, event in fold.entries[fold.deals[-1].start :])
