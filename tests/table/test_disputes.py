"""Corrections (contract 3), the states of disputes and rulings, and what is stale because entries were corrected."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import NotFoundError
from ledger.events import CardPlayed, Corrected, DealStarted, DisputeRaised, Event, Noted, RulingGiven
from ledger.table.corrections import Entry, Signature, corrected_reading
from ledger.table.disputes import dispute_at
from ledger.table.fold import TableFold
from ledger.table.score import score_answer
from ledger.table.two_readings import compared, two_readings
from tests.games.ombre.tables import Record, in_play, with_winners
from tests.games.scripted import cases_of


def disputed() -> Record:
    """Return a record whose version 4 is the dispute about the result."""
    return Record().start(2).result().add(DisputeRaised(deal=1, text="no", seat=1, version=3))


test_state = cases_of("../table/disputes.txt", Record)


def test_an_entry_that_is_no_dispute_is_refused() -> None:
    with pytest.raises(NotFoundError, match="entry 3 is not a dispute; the disputes of this table are 4"):
        dispute_at(disputed().fold(), 3)
    with pytest.raises(NotFoundError, match="this table has no disputes"):
        dispute_at(Record().fold(), 1)


FINE = RulingGiven(deal=1, text="a fine", kind="adjust", deltas=(1, -1, 0), dispute=4)
RAISED = DisputeRaised(deal=1, text="no", seat=1)


def fined() -> Record:
    """Return a record whose version 4 is the dispute, 5 the fine."""
    return Record().start(2).result().add(RAISED, FINE)


def test_the_author_of_a_correction_is_returned_when_known() -> None:
    entries = fined().corrected(5, "strike").entries
    signed = {6: Signature("Anna", "2026-01-05T18:30:00.000000Z")}
    fold = TableFold(corrected_reading(entries), entries, signed=signed)
    assert score_answer("t", fold).deals[0].struck[0].corrected_by[0].recorded_by == "Anna"


test_stale = cases_of("../table/outdated_rulings.txt", Record, with_winners)

ACTIONS = ("replace", "strike", "insert_after", "note")
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("rule"), st.integers(1, 2), st.none()),
        st.tuples(st.sampled_from(ACTIONS), st.integers(0, 30), st.sampled_from("23")),
    ),
    min_size=2,
    max_size=10,
)


@given(STEPS)
def test_a_ruling_is_stale_exactly_while_its_deal_is_read_otherwise_than_then(steps: list) -> None:
    record = Record().start(2).dealt().played(0, "D4").played(1, "D5").start().dealt().played(1, "D6").played(2, "D7")
    correctable = [version for version, event in record.entries if isinstance(event, CardPlayed)]
    for action, number, rank in steps:
        if action == "rule":
            record.ruled("stands", deal=number)
            continue
        version = correctable[number % len(correctable)]
        card = CardPlayed(seat=0, card=f"D{rank}")
        events: tuple[Event, ...] = {"strike": (), "note": (Noted(text="x"),)}.get(action, (card,))
        record.corrected(version, "insert_after" if action == "note" else action, *events)
    for version, event in record.entries:
        if isinstance(event, RulingGiven):
            then = what_was_read(record.entries[: version - 1], event.deal, version)
            now = what_was_read(record.entries, event.deal, version)
            (ruling,) = [one for one in record.deal(event.deal).rulings if one.version == version]
            assert bool(ruling.stale) == (then != now)


def what_was_read(entries: list[Entry], deal: int, before: int) -> list[Entry]:
    """Return the deal's entries of earlier versions, in the reading of these entries, without remarks and rulings."""
    read, number = [], 0
    for version, event in corrected_reading(entries):
        number += isinstance(event, DealStarted)
        if number == deal and version < before and not isinstance(event, Noted | RulingGiven | Corrected):
            read.append((version, event))
    return read


def three_hearts():
    return in_play("S", {0: "HK SA", 1: "HQ DK", 2: "H2 D2"}, avoid={1: "H", 2: "H"})


test_reading = cases_of("../table/corrections.txt", Record, three_hearts)


def test_only_a_deal_that_there_is_can_be_compared_also_if_nothing_changes() -> None:
    record = Record().start(2).result().start().result()
    assert [deal.deal for deal in compared("t", record.fold(recorded=True), record.fold(), deals=(2,)).deals] == [2]
    with pytest.raises(NotFoundError, match="there is no deal 3"):
        two_readings("t", record.fold(), 3)
