"""Where a table stands for whoever records it: what is awaited, who is due, and what may come next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from msgspec import Struct

from ledger.events import GAME_ACTION_TYPES, MACHINE_TYPES, CardsDealt, Event
from ledger.games.kernel.deal import Deal
from ledger.games.kernel.moves import includes
from ledger.games.kernel.protocol import Game
from ledger.games.kernel.views import Moves
from ledger.recording.live import LiveTable
from ledger.table.fold import TableFold
from ledger.table.steps import machine_before

Stage: TypeAlias = Literal["closed", "between", "cards", "acts"]
"""What is awaited: nothing, a deal, its cards (which may stay unknown), or acts of the deal."""


class Situation(Struct, frozen=True, kw_only=True):
    """What is typed is read by this.

    `dealt`: what is told before the first act where no cards are dealt yet. `machine`: that of the deal, after `dealt`;
    with the cards that whoever looks may know. `next_deal` and `dealer`: of the deal to come, and who deals it.
    """

    stage: Stage
    game: Game
    players: Sequence[str]
    legal: Moves
    turn: int | None
    dealt: tuple[Event, ...]
    machine: Deal | None
    next_deal: int
    dealer: int

    def may(self, kind: type[Event]) -> bool:
        """Return whether an event of this type may come next."""
        return includes(self.legal, kind)


def situation_of(live: LiveTable, players: Sequence[str], *, is_hidden: bool = False) -> Situation:
    """Where the table stands; `players`: the names shown; `is_hidden`: by what everybody knows."""
    fold = live.fold
    stage = stage_of(fold)
    dealt: tuple[Event, ...] = ()
    table = live
    if stage == "cards":
        dealt = (CardsDealt(hands=(None,) * len(players)),)
        table = live.looked_ahead(dealt)
    shown = table.seen_by_all if is_hidden else table.fold
    machine = shown.deals[-1].machine if stage in ("cards", "acts") else None
    due = live.dealer_due() if stage == "between" else None
    return Situation(
        stage=stage,
        game=fold.game,
        players=players,
        legal=() if machine is None else machine.legal(),
        turn=None if machine is None else machine.turn(),
        dealt=dealt,
        machine=machine,
        next_deal=fold.deals[-1].number + 1 if fold.deals else 1,
        dealer=len(players) - 1 if due is None else due,
    )


def situation_in(fold: TableFold, players: Sequence[str]) -> Situation:
    """Where a table stands that was read up to now, by what its entries tell; its last deal is settled so far.

    Nothing is told before the first act: whoever plays has been dealt cards.
    """
    stage = stage_of(fold)
    machine = machine_now(fold)
    due = fold.match.expected_dealer() if machine is None else (fold.deals[-1].dealer + 1) % len(players)
    return Situation(
        stage=stage,
        game=fold.game,
        players=players,
        legal=() if machine is None else machine.legal(),
        turn=None if machine is None else machine.turn(),
        dealt=(),
        machine=machine,
        next_deal=fold.deals[-1].number + 1 if fold.deals else 1,
        dealer=len(players) - 1 if due is None else due,
    )


def machine_now(fold: TableFold) -> Deal | None:
    """The machine of the deal that goes on, a new one each time. Where no cards were told, they were dealt unknown."""
    if stage_of(fold) not in ("cards", "acts"):
        return None
    record = fold.deals[-1]
    told = fold.entries[record.start + 1 :]
    if any(type(event) is CardsDealt for _, event in told):
        return machine_before(fold, record, len(fold.entries))
    machine = machine_before(fold, record, record.start + 1)
    machine.apply(CardsDealt(hands=(None,) * len(fold.players)), 0)
    for version, event in told:
        if type(event) in MACHINE_TYPES:
            machine.apply(event, version)
    return machine


def stage_of(fold: TableFold) -> Stage:
    """What is awaited at the table."""
    if fold.is_closed:
        return "closed"
    if not fold.deals or fold.deals[-1].machine.status != "open":
        return "between"
    told = fold.entries[fold.deals[-1].start + 1 :]
    return "acts" if any(type(event) in GAME_ACTION_TYPES for _, event in told) else "cards"
