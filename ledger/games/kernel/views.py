"""The state of a deal for display: what `replay` returns (contract 5), and the statuses of a deal."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from msgspec import Struct

from ledger.events import Event

Moves: TypeAlias = tuple[Event, ...]
"""Legal moves: the events that may come next without breaking a rule (`moves.as_json` makes contract 5's `legal`)."""

Legal: TypeAlias = dict[str, list[Any]]
"""Values that may come next without breaking a rule, by event type, sorted as contract 5 says."""

DealStatus: TypeAlias = Literal["open", "complete", "voided", "unscorable"]


class TrickView(Struct, frozen=True):
    """A trick as played: cards and seats in the order of the record; `winner` is null while it is not known.

    `won_by`: the highest `trump`, or the highest card of the suit `led`.
    """

    leader: int
    cards: list[str]
    seats: list[int]
    winner: int | None
    won_by: Literal["trump", "led"] | None = None


class DealView(Struct, frozen=True):
    """The state of a deal as contract 5 shows it (`replay`); unknown cards are `??`. `legal`: see `Deal.legal`.

    `declarers`: those who play the contract as equals, when no record shows who bid it.
    """

    phase: str
    turn: int | None
    dealer: int | None
    hands: list[list[str]]
    stock: list[str]
    auction: list[dict[str, Any]]
    trump: str | None
    contract: str | None
    declarer: int | None
    partner: int | None
    tricks: list[TrickView]
    trick_counts: list[int]
    card_points: list[int]
    legal: Moves
    declarers: tuple[int, ...] = ()
