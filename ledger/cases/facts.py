"""The facts of a case sheet as Structs: its JSON form, from which text and page are made."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from ledger.cards import Pack
from ledger.events import Announced, CardsExchanged, Event, PartnerCalled
from ledger.games.kernel.views import TrickView
from ledger.table.answers import Call, Finding, Line, PlayerPoints, Ruling, Struck
from ledger.table.disputes import Dispute
from ledger.table.revokes import Revoke
from ledger.table.score import Unscorable
from ledger.table.two_readings import CorrectionSeen

ScoreBasis: TypeAlias = Literal["claimed", "as_recorded", "by_the_rules", "as_ruled"]

EntryRole: TypeAlias = Literal["opened", "deal", "in_question", "correction", "dispute", "ruling", "written", "last"]


class RuleText(Struct, frozen=True, kw_only=True):
    """A rule in its own words; `is_broken`: a finding on the entry in question names it."""

    rule: str
    text: str
    is_broken: bool = False


class InQuestion(Struct, frozen=True, kw_only=True):
    """The disputed entry: the act, the hand before it, the legal alternatives and the rules that apply.

    `trick`: from 1, null if the act is in no trick. `legal`: the legal alternatives. `correction`: the correction that
    put the event there; null if the entry applies as written.
    """

    version: int
    step: int
    event: Event
    seat: int | None
    trick: int | None
    hands_before: list[list[str]]
    legal: list[str]
    why: list[RuleText]
    correction: CorrectionSeen | None


class ScoreOnBasis(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The deal's score on one basis; null for what that basis does not say. Rulings' adjustments are included.

    `totals`: of the table, by seat; `points`: by player, if there was a substitution.
    """

    basis: ScoreBasis
    status: str | None
    result: str | None
    deltas: list[int] | None
    pool_after: int | None
    totals: list[int] | None
    points: list[PlayerPoints] = []


class ExplainedFinding(Struct, frozen=True, kw_only=True):
    """A finding with the text of its rule; null if the rulebook has no such rule."""

    finding: Finding
    rule_text: str | None


class ExplainedRuling(Struct, frozen=True, kw_only=True):
    """A ruling with the text of the rule that it names."""

    ruling: Ruling
    rule_text: str | None


class LogEntry(Struct, frozen=True, kw_only=True):
    """The place of an entry in the ledger.

    `what`: why the sheet depends on it. For a corrected dispute or ruling, `written` is the original or struck entry,
    and the other role has the words shown. `digest`: null while hidden cards could be guessed from it.
    """

    what: EntryRole
    version: int
    position: int
    digest: str | None
    recorded_at: str
    recorded_by: str


class CaseSheet(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One dispute on one page.

    `pack`: of the table's cards. `players`: as they sat in that deal. `happened_at`: when the deal began, null if
    unknown; `recorded_at`: when its start was recorded. `zone`: the session's IANA name, null if unknown. `turned`: the
    cards turned up. `declarers`: partners with equal roles, if no bidder is recorded. `unscorable`: what the score
    lacks, null if there is one. `sheet_stale`: corrected entries that the table's own score sheet depends on. `struck`:
    disputes and rulings about the deal that no longer apply. `head_*`: the ledger's last entry at that time.
    """

    table: str
    game: str
    pack: Pack = "french"
    players: list[str]
    deal: int
    dealer: int
    happened_at: str | None
    recorded_at: str
    zone: str | None
    dispute: Dispute
    hands: list[list[str]]
    stock: list[str]
    auction: list[Call]
    turned: list[str]
    called: list[PartnerCalled]
    exchanges: list[CardsExchanged]
    announced: list[Announced]
    trump: str | None
    contract: str | None
    declarer: int | None
    partner: int | None
    tricks: list[TrickView]
    in_question: InQuestion | None
    findings: list[ExplainedFinding]
    revokes: list[Revoke]
    corrections: list[CorrectionSeen]
    scores: list[ScoreOnBasis]
    declarers: tuple[int, ...] = ()
    unscorable: Unscorable | None = None
    sheet_stale: tuple[int, ...]
    lines: list[Line]
    rulings: list[ExplainedRuling]
    struck: tuple[Struck, ...] = ()
    rests_on: list[LogEntry]
    head_position: int
    head_digest: str | None
