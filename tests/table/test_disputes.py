"""What became of a dispute: open, ruled, overruled by a later ruling; and whether the ruling is stale."""

from __future__ import annotations

import pytest

from ledger.errors import NotFoundError
from ledger.events import DisputeRaised, ResultRecorded, RulingGiven
from ledger.table.disputes import Dispute, dispute_at, disputes_of
from tests.games.ombre.tables import Record


def disputed() -> Record:
    """Version 4 is the dispute about the result."""
    return Record().start(2).result().add(DisputeRaised(deal=1, text="no", seat=1, version=3))


def ruled(record: Record, kind: str, dispute: int | None = 4, deltas: tuple[int, ...] | None = None) -> Record:
    return record.add(RulingGiven(deal=1, text="so ruled", kind=kind, dispute=dispute, deltas=deltas))  # type: ignore[arg-type]


def state(record: Record) -> tuple[str, tuple[int, ...]]:
    (found,) = disputes_of(record.fold())
    return found.state, found.rulings


def test_a_dispute_is_open_until_a_ruling_names_it() -> None:
    record = disputed()
    assert disputes_of(record.fold()) == [
        Dispute(version=4, deal=1, seat=1, player="Baron", about=3, text="no", state="open", rulings=(), stale=())
    ]
    assert state(ruled(record, "stands", dispute=None)) == ("open", ())
    assert state(ruled(record, "void")) == ("ruled", (6,))


def test_a_later_ruling_that_does_not_name_it_overrules() -> None:
    record = ruled(ruled(disputed(), "void"), "stands", dispute=None)
    assert state(record) == ("overruled", (5,))
    assert state(ruled(record, "void")) == ("ruled", (5, 7))


def test_an_adjustment_is_overruled_by_nothing() -> None:
    record = ruled(disputed(), "adjust", deltas=(1, -1, 0))
    assert state(ruled(record, "void", dispute=None)) == ("ruled", (5,))


def test_a_ruling_that_was_struck_leaves_the_dispute_open() -> None:
    record = ruled(disputed(), "void")
    assert state(record.corrected(5, "strike")) == ("open", ())


def test_a_dispute_is_stale_with_the_last_ruling_that_decides_it() -> None:
    record = ruled(disputed(), "adjust", deltas=(1, -1, 0))
    outcome = {"ombre": 0, "contract": "entrada", "trump": "S", "tricks": [3, 5, 1]}
    record.corrected(3, "replace", ResultRecorded(outcome=outcome))
    assert disputes_of(record.fold())[0].stale == (6,)
    ruled(record, "adjust", deltas=(-1, 1, 0))
    assert disputes_of(record.fold())[0].stale == ()


def test_an_entry_that_is_no_dispute_is_refused() -> None:
    with pytest.raises(NotFoundError, match="entry 3 is no dispute; the table's disputes are 4"):
        dispute_at(disputed().fold(), 3)
    with pytest.raises(NotFoundError, match="the table's disputes are none yet"):
        dispute_at(Record().fold(), 1)
