"""Every record can be read, however wrong: subclass `AnyRecord` and name the strategies that make the records.

Any event by any seat, in any order, is folded, scored, audited and replayed.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from msgspec import json, structs

from ledger import events as ev
from ledger.errors import MalformedError
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.protocol import Game
from ledger.games.kernel.rulebook import load
from ledger.i18n import LANGUAGES
from ledger.recording.live.running import RunningTable
from ledger.table.answers import AuditAnswer, Finding, ScoreAnswer
from ledger.table.audit import audit_answer
from ledger.table.corrections import Signature, corrected_reading
from ledger.table.fold import SEATED_IN_DEAL, TableFold
from ledger.table.score import score_answer
from ledger.table.steps import replay_answer, replay_steps
from tests.contracts.lawful_tables import check_totals, new_machine
from tests.contracts.strategies import Tables
from tests.covering import examples
from tests.games.test_section_11 import assert_as_in_the_table


def read(events: Sequence[ev.Event]) -> TableFold:
    """Fold the events, with deals and their rulings numbered as in a log."""
    numbered, deals = [], 0
    for event in events:
        if type(event) is ev.DealStarted:
            deals += 1
            numbered.append(structs.replace(event, deal=deals))
        elif type(event) is ev.RulingGiven:
            numbered.append(structs.replace(event, deal=min(event.deal, deals)))
        else:
            numbered.append(event)
    return TableFold(corrected_reading(list(enumerate(numbered, start=1))))


def fault(violation: Violation) -> tuple[int, str, int | None]:
    return violation.version, violation.code, violation.seat


def codes(violations: Iterable[Violation]) -> Counter[tuple[str, int | None]]:
    return Counter((violation.code, violation.seat) for violation in violations if violation.severity != "info")


def faults(fold: TableFold) -> Counter[tuple[int, str, int | None]]:
    violations = (violation for record in fold.deals for violation in record.violations)
    return Counter(fault(violation) for violation in violations if violation.severity != "info")


class AnyRecord:
    """Records that follow no rule."""

    tables: Tables

    def brought(self, fold: TableFold) -> int:
        """Return what the seats and the pool hold together, before the first deal and ever after."""
        return 0

    def check_finding(self, game: Game, finding: Finding) -> None:
        if finding.code == SEATED_IN_DEAL:  # of no rulebook
            return
        assert {finding.code, finding.rule} <= {rule.id for rule in load(game.package).rules}
        assert finding.code.startswith(f"{game.rule_prefix}-11.")
        assert_as_in_the_table(finding)

    def check_score(self, score: ScoreAnswer, findings: Sequence[Finding]) -> None:
        """Check what this game adds for the score of any record."""

    @examples(12, many=150)
    @given(data=st.data())
    def test_any_events_in_any_order_can_be_read(self, data: st.DataObject) -> None:
        opened = data.draw(self.tables.openings)
        start = ev.DealStarted(deal=1, dealer=data.draw(st.integers(0, len(opened.players) - 1)))
        events = data.draw(st.lists(self.tables.any_events(opened), max_size=40))
        self.check([opened, start, *events], seen_by=data.draw(st.integers(0, len(opened.players) - 1)))

    @examples(12, many=150)
    @given(data=st.data())
    def test_a_lawful_table_with_entries_lost_or_put_in_can_be_read(self, data: st.DataObject) -> None:
        events = [event for _, event in data.draw(self.tables.lawful_tables(deals=data.draw(st.integers(2, 3))))]
        others = self.tables.any_events(events[0])
        for _ in range(data.draw(st.integers(1, 5))):
            place = data.draw(st.integers(2, len(events)))
            if data.draw(st.booleans()):
                events.insert(place, data.draw(others))
            elif place < len(events):
                del events[place]
        self.check(events, seen_by=data.draw(st.integers(0, len(events[0].players) - 1)))

    @examples(12, many=150)
    @given(data=st.data())
    def test_a_lawful_table_with_its_entries_shuffled_can_be_read(self, data: st.DataObject) -> None:
        """With its hands, or without them, so that what is played proves them."""
        opened, started, *rest = [event for _, event in data.draw(self.tables.lawful_tables(deals=2))]
        if data.draw(st.booleans()):
            rest = [event for event in rest if type(event) is not ev.CardsDealt]
        data.draw(st.randoms(use_true_random=False)).shuffle(rest)
        self.check([opened, started, *rest], seen_by=data.draw(st.integers(0, len(opened.players) - 1)))

    def check(self, events: Sequence[ev.Event], seen_by: int = 0) -> None:
        """Get every answer and check what holds for all; states are viewed by all and by one seat."""
        fold = read(events)
        score = score_answer("t", fold)
        for lang in list(LANGUAGES)[1:]:
            audit_answer("t", fold, lang)
            score_answer("t", fold, lang)
        findings = audit_answer("t", fold).findings
        for finding in findings:
            self.check_finding(fold.game, finding)
        self.check_score(score, findings)
        self.check_sums(fold, score, findings)
        self.check_states(fold, seen_by)
        self.check_outcomes(fold, score)
        self.check_runs(fold)
        self.check_live(fold)

    def check_live(self, fold: TableFold) -> None:
        """Check that a live table is after each entry what a fold is, whatever was checked in between."""
        running = RunningTable(fold.entries[:1], {})
        events = [fold.entries[0][1]]
        for _, event in fold.entries[1:]:
            try:
                running.check(event)
            except MalformedError:
                continue
            expected = running.broken_by(event)
            at_once = running.take(event, Signature("Ann"))
            events.append(event)
            if type(event) in ev.MACHINE_TYPES - {ev.ScoreClaimed} and running.machine is not None:
                is_ignored = running.fold.deals[-1].is_ignored
                assert codes(expected) == (Counter() if is_ignored else codes(at_once))
            if type(event) is not ev.CardPlayed:
                once = TableFold(list(enumerate(events, start=1)))
                assert self.answers(running.settled) == self.answers(once)
                if type(event) in (ev.DealStarted, ev.TableClosed, ev.ScoreClaimed):
                    assert Counter(map(fault, expected)) == faults(once) - faults(TableFold(once.entries[:-1]))

    def answers(self, fold: TableFold) -> tuple[ScoreAnswer, AuditAnswer]:
        return score_answer("t", fold), audit_answer("t", fold)

    def check_states(self, fold: TableFold, seen_by: int) -> None:
        for record in fold.deals:
            for seat in (None, seen_by):
                for step in replay_steps(fold, record.number, seat):
                    assert all(replay_answer("t", record.number, step).legal.values())

    def check_sums(self, fold: TableFold, score: ScoreAnswer, findings: Sequence[Finding]) -> None:
        """Check the totals; a rejected ruling moves nothing."""
        refused = {finding.version for finding in findings}
        adjusted = [
            ruling.deltas
            for deal in score.deals
            for ruling in deal.rulings
            if ruling.kind == "adjust" and ruling.deltas and ruling.version not in refused
        ]
        check_totals(fold, score, self.brought(fold), adjusted)

    def check_outcomes(self, fold: TableFold, score: ScoreAnswer) -> None:
        """Check that a computed outcome can be recorded as a result that means the same."""
        for deal in score.deals:
            if deal.outcome:
                raw: dict[str, Any] = json.decode(json.encode(deal.outcome))
                again = fold.game.check_outcome(raw, fold.options, len(score.players), deal.dealer)
                assert again == fold.deal(deal.deal).outcome

    def check_runs(self, fold: TableFold) -> None:
        """Check that runs of cards, taken at once, have the same effect as single cards."""
        for record in fold.deals:
            machine, violations = new_machine(fold, record), []
            for version, event in fold.entries[record.start + 1 : record.end]:
                if type(event) is ev.DealVoided:
                    violations.extend(machine.void(version))
                elif type(event) in ev.MACHINE_TYPES:
                    violations.extend(machine.apply(event, version))
            if record.end < len(fold.entries):
                machine.leave(0, None)
            assert (machine.view(), machine.status) == (record.machine.view(), record.machine.status)
            assert machine.outcome() == record.machine.outcome()
            if not record.is_ignored:
                violations = [violation for violation in violations if violation not in machine.refuted_violations()]
                assert [violation for violation in record.violations if violation in violations] == violations
