"""Rulings and score sheets that are stale because entries were corrected, and by which corrections."""

from hypothesis import given
from hypothesis import strategies as st

from ledger.events import CardPlayed, Corrected, DealStarted, Event, Noted, RulingGiven
from ledger.table.corrections import Entry, corrected_reading
from ledger.table.score import score_answer
from tests.games.ombre.tables import Record, with_winners
from tests.games.scripted import cases_of

test_stale = cases_of("../table/outdated_rulings.txt", Record, with_winners)


def test_a_record_as_first_written_has_nothing_stale() -> None:
    record = Record().start(2).result().ruled("stands").corrected(3, "strike")
    assert record.deal().rulings[0].stale == (5,)
    (ruling,) = score_answer("t", record.fold(recorded=True)).deals[0].rulings
    assert ruling.stale == ()


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
