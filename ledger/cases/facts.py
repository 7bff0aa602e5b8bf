"""The facts of a case sheet as Structs: what its JSON form holds, and what text and page are made of."""

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
    """A rule in its own words; `is_broken` where a finding on the entry in question names it."""

    rule: str
    text: str
    is_broken: bool = False


class InQuestion(Struct, frozen=True, kw_only=True):
    """The entry in dispute: what was done, from which hand, what would have been legal, and by which rules.

    `trick`: from 1, null where it lies in none. `legal`: what could lawfully have been done instead. `correction`: the
    one that put the event there; null: it is read as it was written.
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
    """The deal's score on one basis; what that basis does not say is null. With rulings, adjustments are added in.

    `totals`: of the table, by seat; `points`: by player, where somebody was substituted.
    """

    basis: ScoreBasis
    status: str | None
    result: str | None
    deltas: list[int] | None
    pool_after: int | None
    totals: list[int] | None
    points: list[PlayerPoints] = []


class ExplainedFinding(Struct, frozen=True, kw_only=True):
    """A finding with the text of its rule; null where the rulebook has no such rule."""

    finding: Finding
    rule_text: str | None


class ExplainedRuling(Struct, frozen=True, kw_only=True):
    """A ruling with the text of the rule that it names."""

    ruling: Ruling
    rule_text: str | None


class LogEntry(Struct, frozen=True, kw_only=True):
    """Where an entry stands in the ledger. `what`: why the sheet rests on it. A dispute or ruling that was corrected
    is the entry whose words are shown; `written` is the one that it corrects, or that was struck. `digest`: null while
    hidden cards could be guessed by it.
    """

    what: EntryRole
    version: int
    position: int
    digest: str | None
    recorded_at: str
    recorded_by: str


class CaseSheet(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One dispute on one page.

    `pack`: that of the table's cards. `players`: as they sat in that deal; `happened_at`: when it began, null where
    nobody told; `recorded_at`: when its start was recorded; `zone`: the session's, by its IANA name, null where nobody
    told; `turned`: the cards turned up;
    `declarers`: those who play the contract as equals, where none of them is told to have bid it;
    `unscorable`: what the score lacks, null where there is one; `sheet_stale`: as of a ruling, for the table's own
    score sheet. `struck`: disputes and rulings about the deal that are no longer read. `head_*`: the ledger's last
    entry at that time.
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
