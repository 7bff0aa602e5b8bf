"""Replay of a deal step by step, for everybody and for one seat (contract 5)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.errors import NotFoundError
from ledger.events import CardPlayed, CardsDealt, TableClosed
from ledger.table.fold import TableFold
from ledger.table.steps import check_named, replay_state, replay_steps
from tests.games.ombre.strategies import lawful_tables
from tests.games.ombre.tables import HANDS, STOCK, Record, in_play, with_winners
from tests.games.scripted import cases_of

test_states = cases_of("../table/replay.txt", in_play, with_winners)


def test_step_0_is_before_the_deal_has_started():
    state = with_winners("00").state(0)
    assert (state.step, state.phase, state.dealer, state.legal, state.hands) == (0, "deal", None, {}, [[], [], []])


def test_steps_are_the_actions_of_the_deal():
    record = with_winners("0")
    types = [step.event.__struct_config__.tag for step in replay_steps(record.fold(), 1) if step.event]
    expected = ["deal_started", "cards_dealt", *["bid_made"] * 3, "trump_named", *["cards_exchanged"] * 3]
    assert types == [*expected, *["card_played"] * 3]


def test_a_single_deal_is_counted_as_one_in_every_language():
    with pytest.raises(NotFoundError) as refused:
        replay_state(with_winners("").fold(), 2)
    assert [refused.value.said.in_words(lang) for lang in ("en", "ja")] == [
        "there is no deal 2; this table has only deal 1",
        "ディール2はありません。この卓にあるのはディール1だけです",
    ]


def test_an_unknown_step_and_an_unknown_seat_are_refused_with_those_that_there_are():
    with pytest.raises(NotFoundError, match="step 10 does not exist; deal 1 has steps 0 to 9"):
        replay_state(with_winners("").fold(), 1, 10)
    with pytest.raises(NotFoundError, match="seat 3 does not exist; deal 1 has seats 0 to 2"):
        replay_state(with_winners("").fold(), 1, seat=3)


def named(fold: TableFold, deal: int, step: int) -> bool:
    try:
        check_named(fold.entries, deal, step, None)
    except NotFoundError as error:
        assert str(error) == f"step {step} does not exist; deal {deal} has steps 0 to {step - 1}"
        return False
    return True


def test_steps_are_counted_without_replaying():
    played = with_winners("000")
    late = (len(played.fold().entries) + 2, CardPlayed(seat=0, card="SA"))
    closed = [*played.fold().entries, (late[0] - 1, TableClosed()), late]
    for fold in (played.fold(), TableFold(closed)):
        last = replay_state(fold, 1).step
        assert (named(fold, 1, last), named(fold, 1, last + 1)) == (True, False)


@settings(max_examples=20)
@given(lawful_tables())
def test_steps_of_any_table_are_counted_without_replaying(entries):
    fold = TableFold(entries)
    for record in fold.deals:
        last = replay_state(fold, record.number).step
        assert (named(fold, record.number, last), named(fold, record.number, last + 1)) == (True, False)


def test_each_step_has_the_rules_that_it_broke():
    record = with_winners("").calls("1 pass")
    assert [violation.code for step in replay_steps(record.fold(), 1) for violation in step.violations] == ["OMB-11.13"]


def test_phases_follow_each_other():
    phases = [step.view.phase for step in replay_steps(with_winners("000101220").fold(), 1)]
    shown = list(dict.fromkeys(phases))
    assert shown == ["deal", "auction", "trump", "exchange", "play", "settled"]


def test_a_seat_sees_what_it_may_do_but_not_what_others_may_play():
    record = with_winners("")
    assert record.state(seat=0).legal["card_played"] == record.legal["card_played"]
    assert "card_played" not in record.state(seat=1).legal


def test_all_see_the_card_that_was_turned_on_the_stock_and_in_the_hand_that_drew_it():
    record = Record().start(2).dealt(HANDS, STOCK).won_by(0, "vuelta")
    assert record.state(seat=1).legal == {}
    record.turned("CA")
    assert record.state(seat=1).stock == ["CA", *["??"] * 12]
    record.exchanged(0, "D7 D6")
    for seat in (1, 2):
        assert record.state(seat=seat).hands[0] == ["CA", *["??"] * 8]
        assert record.state(seat=seat).stock == ["??"] * 11


def test_an_unknown_own_hand_does_not_show_what_others_hold():
    def seen(others):
        record = Record().start(2).dealt({0: others}).won_by(0, "solo").trump(0, "S").exchanged(1, 0).exchanged(2, 0)
        return record.played(0, "HK").state(seat=1)

    assert seen("HK SA S2 S3 S4 S5 S6 S7 SQ") == seen("HK HQ HJ D2 D3 D4 D5 D6 D7")


def swapped(entries, seat):
    """Return the same table with cards swapped between places hidden from the seat: another hand and the stock."""
    made = []
    for version, event in entries:
        if isinstance(event, CardsDealt):
            hands = list(event.hands)
            other = next(place for place, hand in enumerate(hands) if place != seat and hand)
            stock = (*event.stock[:-1], hands[other][0])
            hands[other] = (event.stock[-1], *hands[other][1:])
            event = CardsDealt(hands=tuple(hands), stock=stock)  # noqa: PLW2901
        made.append((version, event))
    return made


@settings(max_examples=40)
@given(lawful_tables(deals=1), st.integers(0, 3))
def test_a_seat_sees_the_same_in_deals_that_look_the_same(entries, seat):
    """Until the two deals differ in something visible to the seat, their states are equal for it."""
    fold = TableFold(entries)
    other = TableFold(swapped(entries, seat % len(fold.players)))
    seat %= len(fold.players)
    for one, two in zip(replay_steps(fold, 1, seat), replay_steps(other, 1, seat), strict=True):
        if one.view.phase not in ("deal", "auction", "trump"):
            break
        if "spadille_forced" in str(entries[0][1].options) and one.view.phase == "trump":
            break
        assert one.view == two.view
