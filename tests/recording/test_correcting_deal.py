"""Replacement of a whole deal by one typed again; everything else stays as it was."""

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import MalformedError, NotFoundError
from ledger.events import Corrected, DealStarted, Event, Noted, RulingGiven, ScoreClaimed
from ledger.log.base import Batch, NewEntry
from ledger.log.memory import MemoryStore
from ledger.recording.adding import Recording, add_events
from ledger.recording.correcting import deal_correction
from ledger.recording.hand.record import read_hand_record
from ledger.table.fold import TableFold
from ledger.table.repository import fold_table
from tests.covering import examples
from tests.hand_records import table_events
from tests.japanese import assert_speaks_japanese
from tests.recording.slip_makers import FILE, GAMES, deals_of, recorded, simulated
from tests.recording.test_slips import KOP

TWO = (
    KOP.replace("closed = true", 'closed = "late"') + '[[deal]]\ncalls = "pass pass pass pass"\nplay = "DT DQ HT HA"\n'
)
"""A second deal with only its first trick."""

ANEW = Path(__file__).with_name("anew.toml").read_text(encoding="utf-8")
ME = Recording(by="me")


def replaced(store: MemoryStore, number: int, text: str, table: str = "slip", recording: Recording = ME) -> list[Event]:
    """Return the recorded corrections."""
    added = add_events(
        store, table, lambda fold: deal_correction(fold, table, number, text, FILE, "misread"), recording
    )
    return [added.event, *added.more]


def of_deal(fold: TableFold, number: int) -> list[Event]:
    record = fold.deal(number)
    return [event for _, event in fold.entries[record.start : record.end]]


def test_the_deal_is_read_as_in_the_file_and_all_else_as_before() -> None:
    store = recorded(TWO.replace("SA CJ ST HQ", "SA CJ ST HT"))
    before = fold_table(store, "slip")
    replaced(store, 1, ANEW)
    after = fold_table(store, "slip")
    clean = fold_table(recorded(TWO), "slip")
    *played, sheet = of_deal(after, 1)
    assert played == of_deal(clean, 1)
    assert isinstance(sheet, ScoreClaimed)
    assert of_deal(after, 2) == of_deal(before, 2)
    assert after.deals[0].settlement == clean.deals[0].settlement


def test_what_is_the_same_stays_and_all_has_one_reason() -> None:
    store = recorded(TWO.replace("SA CJ ST HQ", "SA CJ ST HT"))
    corrections = replaced(store, 1, ANEW)
    assert [event.action for event in corrections if isinstance(event, Corrected)] == ["replace", "insert_after"]
    assert all(isinstance(event, Corrected) and event.reason == "misread" for event in corrections)
    assert [row.recorded_by for row in store.read_stream("table/slip")][-len(corrections) :] == ["me"] * len(
        corrections
    )


def test_a_dry_run_records_nothing() -> None:
    store = recorded(TWO)
    head = store.head()
    replaced(store, 1, ANEW, recording=Recording(by="me", dry_run=True))
    assert store.head() == head


def test_remarks_and_rulings_stay() -> None:
    store = recorded(KOP + '[[deal]]\ncalls = "pass pass pass pass"\n')
    more = (Noted(text="a glass fell"), RulingGiven(deal=1, text="so be it", kind="stands"))
    entries = store.read_stream("table/slip")
    store.append(Batch("table/slip", len(entries), tuple(map(NewEntry, more))), recorded_by="director")
    replaced(store, 1, ANEW)
    read = [event for _, event in fold_table(store, "slip").entries]
    assert all(event in read for event in more)


def test_the_dealer_is_that_of_the_record_by_default() -> None:
    store = recorded(TWO)
    replaced(store, 1, ANEW.replace('dealer = "Dan"\n', ""))
    assert fold_table(store, "slip").deals[0].dealer == 3


def test_another_dealer_is_read_too() -> None:
    store = recorded(TWO.replace('dealer = "Dan"', 'dealer = "Ada"'))
    replaced(store, 1, ANEW)
    assert fold_table(store, "slip").deals[0].dealer == 3


@pytest.mark.parametrize("anew", [ANEW, '[[deal]]\nvoided = "a card lay face up"\n'])
def test_a_result_gives_way_to_play_and_back(anew: str) -> None:
    result = (
        '[[deal]]\nresult = { contract = "normal", declarers = ["Ada", "Dan"], doublings = 0, card_points = [53, 51], '
        'tricks = [2, 2], winning_side = "declarer" }\n'
    )
    store = recorded(TWO)
    played = of_deal(fold_table(store, "slip"), 1)
    replaced(store, 1, result)
    assert len(of_deal(fold_table(store, "slip"), 1)) == 2
    replaced(store, 1, anew)
    again = of_deal(fold_table(store, "slip"), 1)
    assert again[: len(played)] == played if anew is ANEW else len(again) == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (ANEW + ANEW, "slip.toml: the file has 2 deals; expected one [[deal]], without seated"),
        ('game = "kop"\n', "slip.toml: the file has 0 deals; expected one [[deal]], without seated"),
        ('game = "ombre"\n' + ANEW, "slip.toml, line 1: game of another table: 'ombre'; expected kop"),
        ('table = "other"\n' + ANEW, "slip.toml, line 1: a deal of another table: 'other'; expected slip"),
        (
            KOP[KOP.index("[[deal]]") :],
            "deal 1 already reads like this; expected a correction that changes the reading",
        ),
    ],
    ids=["two", "none", "another game", "another table", "the same"],
)
def test_what_is_no_such_deal_is_refused(text: str, message: str) -> None:
    store = recorded(TWO)
    head = store.head()
    with pytest.raises(MalformedError) as refused:
        replaced(store, 1, text)
    assert message in str(refused.value)
    assert_speaks_japanese(refused.value, "kop", "ombre", "game", "deal", "seated")
    assert store.head() == head


def test_a_deal_that_there_is_not_is_refused() -> None:
    with pytest.raises(NotFoundError, match="there is no deal 3"):
        replaced(recorded(TWO), 3, ANEW)


def others_than(number: int, fold: TableFold) -> list[list[Event]]:
    return [of_deal(fold, deal.number) for deal in fold.deals if deal.number != number]


@examples(25)
@given(seed=st.integers(0, 50), game=st.sampled_from(GAMES))
def test_any_deal_becomes_any_other(seed: int, game: str) -> None:
    """The deal is read as in the file, whatever it was before, and later entries are unchanged."""
    events, others = simulated(game, seed), list(deals_of(simulated(game, seed, "u")))
    if not others:
        return
    store = MemoryStore()
    store.append(Batch("table/t", 0, tuple(map(NewEntry, events))), recorded_by="test")
    number = Random(seed).randint(1, sum(isinstance(event, DealStarted) for event in events))
    other = Random(seed).choice(others)
    rest = others_than(number, fold_table(store, "t"))
    try:
        replaced(store, number, other.text.replace('table = "slip"', 'table = "t"'), "t")
    except MalformedError as error:
        assert "already reads like this" in str(error)
    after = fold_table(store, "t")
    read = of_deal(after, number)
    (started, *acts, _) = table_events(read_hand_record(other.text, FILE))[1:]
    assert read == [DealStarted(deal=number, dealer=other.started.dealer), *acts]
    assert isinstance(started, DealStarted)
    assert others_than(number, after) == rest
