"""Every record under `replays/` has exactly the expected payments, findings and legal plays."""

from pathlib import Path

import msgspec
import pytest

from ledger.games.kernel.moves import as_json
from ledger.games.kernel.settlement import ScoreLine
from ledger.recording.hand.seats import DealExpectation, ExpectedPayment, TableExpectation
from ledger.table.audit import deal_findings
from ledger.table.fold import DealRecord, TableFold
from ledger.table.steps import replay_state
from tests.hand_records import REPLAYS, fold_of, record_in

RECORDS = sorted(REPLAYS.glob("**/*.toml"))


def name_of(path: Path) -> str:
    return path.relative_to(REPLAYS).as_posix()


def payments(lines: list[ScoreLine]) -> list[ExpectedPayment]:
    return [ExpectedPayment(line.rule or "", line.source, line.target, line.amount) for line in lines]


def changes_without_antes(deal: DealRecord, seats: int) -> list[int]:
    changes = [0] * seats
    for line in deal.settlement.lines:
        if line.words.key == "ante":
            continue
        for place, amount in ((line.source, -line.amount), (line.target, line.amount)):
            if isinstance(place, int):
                changes[place] += amount
    return changes


def assert_deal(fold: TableFold, expected: DealExpectation) -> None:
    deal = fold.deal(expected.deal)
    assert deal.status == expected.status
    outcome = msgspec.json.decode(msgspec.json.encode(deal.outcome))
    assert {key: outcome[key] for key in expected.outcome} == expected.outcome
    if expected.winners is not None:
        view = deal.machine.view()
        assert [trick.winner for trick in view.tricks] == list(expected.winners)
    settlement = deal.settlement
    if expected.lines is not None:
        assert payments(settlement.lines) == list(expected.lines)
    if expected.payments is not None:
        assert changes_without_antes(deal, len(fold.players)) == list(expected.payments)
    if expected.deltas is not None:
        assert settlement.deltas == list(expected.deltas)
    if expected.pool is not None:
        assert settlement.pool_after == expected.pool
    if expected.totals is not None:
        assert deal.totals_after == list(expected.totals)
    if expected.state is not None:
        assert TableFold(fold.entries[: deal.end]).match.state() == expected.state
    findings = [(finding.code, finding.seat) for finding in deal_findings(fold, deal)]
    assert findings == list(expected.findings)
    for there in expected.legal:
        view = replay_state(fold, expected.deal, there.step).view
        legal = as_json(view.legal, view.turn)
        values = () if there.kind is None else tuple(str(value) for value in legal.get(there.kind, ()))
        assert values == there.values, f"after step {there.step}"
        assert there.kind is not None or not legal, f"after step {there.step}"


def assert_table(fold: TableFold, expected: TableExpectation) -> None:
    if expected.totals is not None:
        assert fold.match.totals == list(expected.totals)
    if expected.pool is not None:
        assert fold.match.state()["pool"] == expected.pool
    if expected.state is not None:
        assert fold.match.state() == expected.state
    if expected.closing is not None:
        assert fold.closing is not None
        assert fold.closing.deltas == list(expected.closing)
    if expected.closing_lines is not None:
        assert fold.closing is not None
        assert payments(fold.closing.lines) == list(expected.closing_lines)
    if expected.winners is not None:
        assert fold.match.winners() == list(expected.winners)


@pytest.mark.compiled
@pytest.mark.parametrize("path", RECORDS, ids=name_of)
def test_the_record_comes_to_what_it_says(path):
    """Check the expectations of every deal and of the table, and that table and pool lose nothing."""
    record = record_in(path)
    fold = fold_of(record)
    assert [expected.deal for expected in record.expectations.deals] == list(range(1, len(fold.deals) + 1))
    for expected in record.expectations.deals:
        assert_deal(fold, expected)
    if record.expectations.table is not None:
        assert_table(fold, record.expectations.table)
    state = fold.match.state()
    if "pool" in state:
        start = fold.game.make_match(fold.options, len(fold.players))
        assert sum(fold.match.totals) + state["pool"] == sum(start.totals) + start.state()["pool"]


def test_the_poem_and_its_reconstruction_come_to_the_same():
    full = fold_of(record_in(REPLAYS / "ombre" / "rape-of-the-lock.toml")).deal(1)
    reconstructed = fold_of(record_in(REPLAYS / "ombre" / "rape-of-the-lock-as-told.toml")).deal(1)
    assert reconstructed.outcome == full.outcome
    assert reconstructed.settlement == full.settlement
    assert full.outcome.tricks == (5, 4, 0)
