"""The fold of a table's entries through its game: deals, their states, outcomes, settlements and violations.

Every answer about a table (`score`, `audit`, `replay`, the read model) is computed from a `TableFold`. Pure.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple, cast

from mypy_extensions import mypyc_attr

from ledger.cards import UNKNOWN, Pack
from ledger.errors import NotFoundError
from ledger.events import (
    MACHINE_TYPES,
    Announced,
    CardPlayed,
    Corrected,
    DealStarted,
    DealVoided,
    Event,
    PlayerSeated,
    RulingGiven,
    ScoreClaimed,
    TableClosed,
    TableOpened,
    TrickGathered,
)
from ledger.games import game_named
from ledger.games.kernel.copying import twin_of
from ledger.games.kernel.deal import Deal
from ledger.games.kernel.findings import Decision, Violation
from ledger.games.kernel.match import Match
from ledger.games.kernel.protocol import Game
from ledger.games.kernel.settlement import Closing, Settlement
from ledger.games.kernel.views import DealStatus
from ledger.i18n import WordsOf
from ledger.table.catalogue import phrase
from ledger.table.corrections import Entry, Signature
from ledger.table.redaction import cards_not_seen

_MACHINE_TYPES: Final = MACHINE_TYPES  # module-level names, as in `kernel.tricks`
_CARD_PLAYED: Final = CardPlayed  # nine events in ten are of this type

_DECIDING_TYPES: Final = frozenset((DealStarted, RulingGiven, ScoreClaimed))
"""The events that decide how earlier deals are continued, and the events that name the deal."""

DECIDING_KINDS: Final = frozenset(("replace", "void", "accept", "award", "stands"))
"""The kinds of ruling of which only the last one is in force; adjustments add up instead."""

SCORING_KINDS: Final = frozenset(("replace", "award"))
"""The kinds of ruling that set the score of a deal, whatever the cards made."""

SEATED_IN_DEAL: Final = "SEATED-IN-DEAL"
"""The code of a player replaced before the deal was over: a warning of no rulebook, and so its own rule."""

_UNSIGNED: Final[Mapping[int, Signature]] = MappingProxyType({})


@mypyc_attr(acyclic=True, allow_interpreted_subclasses=True)
class DealRecord:
    """One folded deal: its dealer, the range of its entries, its outcome and its violations.

    `start` and `end`: range of indexes into the reading, `deal_started` first. `is_ignored`: dealt after the match had
    ended. `machine`: the state machine after its last event. `computed`: the amounts by the rules alone, of a scorable
    deal to which a ruling gave other ones.
    """

    __slots__ = (
        "adjusts_after",
        "adjusts_during",
        "claims",
        "computed",
        "dealer",
        "end",
        "is_ignored",
        "machine",
        "number",
        "outcome",
        "players",
        "rulings",
        "settlement",
        "start",
        "status",
        "totals_after",
        "version",
        "violations",
    )

    def __init__(
        self, number: int, dealer: int, version: int, start: int, machine: Deal, players: list[str], is_ignored: bool
    ) -> None:
        self.number = number
        self.dealer = dealer
        self.version = version
        self.start = self.end = start
        self.machine = machine
        self.players = players
        self.is_ignored = is_ignored
        self.status: DealStatus = "open"
        self.outcome: Any | None = None
        self.settlement: Settlement | None = None
        self.computed: list[int] | None = None
        self.totals_after: list[int] = []
        self.violations: list[Violation] = []
        self.rulings: Sequence[tuple[int, RulingGiven]] = ()
        self.claims: Sequence[tuple[int, ScoreClaimed]] = ()
        self.adjusts_during: tuple[tuple[int, RulingGiven], ...] = ()
        self.adjusts_after: tuple[tuple[int, RulingGiven], ...] = ()

    def decision(self) -> tuple[int, Decision] | None:
        """Return the ruling in force with its version, and the score sheet that it accepts; None without a ruling in
        force.
        """
        if not self.rulings:
            return None
        deciding = [(version, ruling) for version, ruling in self.rulings if ruling.kind in DECIDING_KINDS]
        if not deciding or deciding[-1][1].kind == "stands":
            return None
        version, ruling = deciding[-1]
        return version, Decision(ruling, self._sheet_at(version))

    def _sheet_at(self, version: int) -> ScoreClaimed | None:
        """Return the last score sheet before a ruling; if there was none yet, the first one after it."""
        before = [claim for at, claim in self.claims if at <= version]
        return before[-1] if before else self.claims[0][1] if self.claims else None

    def decided_before(self, version: int) -> RulingGiven | None:
        """Return the ruling in force when that entry was recorded; None without one."""
        deciding = [ruling for at, ruling in self.rulings if at < version and ruling.kind in DECIDING_KINDS]
        return None if not deciding or deciding[-1].kind == "stands" else deciding[-1]


class _Boundary(NamedTuple):
    """A table just before its last deal starts: the index of that in the reading, and the state until then."""

    start: int
    match: Match
    deals: list[DealRecord]
    players: list[str]
    closing: Closing | None
    is_closed: bool
    ignored_adjustments: tuple[tuple[int, RulingGiven], ...]


class TableFold:
    """One table after all its entries. `deals` in the order of the record; `closing` once the match has ended.

    `is_by_rules`: the director's rulings were left out. `opened_too_late`: its session was already closed when the
    table was opened, which none of its own entries shows. `recorded`: the record, corrections included, of which the
    entries are a corrected reading; by default the entries are the record itself. `signed`: the recorders of its
    corrections, by their versions, if known. `goes_on`: `take` adds more entries, until `end`. `after`: an earlier fold
    of the same table, with the same entries until its last deal starts, whose state is reused. `is_redacted`: the
    entries are redacted; a deal whose result depends on hidden cards then has the status `open`.
    """

    def __init__(
        self,
        entries: Sequence[Entry],
        recorded: Sequence[Entry] | None = None,
        *,
        signed: Mapping[int, Signature] = _UNSIGNED,
        goes_on: bool = False,
        after: TableFold | None = None,
        is_redacted: bool = False,
    ) -> None:
        self.entries: list[Entry] = entries if isinstance(entries, list) else list(entries)
        self.recorded: Sequence[Entry] = self.entries if recorded is None else recorded
        self.signed = signed
        self.is_redacted = is_redacted
        self.deals: list[DealRecord] = []
        self.closing: Closing | None = None
        self.is_closed = False
        self.is_by_rules = False
        self.opened_too_late = False
        self.ignored_adjustments: tuple[tuple[int, RulingGiven], ...] = ()
        self._current: DealRecord | None = None
        self._machine: Deal | None = None
        self._rulings: dict[int, list[tuple[int, RulingGiven]]] = defaultdict(list)
        self._claims: dict[int, list[tuple[int, ScoreClaimed]]] = defaultdict(list)
        self._keeps_boundary = goes_on
        self._boundary: _Boundary | None = None
        if after is not None and after._boundary is not None:
            self._take_over(after, after._boundary)
            return
        _, opened = entries[0]
        assert isinstance(opened, TableOpened), "a table's first entry opens it"
        self.opened = opened
        self.players = list(opened.players)
        self.game: Game = game_named(opened.game)
        self.options = self.game.make_options(opened.options, len(opened.players))
        self.match: Match = self.game.make_match(self.options, len(opened.players))
        self._gather_decisions()
        self._fold(0)
        if not goes_on:
            self.end()

    @property
    def pack(self) -> Pack:
        """The pack of the table, if its game allows a choice (OMB-9.2)."""
        return getattr(self.options, "pack_names", "french")

    def deal(self, number: int) -> DealRecord:
        """Return the deal of that number. Raise `NotFoundError` naming the existing ones."""
        for record in self.deals:
            if record.number == number:
                return record
        last = len(self.deals)
        key = {0: "no_deal_yet", 1: "no_deal_but_first"}.get(last, "no_deal")
        raise NotFoundError("not_found", phrase(key, text=number, last=last))

    def take(self, entry: Entry) -> Sequence[Violation]:
        """Add the next entry of a continued table and return its immediate violations.

        Rulings and corrections are not allowed, as they may change earlier deals: fold the table anew instead.
        """
        version, event = entry
        assert not isinstance(event, RulingGiven | Corrected), "a ruling or correction may change earlier deals"
        started = len(self.deals)
        violations_before = len(self.deals[-1].violations) if self.deals else 0
        if self.recorded is not self.entries:
            cast("list[Entry]", self.recorded).append(entry)
        self.entries.append(entry)
        if isinstance(event, ScoreClaimed) and self.deals:
            self.deals[-1].claims = (*self.deals[-1].claims, (version, event))
        self._fold(len(self.entries) - 1)
        return self.deals[-1].violations[violations_before:] if len(self.deals) == started > 0 else ()

    def branch(self, *more: Entry) -> TableFold:
        """Return a copy of the table, with further entries, that continues independently.

        It takes the time of the last deal, not of the table. Rulings and corrections are not allowed among the entries.
        """
        recorded = None if self.recorded is self.entries else [*self.recorded, *more]
        return TableFold(
            [*self.entries, *more],
            recorded,
            signed=self.signed,
            goes_on=True,
            after=self,
            is_redacted=self.is_redacted,
        )

    def _take_over(self, other: TableFold, boundary: _Boundary) -> None:
        self.opened, self.game, self.options = other.opened, other.game, other.options
        self.opened_too_late = other.opened_too_late
        self.deals = boundary.deals[:]
        self.match = twin_of(boundary.match)
        self.players, self.closing, self.is_closed = boundary.players, boundary.closing, boundary.is_closed
        self.ignored_adjustments = boundary.ignored_adjustments
        late = Counter(event.deal for _, event in other.entries[boundary.start :] if isinstance(event, RulingGiven))
        for deal, rulings in other._rulings.items():
            self._rulings[deal] = rulings[: len(rulings) - late[deal]]
        for version, event in self.entries[boundary.start :]:  # from this table, as texts may be redacted
            if isinstance(event, RulingGiven):
                self._rulings[event.deal].append((version, event))
            elif isinstance(event, ScoreClaimed):
                self._claims[other.deals[-1].number].append((version, event))
        self._fold(boundary.start)

    def end_deal(self) -> None:
        """End the deal in progress in its current state; no more events of it follow."""
        self._end_current(len(self.entries), self.entries[-1][0])

    def end(self) -> None:
        """End the fold; no more entries follow."""
        if self._current is not None:
            self._finish(self._current, len(self.entries), None)

    # Folding

    def _gather_decisions(self) -> None:
        """Collect rulings and score sheets of every deal: a later ruling decides how an earlier deal is continued."""
        deal = 0
        for entry in cast("list[tuple[Any, ...]]", self.entries):  # as in `kernel.tricks`
            kind = type(entry[1])
            if kind is _CARD_PLAYED or kind not in _DECIDING_TYPES:
                continue
            version, event = entry
            if kind is DealStarted:
                deal = cast(DealStarted, event).deal
            elif kind is RulingGiven:
                ruling = cast(RulingGiven, event)
                self._rulings[ruling.deal].append((version, ruling))
            else:
                self._claims[deal].append((version, cast(ScoreClaimed, event)))

    def _fold(self, index: int) -> None:
        """Process the entries from `index` on; the cards of a deal, nine events in ten, are applied in runs."""
        entries = self.entries
        machine = self._machine
        size = len(entries)
        while index < size:
            version, event = entries[index]
            kind = type(event)  # isinstance costs ten times as much on Structs
            if kind is _CARD_PLAYED and machine is not None:
                taken = machine.take_run(entries, index)
                if taken > index:
                    index = taken
                    continue
            if kind in _MACHINE_TYPES:
                if machine is None:
                    self._act_after_end(version, event)
                else:
                    violations = machine.apply(event, version)
                    if violations:
                        self.deals[-1].violations.extend(violations)
            elif kind is DealStarted:
                self._end_current(index, version)
                machine = self._start_deal(index, version, cast(DealStarted, event)).machine
            elif kind is TableClosed:
                if self.is_closed:
                    self._act_after_end(version, event)
                self._end_current(index, version)
                self._close()
                self.is_closed, machine = True, None
            else:
                self._apply_rare(version, event)
            index += 1
        self._machine = machine

    def _apply_rare(self, version: int, event: Event) -> None:
        if isinstance(event, RulingGiven):
            self._note_adjustment(version, event)
        elif isinstance(event, DealVoided):
            if self._current is None:
                self._act_after_end(version, event)
            else:
                self._current.violations.extend(self._current.machine.void(version))
        elif isinstance(event, PlayerSeated):
            self._note_substitute(version, event.seat)
            self.players = [*self.players]
            self.players[event.seat] = event.player

    def _note_substitute(self, version: int, seat: int) -> None:
        """Add a finding if a player is replaced during a deal, which counts for its first players (contract 3)."""
        if self._current is not None and self._current.machine.status == "open":
            words = WordsOf("seated_in_deal", {"seat": seat}, package="ledger.table")
            violation = Violation(SEATED_IN_DEAL, SEATED_IN_DEAL, "warning", words, version, seat)
            self._current.violations.append(violation)

    def _start_deal(self, index: int, version: int, event: DealStarted) -> DealRecord:
        match, number, dealer = self.match, event.deal, event.dealer
        if self._keeps_boundary:
            state = (self.players, self.closing, self.is_closed, self.ignored_adjustments)
            self._boundary = _Boundary(index, twin_of(match), self.deals[:], *state)
        is_late = match.is_over
        is_ignored = is_late and not match.scores_after_end
        expected = match.expected_dealer()
        record = DealRecord(number, dealer, version, index, match.start_deal(dealer), self.players, is_ignored)
        if is_late:
            record.violations.append(match.after_match(None, version))
        if not is_ignored and expected is not None and expected != dealer:
            record.violations.append(match.wrong_dealer(dealer, version))
        record.rulings = self._rulings.get(number, ())
        record.claims = self._claims.get(number, ())
        self.deals.append(record)
        self._current = record
        return record

    def _end_current(self, index: int, version: int) -> None:
        """End the current deal as the next one starts or the table closes; missing events are charged to its last
        event.
        """
        if self._current is not None:
            version_of_last, last_event = self._last_of_deal(index)
            left = self._current.machine.leave(version_of_last, getattr(last_event, "seat", None))
            decided = self._current.decision()
            is_annulled = decided is not None and decided[1].ruling.kind == "void" and decided[0] < version
            if left and not is_annulled:  # nothing is missing in a deal that was annulled before
                excused = self.match.excused_by_ruling if decided is not None else ()
                self._current.violations.extend([violation for violation in left if violation.code not in excused])
            self._finish(self._current, index, version)
            self._current = None

    def _last_of_deal(self, end: int) -> Entry:
        while True:
            end -= 1
            kind = type(self.entries[end][1])
            if kind in _MACHINE_TYPES or kind is DealStarted:
                return self.entries[end]

    def _finish(self, record: DealRecord, end: int, next_version: int | None) -> None:
        """Settle a deal. `next_version`: of the entry that ended it; None if the record ends, maybe in mid-deal."""
        machine = record.machine
        record.end = end
        if record.violations:
            refuted = machine.refuted_violations()
            record.violations = [violation for violation in record.violations if violation not in refuted]
        record.violations.extend(machine.late_violations())
        if record.is_ignored:
            del record.violations[1:]
        record.outcome = machine.outcome()
        status: DealStatus = machine.status
        if status == "complete" and record.outcome is None:
            status = "unscorable"  # the record lacks a fact needed for scoring
        decided = record.decision()
        record.status = status
        if status == "open" and not record.is_ignored and (decided is None or decided[1].ruling.kind == "accept"):
            record.settlement = self.match.stake()
            record.totals_after = list(self.match.totals)
            self._after_settlement(record)  # the score shows rulings on an open deal too
            return
        decision = None if decided is None else decided[1]
        is_annulled = status == "voided" or (decision is not None and decision.ruling.kind == "void")
        if record.claims and not record.is_ignored and not is_annulled:
            for version, claim in self._claims_to_compare(record):
                record.violations.extend(self._compare(record, claim, decision, version))
        if decision is not None and decision.ruling.kind in SCORING_KINDS and record.outcome is not None:
            record.computed = self.match.computed(record.outcome).deltas
        record.status, record.settlement = self.match.settle(status, record.outcome, decision)
        if record.status == "unscorable" and machine.status == "complete" and self._hides_cards(record):
            record.status = "open"
        record.totals_after = list(self.match.totals)
        ruled_later = decided is not None and next_version is not None and decided[0] > next_version
        if ruled_later and status != "voided":
            self.match.forget_redeal()  # the ruling was unknown when the next deal began
        self._after_settlement(record)

    def _hides_cards(self, record: DealRecord) -> bool:
        """Return whether the result of a deal may depend on cards that are redacted."""
        deal = self.entries[record.start : record.end]
        return self.is_redacted and any(UNKNOWN in cards_not_seen(event) for _, event in deal)

    def _claims_to_compare(self, record: DealRecord) -> list[tuple[int, ScoreClaimed]]:
        """Return the score sheets to compare: those before a halt, or after a ruling."""
        halts = [violation.version for violation in record.violations if violation.code in self.match.halting]
        return [
            (version, claim)
            for version, claim in record.claims
            if not halts or version <= min(halts) or record.decided_before(version) is not None
        ]

    def _compare(
        self, record: DealRecord, claim: ScoreClaimed, decision: Decision | None, version: int
    ) -> Sequence[Violation]:
        """Compare a score sheet with the cards or, after a ruling that decides the deal, with what that makes (contract
        5).
        """
        match = self.match
        ruling = record.decided_before(version)
        if ruling is not None and ruling.kind == "void":
            return ()
        if ruling is not None and ruling.kind in ("replace", "award"):
            return match.compare_ruled(claim, ruling, version)
        accepted = decision.sheet if decision is not None and decision.ruling.kind == "accept" else None
        if record.outcome is None and accepted is not None and (claim is accepted or ruling is not None):
            return match.compare_accepted(claim, accepted, version)
        return match.compare(claim, record.outcome, version)

    def _after_settlement(self, record: DealRecord) -> None:
        """Apply the adjustments of a deal in progress after its settlement; those after the match's end, after the
        closing.
        """
        for version, ruling in record.adjusts_during:
            self._adjust(version, ruling)
        if self.match.is_over and not record.is_ignored:
            self._close()
        for version, ruling in record.adjusts_after:
            self._adjust(version, ruling)

    def _note_adjustment(self, version: int, ruling: RulingGiven) -> None:
        if ruling.kind != "adjust":
            return
        if self._current is None:
            self._adjust(version, ruling)
        elif self._current.machine.status == "open":
            self._current.adjusts_during += ((version, ruling),)
        else:
            self._current.adjusts_after += ((version, ruling),)

    def _adjust(self, version: int, ruling: RulingGiven) -> None:
        deltas, pool = ruling.deltas or (), ruling.pool or 0
        refused = self.match.refused_adjustment(deltas, pool, version)
        if refused is None:
            self.match.adjust(deltas, pool)
            return
        self.ignored_adjustments += ((version, ruling),)
        for place, record in enumerate(self.deals):
            if record.number == ruling.deal:
                is_shared = record is not self.deals[-1]  # with branches, which share the earlier deals
                self.deals[place] = twin = twin_of(record) if is_shared else record
                twin.violations.append(refused)

    def _act_after_end(self, version: int, event: Event) -> None:
        """Add a finding for an action after the closing; gather, reveal and sheet of the last deal are allowed
        (contract 5).
        """
        is_reveal = isinstance(event, Announced) and event.what == "reveal_partner"
        if self.deals and not is_reveal and not isinstance(event, TrickGathered | ScoreClaimed):
            self.deals[-1].violations.append(self.match.after_match(getattr(event, "seat", None), version))

    def _close(self) -> None:
        self.closing = self.match.close() or self.closing


def without_rulings(fold: TableFold) -> TableFold:
    """Return the same table by the rules alone, without the director's rulings."""
    by_rules = [entry for entry in fold.entries if type(entry[1]) is not RulingGiven]
    unruled = TableFold(by_rules, fold.recorded, signed=fold.signed, is_redacted=fold.is_redacted)
    unruled.is_by_rules = True
    unruled.opened_too_late = fold.opened_too_late
    return unruled
