"""Rulings and score sheets that are stale because entries were corrected, and by which corrections."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.events import (
    CardPlayed,
    Corrected,
    DealStarted,
    DealVoided,
    Event,
    Noted,
    ResultRecorded,
    RulingGiven,
    ScoreClaimed,
    TableClosed,
    TableOpened,
)
from ledger.table.corrections import Entry, corrected_reading
from ledger.table.score import score_answer
from tests.builders import NAMES
from tests.games.ombre.tables import Record, with_winners

LOST = {"ombre": 0, "contract": "entrada", "trump": "S", "tricks": [3, 5, 1]}


def two_deals() -> Record:
    """Return a record of versions 1: opened; 2, 3: deal 1 and its result; 4, 5: deal 2 and its result."""
    return Record().start(2).result().start().result()


def stale(record: Record, deal: int = 1) -> list[tuple[int, ...]]:
    return [ruling.stale for ruling in record.deal(deal).rulings]


def sheet_of(record: Record, deal: int) -> tuple[int, ...]:
    claimed = record.deal(deal).claimed
    assert claimed is not None
    return claimed.stale


def result(**outcome: object) -> ResultRecorded:
    return ResultRecorded(outcome=dict(outcome))


# Rulings


@pytest.mark.parametrize("kind", ["stands", "void", "accept"])
def test_a_ruling_is_stale_once_an_entry_of_its_deal_is_corrected(kind: str) -> None:
    record = two_deals().ruled(kind, deal=1).corrected(3, "replace", result(**LOST))
    assert stale(record) == [(7,)]


def test_an_adjustment_is_stale_as_well_and_still_in_force() -> None:
    record = two_deals().ruled("adjust", deal=1, deltas=[1, -1, 0]).corrected(3, "replace", result(**LOST))
    (ruling,) = record.deal(1).rulings
    assert (ruling.stale, ruling.in_force) == ((7,), True)


def test_the_opening_of_the_table_carries_every_ruling() -> None:
    record = two_deals().ruled("stands", deal=1).ruled("stands", deal=2)
    record.corrected(1, "replace", TableOpened(game="ombre", players=NAMES[:3], options={"ante": 10}))
    assert (stale(record, 1), stale(record, 2)) == ([(8,)], [(8,)])


def test_cards_recorded_after_a_ruling_in_mid_deal_do_not_make_it_stale() -> None:
    record = with_winners("0001").ruled("adjust", deltas=[-1, 1, 0])
    given = record.version
    record.played(1, "HK")
    assert stale(record) == [()]
    record.corrected(given + 1, "strike")
    assert stale(record) == [()]


def test_a_struck_start_of_the_next_deal_changes_what_the_deal_before_is_made_of() -> None:
    record = Record().start(2).result().start().voided().ruled("stands", deal=1).corrected(4, "strike")
    assert stale(record) == [(7,)]


def test_a_correction_that_changes_neither_outcome_nor_findings_leaves_rulings_and_sheets_as_they_are() -> None:
    record = Record().start(2).result(**LOST | {"tricks": [5, 2, 2]}).claimed([5, 0, -5], pool=0, totals=[5, 0, -5])
    record.ruled("stands").corrected(1, "replace", TableOpened(game="ombre", players=("Ann", "Bea", "Cleo")))
    assert (stale(record), sheet_of(record, 1)) == ([()], ())
    record.corrected(3, "replace", result(**LOST | {"tricks": [5, 3, 1]}))
    assert (stale(record), sheet_of(record, 1)) == ([(6, 7)], ())


def test_another_dealer_of_the_next_deal_changes_nothing_in_the_deal_before() -> None:
    record = two_deals().ruled("stands", deal=1).corrected(4, "replace", DealStarted(deal=2, dealer=1))
    assert stale(record) == [()]


def test_a_card_put_before_the_start_of_the_next_deal_belongs_to_the_deal_before() -> None:
    record = Record().start(2).dealt().start().dealt().ruled("stands", deal=1)
    record.corrected(4, "replace", CardPlayed(seat=0, card="SA"), DealStarted(deal=2, dealer=0))
    assert stale(record) == [(7,)]


def test_a_deal_voided_by_correction_makes_its_ruling_stale() -> None:
    record = two_deals().ruled("stands", deal=1).corrected(3, "insert_after", DealVoided(reason="misdealt"))
    assert stale(record) == [(7,)]


def test_a_closing_put_in_within_the_deal_makes_its_ruling_stale() -> None:
    record = with_winners("0001").ruled("stands")
    record.corrected(record.version - 1, "insert_after", TableClosed())
    assert stale(record) == [(record.version,)]


def test_a_ruling_put_in_by_a_correction_was_given_with_that_correction() -> None:
    record = two_deals().ruled("void", deal=1).corrected(3, "replace", result(**LOST))
    record.corrected(6, "replace", RulingGiven(deal=1, text="after all", kind="stands"))
    assert stale(record) == [()]


def test_a_record_as_first_written_has_nothing_stale() -> None:
    record = two_deals().ruled("stands", deal=1).corrected(3, "replace", result(**LOST))
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


# Score sheets


def test_a_score_sheet_is_stale_once_a_card_of_its_deal_is_corrected() -> None:
    record = with_winners("000101220").claimed([5, 0, -5])
    place = next(version for version, event in record.entries if isinstance(event, CardPlayed))
    record.corrected(place, "strike")
    assert sheet_of(record, 1) == (record.version,)


def test_a_score_sheet_of_changes_rests_on_its_own_deal_alone() -> None:
    record = Record().start(2).result().start().result().claimed([0, 0, 0]).corrected(3, "replace", result(**LOST))
    assert sheet_of(record, 2) == ()


@pytest.mark.parametrize("stated", [{"totals": (0, 0, 0)}, {"pool": 5}])
def test_a_score_sheet_with_totals_or_pool_rests_on_the_deals_before_it(stated: dict) -> None:
    record = Record().start(2).result().start().result(**LOST).add(ScoreClaimed(**stated))
    record.start().corrected(7, "replace", DealStarted(deal=3, dealer=0))
    assert sheet_of(record, 2) == ()
    record.corrected(3, "replace", result(**LOST | {"tricks": [4, 4, 1]}))
    assert sheet_of(record, 2) == (record.version,)


def test_a_corrected_ruling_makes_the_totals_of_later_sheets_stale() -> None:
    record = Record().start(2).result().ruled("adjust", deltas=[1, -1, 0])
    record.start().result().claimed(totals=[0, 0, 0]).corrected(4, "strike")
    assert sheet_of(record, 2) == (record.version,)


def test_a_score_sheet_rests_on_no_other_sheet() -> None:
    record = with_winners("000101220").claimed([5, 0, -5]).claimed([5, 0, -5])
    record.corrected(record.version - 1, "strike")
    assert sheet_of(record, 1) == ()


def test_a_corrected_score_sheet_is_new_and_not_stale() -> None:
    record = with_winners("000101220").claimed([5, 0, -5])
    record.corrected(record.version, "replace", ScoreClaimed(deltas=(0, 0, 0)))
    assert sheet_of(record, 1) == ()


def test_an_accepted_sheet_that_is_corrected_makes_the_ruling_stale() -> None:
    record = Record().start(2).claimed([10, -5, -5], pool=0).ruled("accept")
    record.corrected(3, "replace", ScoreClaimed(deltas=(0, 5, -5)))
    assert stale(record) == [(record.version,)]
