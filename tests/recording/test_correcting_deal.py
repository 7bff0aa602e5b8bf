"""Replacement of a whole deal by one typed again, and the inferred seats of cards after a corrected one."""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import ConflictError, MalformedError, NotFoundError
from ledger.events import CardPlayed, Corrected, DealStarted, Event, HandsOpened, Noted, RulingGiven, ScoreClaimed
from ledger.log.base import Batch, NewEntry
from ledger.log.memory import MemoryStore
from ledger.recording.adding import Recording, add_events
from ledger.recording.correcting import EntryReference, correction, deal_correction
from ledger.recording.hand.record import read_hand_record
from ledger.recording.moved_seats import with_moved_seats
from ledger.table.corrections import corrected_reading
from ledger.table.fold import TableFold
from ledger.table.repository import fold_table
from tests.covering import IS_SOAK, examples, wider_in_soak
from tests.hand_records import table_events
from tests.japanese import assert_speaks_japanese
from tests.recording.slip_makers import FILE, GAMES, deals_of, drawn, recorded, simulated
from tests.recording.test_slips import KOP, RECORD

TWO = (
    KOP.replace("closed = true", 'closed = "late"') + '[[deal]]\ncalls = "pass pass pass pass"\nplay = "DT DQ HT HA"\n'
)
"""A second deal with only its first trick."""

ANEW = Path(__file__).with_name("anew.toml").read_text(encoding="utf-8")
ME = Recording(by="me")


def replaced(store: MemoryStore, number: int, text: str, table: str = "slip") -> list[Event]:
    """Return the recorded corrections."""
    added = add_events(store, table, lambda it: deal_correction(it, table, number, text, FILE, "misread"), ME)
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


def test_remarks_and_rulings_stay() -> None:
    store = recorded(KOP + '[[deal]]\ncalls = "pass pass pass pass"\n')
    more = (Noted(text="a glass fell"), RulingGiven(deal=1, text="so be it", kind="stands"))
    entries = store.read_stream("table/slip")
    store.append(Batch("table/slip", len(entries), tuple(map(NewEntry, more))), recorded_by="director")
    replaced(store, 1, ANEW)
    read = [event for _, event in fold_table(store, "slip").entries]
    assert all(event in read for event in more)


@pytest.mark.parametrize(("was", "dealer", "read"), [("Dan", "", 3), ("Ada", 'dealer = "Dan"\n', 3)])
def test_the_dealer_is_that_of_the_file_or_that_of_the_record(was: str, dealer: str, read: int) -> None:
    store = recorded(TWO.replace('dealer = "Dan"', f'dealer = "{was}"'))
    replaced(store, 1, ANEW.replace('dealer = "Dan"\n', dealer))
    assert fold_table(store, "slip").deals[0].dealer == read


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


@pytest.mark.parametrize(("text", "message"), [
    (ANEW + ANEW, "slip.toml: the file has 2 deals; expected one [[deal]], without seated"),
    ('game = "kop"\n', "slip.toml: the file has 0 deals; expected one [[deal]], without seated"),
    ('game = "ombre"\n' + ANEW, "slip.toml, line 1: game of another table: 'ombre'; expected kop"),
    ('table = "other"\n' + ANEW, "slip.toml, line 1: a deal of another table: 'other'; expected slip"),
    (
        KOP[KOP.index("[[deal]]") :],
        "deal 1 already reads like this; expected a correction that changes the reading",
    ),
], ids=["two", "none", "another game", "another table", "the same"])  # fmt: skip
def test_what_is_no_such_deal_is_refused(text: str, message: str) -> None:
    store = recorded(TWO)
    head = store.head()
    with pytest.raises(MalformedError) as refused:
        replaced(store, 1, text)
    assert message in str(refused.value)
    assert_speaks_japanese(refused.value, "kop", "ombre", "game", "deal", "seated")
    assert store.head() == head


def test_a_deal_that_there_is_not_and_no_reason_are_refused() -> None:
    with pytest.raises(NotFoundError, match="there is no deal 3"):
        replaced(recorded(TWO), 3, ANEW)
    with pytest.raises(MalformedError, match="a correction without a reason"):
        deal_correction(fold_table(recorded(TWO), "slip"), "slip", 1, ANEW, FILE, " ")


def others_than(number: int, fold: TableFold) -> list[list[Event]]:
    return [of_deal(fold, deal.number) for deal in fold.deals if deal.number != number]


@examples(15)
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


def errors(fold: TableFold) -> int:
    return sum(violation.severity != "info" for deal in fold.deals for violation in deal.violations)


def corrected(fold: TableFold, card: int, words: str) -> list[Corrected]:
    """Return the corrections of the card at that place in the deal."""
    version = [version for version, event in fold.entries if isinstance(event, CardPlayed)][card]
    return with_moved_seats(
        fold, correction(fold, EntryReference(version=version).place(fold), "replace", words, "misread")
    )


def after(store: MemoryStore, table: str, events: list[Corrected]) -> TableFold:
    fold = fold_table(store, table)
    entries = [*fold.recorded, *enumerate(events, len(fold.recorded) + 1)]
    return TableFold(corrected_reading(entries), entries)


WRONG = KOP.replace("DT DQ HT HA", "DT DQ HT DA")
"""A deal in which Dan's ace of hearts was typed as that of diamonds, so that Cleo wins the trick and leads."""


def test_the_cards_after_it_go_to_those_who_are_then_in_turn() -> None:
    store = recorded(WRONG)
    assert errors(fold_table(store, "slip")) > 5
    events = corrected(fold_table(store, "slip"), 3, "HA")
    assert len(events) > 1
    now = after(store, "slip", events)
    assert errors(now) == 0
    read = [entry for entry in now.entries if not isinstance(entry[1], HandsOpened)]  # the slip left it without a score
    assert read == fold_table(recorded(KOP), "slip").entries


def test_with_one_reason_and_no_other_card() -> None:
    store = recorded(WRONG)
    first, *moved = corrected(fold_table(store, "slip"), 3, "HA")
    assert {event.reason for event in (first, *moved)} == {"misread"}
    was = dict(fold_table(store, "slip").recorded)
    for event in moved:
        (now,) = event.events or ()
        assert isinstance(now, CardPlayed)
        assert now.card == was[event.version].card  # type: ignore[union-attr]
        assert event.version > first.version


def test_a_card_that_leaves_the_winner_takes_nothing_with_it() -> None:
    store = recorded(KOP)
    assert len(corrected(fold_table(store, "slip"), 12, "SQ")) == 1


def test_a_seat_given_by_name_stays() -> None:
    """A card out of turn was entered with a name."""
    store = recorded(RECORD.replace("CA C4 C3", "Baron: CA C4 C3"))
    now = after(store, "evening", corrected(fold_table(store, "evening"), 0, "S7"))
    assert [cards(event for _, event in fold.entries)[3].seat for fold in (fold_table(store, "evening"), now)] == [1, 1]


def cards(events: Iterable[object]) -> list[CardPlayed]:
    return [event for event in events if isinstance(event, CardPlayed)]


@wider_in_soak
def test_of_the_slips_of_one_card_all_are_mended_by_one_correction() -> None:
    """The deal is recorded with a typo, then the card is corrected."""
    tried = 0
    for game in GAMES:
        for number in range(2 if IS_SOAK else 1):
            made = drawn("another card", game, number)
            assert made is not None
            with suppress(MalformedError):  # nobody is due after it, so that it cannot be recorded as typed
                typed, true = cards(table_events(read_hand_record(made.text, FILE))), cards(made.deal.acts)
                wrong = [at for at, (one, other) in enumerate(zip(typed, true, strict=True)) if one.card != other.card]
                if len(wrong) == 1:
                    store = recorded(made.text)
                    now = after(store, "slip", corrected(fold_table(store, "slip"), wrong[0], true[wrong[0]].card))
                    assert cards(event for _, event in now.entries) == true
                    tried += 1
    assert tried > 3


def test_they_are_recorded_together_or_not_at_all() -> None:
    store = recorded(WRONG)
    head = store.head().position
    before = len(store.read_stream("table/slip"))
    events = corrected(fold_table(store, "slip"), 3, "HA")
    with pytest.raises(ConflictError):
        add_events(store, "slip", lambda fold: events, Recording(by="me", expected_version=before - 1))
    assert store.head().position == head
    added = add_events(store, "slip", lambda fold: events, Recording(by="me", expected_version=before))
    assert (added.event, *added.more) == tuple(events)
    assert store.head().position == head + len(events)


def test_the_same_id_records_them_once() -> None:
    store = recorded(WRONG)
    again = Recording(by="me", id="0193f2a0-5c1e-7d3b-8a4f-2b6c9d0e1f23")
    first, second = (add_events(store, "slip", lambda fold: corrected(fold, 3, "HA"), again) for _ in range(2))
    assert first.more
    assert (second.already_recorded, second.more, second.version) == (True, first.more, first.version)
    assert store.head().position == first.position + len(first.more)  # type: ignore[operator]
