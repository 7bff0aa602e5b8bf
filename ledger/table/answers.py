"""The answers of `score`, `audit` and `replay` as Structs: contract section 5 in code, published under `schemas/`."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from msgspec import UNSET, Struct, UnsetType, field

from ledger.events import Amounts, Award, DisputeRaised, Event, RulingGiven, RulingKind
from ledger.games.kernel.findings import Severity
from ledger.games.kernel.settlement import Account
from ledger.games.kernel.views import DealStatus, Legal, TrickView

TableStatus: TypeAlias = Literal["open", "closed"]


class PlayerPoints(Struct, frozen=True, kw_only=True):
    """A player and the points of the deals that they played."""

    player: str
    points: int


class Line(Struct, frozen=True, kw_only=True):
    """One payment; `source` and `target` are a seat or `pool`."""

    rule: str | None
    source: Account = field(name="from")
    target: Account = field(name="to")
    amount: int
    text: str


class CorrectedBy(Struct, frozen=True, kw_only=True):
    """A correction of a dispute or ruling: `was` is the event before it, null if there was none.

    `recorded_by`: null if unknown.
    """

    version: int
    action: Literal["replace", "strike", "insert_after"]
    reason: str
    recorded_by: str | None
    was: Event | None


class Struck(Struct, frozen=True, kw_only=True):
    """A struck dispute or ruling, as first written, and the corrections that struck it."""

    version: int
    event: DisputeRaised | RulingGiven
    corrected_by: tuple[CorrectedBy, ...]


class Ruling(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A director's ruling as recorded; `in_force` unless a later one overruled it, which `overruled_by` names.

    `stale`: the versions of later corrections that changed its basis; empty if there are none. `corrected_by`: the
    corrections of the ruling itself, in the order of the record.
    """

    version: int
    kind: RulingKind
    text: str
    rule: str | None
    deltas: Amounts | None
    pool: int | None
    award: Award | None
    dispute: int | None
    in_force: bool
    overruled_by: int | None = None
    stale: tuple[int, ...]
    corrected_by: tuple[CorrectedBy, ...] = ()


class Claimed(Struct, frozen=True, kw_only=True):
    """The score sheet of a deal as the table wrote it; `stale` as in a ruling."""

    version: int
    deltas: Amounts | None = None
    pool: int | None = None
    totals: Amounts | None = None
    sheet: dict[str, Any] | None = None
    stale: tuple[int, ...] = ()


class DealScore(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One deal's score; `deltas` are net changes over the deal, with antes and without adjustments.

    `struck`: the struck disputes and rulings about it.
    """

    deal: int
    dealer: int
    status: DealStatus
    outcome: dict[str, Any]
    deltas: list[int]
    pool_before: int
    pool_after: int
    lines: list[Line]
    rulings: list[Ruling]
    struck: tuple[Struck, ...] = ()
    claimed: Claimed | None


class ClosingScore(Struct, frozen=True, kw_only=True):
    """The payments at the end of the match."""

    deltas: list[int]
    lines: list[Line]


class MatchEnd(Struct, frozen=True, kw_only=True):
    """Whether the match is over, and the seats of its winners."""

    over: bool
    winners: list[int]


class ScoreAnswer(Struct, frozen=True, kw_only=True):
    """Answer of `score`."""

    table: str
    game: str
    players: list[str]
    deals: list[DealScore]
    closing: ClosingScore | None
    totals: list[int]
    state: dict[str, Any]
    match: MatchEnd


class Finding(Struct, frozen=True, kw_only=True):
    """One irregularity: its `code` (section 11 of the rulebook), the broken `rule`, the `version` of the event at
    fault.
    """

    deal: int | None
    version: int
    code: str
    rule: str
    severity: Severity
    seat: int | None
    message: str
    legal: list[str] | None


class AuditAnswer(Struct, frozen=True, kw_only=True):
    """Answer of `audit`."""

    table: str
    findings: list[Finding]


class Call(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One call of an auction as shown by `replay`."""

    seat: int
    call: str
    card: str | None = None


class ReplayAnswer(Struct, frozen=True, kw_only=True):
    """Answer of `replay`: the state of one deal after `step` of its actions."""

    table: str
    deal: int
    step: int
    phase: str
    turn: int | None
    dealer: int | None
    hands: list[list[str]]
    stock: list[str]
    auction: list[Call]
    trump: Literal["S", "H", "D", "C"] | None
    contract: str | None
    declarer: int | None
    partner: int | None
    tricks: list[TrickView]
    trick_counts: list[int]
    card_points: list[int]
    legal: Legal


class StepAnswer(ReplayAnswer, frozen=True, kw_only=True):
    """One state of a deal with the event that led to it, as read, and the version of its entry; null before the deal.

    `findings`: those about that entry. `legal_before`: the legal moves before the event.
    """

    version: int | None
    event: Event | None
    findings: list[Finding]
    legal_before: Legal


class NowAnswer(Struct, frozen=True, kw_only=True):
    """A table after its last event: the state of its last deal as in `replay`, null or empty before the first.

    `version`: of the last entry. `status`: of the table. `legal`: the events that may be recorded next.
    """

    table: str
    version: int
    status: TableStatus
    deal: int | None = None
    step: int | None = None
    phase: str | None = None
    turn: int | None = None
    dealer: int | None = None
    hands: list[list[str]] = []
    stock: list[str] = []
    auction: list[Call] = []
    trump: Literal["S", "H", "D", "C"] | None = None
    contract: str | None = None
    declarer: int | None = None
    partner: int | None = None
    tricks: list[TrickView] = []
    trick_counts: list[int] = []
    card_points: list[int] = []
    legal: Legal | UnsetType = UNSET
