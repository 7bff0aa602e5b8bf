"""Where a table stands for whoever records it: what is awaited, who is due, and what may come next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from msgspec import Struct

from ledger.events import GAME_ACTION_TYPES, CardsDealt, Event
from ledger.games.kernel.deal import Deal
from ledger.games.kernel.protocol import Game
from ledger.games.kernel.views import Legal
from ledger.recording.live import LiveTable

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
    legal: Legal
    turn: int | None
    dealt: tuple[Event, ...]
    machine: Deal | None
    next_deal: int
    dealer: int


def situation_of(live: LiveTable, players: Sequence[str], *, is_hidden: bool = False) -> Situation:
    """Where the table stands; `players`: the names shown; `is_hidden`: by what everybody knows."""
    fold = live.fold
    stage = stage_of(live)
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
        legal={} if machine is None else machine.legal(),
        turn=None if machine is None else machine.turn(),
        dealt=dealt,
        machine=machine,
        next_deal=fold.deals[-1].number + 1 if fold.deals else 1,
        dealer=len(players) - 1 if due is None else due,
    )


def stage_of(live: LiveTable) -> Stage:
    """What is awaited at the table."""
    fold = live.fold
    if fold.is_closed:
        return "closed"
    if not fold.deals or fold.deals[-1].machine.status != "open":
        return "between"
    told = fold.entries[fold.deals[-1].start + 1 :]
    return "acts" if any(type(event) in GAME_ACTION_TYPES for _, event in told) else "cards"
