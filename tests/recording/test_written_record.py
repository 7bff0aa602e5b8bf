"""A table as a hand record: imported, it is the same table; what it cannot say is said."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st
from msgspec import structs

from ledger.cards import UNKNOWN
from ledger.errors import MalformedError
from ledger.events import (
    Announced,
    BidMade,
    CardPlayed,
    CardsDealt,
    DealStarted,
    DealVoided,
    DisputeRaised,
    Event,
    Noted,
    PlayerSeated,
    ResultRecorded,
    RulingGiven,
    ScoreClaimed,
    SessionOpened,
    TableClosed,
    TableOpened,
    TrickGathered,
)
from ledger.games import registered_games
from ledger.recording.hand.record import read_hand_record
from ledger.recording.hand.written import TableToWrite, WrittenRecord, written_record
from ledger.table.audit import audit_answer
from ledger.table.corrections import Entry
from ledger.table.fold import TableFold
from ledger.table.score import score_answer
from tests.contracts.any_record import read
from tests.contracts.strategies import DeclaredTables
from tests.hand_records import record_in, some_records, table_events
from tests.recording.searches import FEW

GAMES = sorted(registered_games())
OPENED = TableOpened(game="ombre", players=("Ann", "Ben", "Cleo"))
KOP = TableOpened(game="kop", players=("Ann", "Ben", "Cleo", "Dan"))
START = DealStarted(deal=1, dealer=2)
DEALT = CardsDealt(hands=(None,) * 3)


def entries_of(events: Sequence[Event]) -> list[Entry]:
    return list(enumerate(events, start=1))


def written(events: Sequence[Event], **table: object) -> WrittenRecord:
    return written_record(TableToWrite(slug="t", reading=entries_of(events), **table))


def read_again(record: WrittenRecord) -> list[Event]:
    return table_events(read_hand_record(record.text, "t.toml"))


def left_out(events: Sequence[Event], **table: object) -> list[str]:
    return [str(item.what) for item in written(events, **table).left_out]


def answers(events: Sequence[Event]) -> tuple[object, object]:
    """Score and findings, versions apart: a note that moves moves what stands after it."""
    fold = TableFold(entries_of(events))
    findings = [structs.replace(found, version=1) for found in audit_answer("t", fold).findings]
    return score_answer("t", fold), sorted(findings, key=repr)


def assert_same_table(events: Sequence[Event]) -> None:
    record = written(events)
    assert record.left_out == ()
    again = read_again(record)
    assert answers(again) == answers(events)
    assert written(again).text == record.text


# --- what it can say --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", some_records(5))
def test_every_recorded_game_is_written_so_that_it_is_read_as_the_same_events(path):
    events = table_events(record_in(path))
    record = written(events)
    assert record.left_out == ()
    assert read_again(record) == events


def of_any_game(test):
    """Draw a few tables of each game for the test."""
    return pytest.mark.parametrize("game", GAMES)(FEW(given(data=st.data())(test)))


def lawful(game, data, deals=2, closed=True) -> list[Event]:
    return [event for _, event in data.draw(DeclaredTables(game).lawful_tables(deals=deals, closed=closed))]


@of_any_game
def test_a_simulated_table_of_any_form_comes_back_the_same(game, data):
    assert_same_table(lawful(game, data, deals=3, closed=data.draw(st.booleans())))


@of_any_game
def test_so_does_one_whose_hands_nobody_knows(game, data):
    assert_same_table([_hidden(event) for event in lawful(game, data)])


def _hidden(event: Event) -> Event:
    if type(event) is CardsDealt:
        return CardsDealt(hands=tuple(() if hand == () else None for hand in event.hands))
    return event


@of_any_game
def test_so_does_one_with_cards_that_nobody_wrote_down(game, data):
    chance = data.draw(st.randoms(use_true_random=False))
    events = [
        structs.replace(event, card=UNKNOWN) if type(event) is CardPlayed and chance.random() < 0.1 else event
        for event in lawful(game, data)
    ]
    record = written(events)
    assert answers(read_again(record)) == answers(events)
    assert record.left_out == ()


@of_any_game
def test_so_does_one_known_by_its_results_and_score_sheets(game, data):
    table = lawful(game, data, deals=3)
    fold = TableFold(entries_of(table))
    told: list[Event] = [table[0]]
    for record in fold.deals:
        outcome = score_answer("t", fold).deals[record.number - 1].outcome
        told += [DealStarted(deal=record.number, dealer=record.dealer), Noted(text='a "note"\n# of \\ two lines')]
        sheet = ScoreClaimed(
            deltas=tuple(record.settlement.deltas), pool=record.settlement.pool_after, totals=tuple(record.totals_after)
        )
        told[-1:-1] = [ResultRecorded(outcome=outcome), sheet] if outcome else [DealVoided(reason="a card lay open")]
    told = [event for event in told if type(event) is not DealVoided] if data.draw(st.booleans()) else told
    record = written(told)
    assert answers(read_again(record)) == answers(told)


def test_a_substitution_a_voided_deal_and_a_reason_to_close_come_back():
    passes = [BidMade(seat=seat, call="pass") for seat in (0, 1, 2)]
    events = [OPENED, Noted(text="from a napkin"), START, DEALT, *passes, PlayerSeated(seat=1, player="Vera")]
    events += [DealStarted(deal=2, dealer=0), DEALT, BidMade(seat=1, call="entrada")]
    events += [DealVoided(reason="a card of the stock lay face up"), TableClosed(reason="last tram")]
    record = written(events)
    assert record.left_out == ()
    assert read_again(record) == events
    assert 'seated = { Ben = "Vera" }' in record.text


def test_what_was_done_out_of_turn_has_its_name_and_the_rest_has_none():
    calls = [BidMade(seat=seat, call=call) for seat, call in ((0, "pass"), (2, "entrada"), (1, "pass"))]
    events = [OPENED, START, DEALT, *calls, TrickGathered(seat=1)]
    record = written(events)
    assert read_again(record) == events
    assert 'calls = "pass Cleo: entrada pass"' in record.text
    assert 'play = "> Ben"' in record.text


def test_names_that_a_line_would_take_apart_are_named_by_what_of_them_can_stand_there():
    opened = structs.replace(OPENED, players=("Ann: the first", "Ben/Benno #2", "Cleo"))
    events = [opened, START, DEALT, *(BidMade(seat=seat, call="pass") for seat in (1, 0, 2))]
    assert read_again(written(events)) == events


def test_moments_are_told_as_the_clock_of_the_session_showed_them():
    session = SessionOpened(title="An evening", date="2026-03-20", zone="Asia/Tokyo")
    opened = structs.replace(OPENED, session="spring")
    moments = dict.fromkeys((2, 3), "2026-03-20T11:00:00.000000Z")
    record = written([opened, START, DealVoided(reason="")], session=session, zone="Asia/Tokyo", moments=moments)
    assert "when = 2026-03-20T20:00:00+09:00" in record.text
    told = read_hand_record(record.text, "t.toml").events
    assert [moment for _, _, moment in told] == [None, None, *moments.values()]
    assert told[0][1] == session
    assert record.left_out == ()


# --- what it cannot say -----------------------------------------------------------------------------------------------


def test_what_a_director_wrote_is_left_out_and_said():
    dispute = DisputeRaised(deal=1, text="a card was shown")
    ruling = RulingGiven(deal=1, text="so be it", kind="stands")
    assert left_out([OPENED, START, dispute, ruling]) == [
        "deal 1: entry 3 (dispute_raised), which no sheet of paper has",
        "deal 1: entry 4 (ruling_given), which no sheet of paper has",
    ]


def test_who_noted_something_is_left_out_and_its_words_are_kept():
    record = written([OPENED, START, Noted(text="he talked", seat=1)])
    assert 'notes = "he talked"' in record.text
    (only,) = record.left_out
    assert (only.deal, only.version) == (1, 3)


def test_that_a_note_was_taken_amid_the_play_is_said():
    events = [OPENED, START, DEALT, Noted(text="late"), BidMade(seat=0, call="pass")]
    assert left_out(events) == ["deal 1: when its notes were taken; they stand after the play"]


def test_an_order_that_the_keys_do_not_have_is_said_and_everybody_is_named():
    events = [OPENED, START, DEALT, CardPlayed(seat=0, card="SA"), BidMade(seat=1, call="solo"), DEALT]
    record = written(events)
    assert [str(item.what) for item in record.left_out] == ["deal 1: entry 6 (cards_dealt)"]
    assert read_again(record) == events[:-1]


def test_corrections_and_moments_of_single_entries_are_counted():
    events = [OPENED, START, Noted(text="")]
    assert left_out(events, corrections=2, moments={3: "2026-03-20T11:00:00.000000Z"}) == [
        "what was written before it was corrected, and why it was (2 in all)",
        "when some entries were made (1 in all): a hand record has one moment for each deal",
    ]


def test_a_substitution_after_the_last_deal_is_said():
    assert left_out([OPENED, START, PlayerSeated(seat=0, player="Vera")]) == ["deal 1: entry 3 (player_seated)"]


def test_players_who_cannot_be_told_apart_make_no_hand_record():
    with pytest.raises(
        MalformedError, match=r"^the table t cannot be a hand record: t\.toml, line 3: two players of the same name"
    ):
        written([structs.replace(OPENED, players=("Ann", "ann", "Cleo"))])


@of_any_game
def test_of_any_record_whatever_is_not_said_is_named(game, data):
    """Acts of anybody in any order: what comes back is the same table, or what is missing is told."""
    tables = DeclaredTables(game)
    opened = data.draw(tables.openings)
    any_events = tables.any_events(opened).filter(lambda event: type(event) is not TableClosed)
    drawn = data.draw(st.lists(any_events, max_size=25))
    try:
        events = [event for _, event in read([opened, START, *drawn]).entries]
        record = written(events)
    except MalformedError:
        reject()
    if not record.left_out:
        assert answers(read_again(record)) == answers(events)


def test_who_speaks_for_nobody_else_speaks_alone():
    alone = [KOP, START, CardsDealt(hands=(None,) * 4), Announced(seat=0, what="concede", seats=(0,))]
    assert_same_table(alone)


def test_an_announcement_of_a_side_or_of_nobody_comes_back():
    said = [Announced(seat=3, what="close_auction"), CardPlayed(seat=3, card="SA")]
    said += [Announced(seat=0, what="concede", seats=(0, 2)), Announced(seat=None, what="stop")]
    events = [KOP, START, CardsDealt(hands=(None,) * 4), *said]
    record = written(events)
    assert read_again(record) == events
    assert "table: stop" in record.text
    assert "Ann+Cleo: concede" in record.text
