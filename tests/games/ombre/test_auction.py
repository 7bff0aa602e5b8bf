"""The auction: turns, what may be called, how it ends (OMB section 4, example 17)."""

import pytest

from tests.games.ombre.tables import Record, bidding

LETTERS = {"P": "pass", "E": "entrada", "V": "vuelta", "S": "solo", "e": "entrada_favour", "s": "solo_favour"}


def check(record, *steps):
    """Each step is `"0 PEVS E"`: seat, what it may call, what it calls."""
    for step in steps:
        seat, allowed, call = step.split()
        state = record.state()
        assert state.turn == int(seat), step
        assert state.legal == {"bid_made": sorted(LETTERS[letter] for letter in allowed)}, step
        record.calls(f"{seat} {LETTERS[call]}")
    assert record.codes() == []
    return record.state()


def test_forehand_calls_first_and_the_dealer_sits_out_with_four():
    state = check(bidding(dealer=1, players=4), "2 PEVS P", "3 PEVS P", "0 PEVS V")
    assert (state.declarer, state.contract) == (0, "vuelta")


def test_a_seat_that_has_passed_is_left_out_of_the_turns():
    check(bidding(), "0 PEVS P", "1 PEVS E", "2 PVS V", "1 PVS V", "2 PS S", "1 PS P")


def test_the_auction_shows_every_call_in_order():
    state = check(bidding(), "0 PEVS E", "1 PVS P", "2 PVS V", "0 PVS P")
    shown = [(call.seat, call.call) for call in state.auction]
    assert shown == [(0, "entrada"), (1, "pass"), (2, "vuelta"), (0, "pass")]


def test_favour_calls_stand_between_the_contracts():
    steps = ("0 PEeVSs E", "1 PeVSs e", "2 PVSs V", "0 PVSs V", "1 PSs S", "2 Ps s", "0 Ps P", "1 Ps s", "2 P P")
    state = check(bidding(favourite_suit="H"), *steps)
    assert (state.declarer, state.contract) == (1, "solo")


def test_a_favour_call_obliges_to_name_the_favourite_suit():
    state = check(bidding(favourite_suit="H"), "0 PEeVSs s", "1 P P", "2 P P")
    assert state.legal == {"trump_named": ["H"]}  # OMB-5.2


def test_a_plain_call_may_name_the_favourite_suit_too():
    state = check(bidding(favourite_suit="H"), "0 PEeVSs E", "1 PeVSs P", "2 PeVSs P")
    assert state.legal == {"trump_named": ["C", "D", "H", "S"]}  # OMB-5.3


@pytest.mark.parametrize("spelling", ["none", None])
def test_without_a_favourite_suit_there_are_no_favour_calls(spelling):
    check(bidding(favourite_suit=spelling), "0 PEVS P")


def test_calls_may_be_recorded_without_the_cards():
    record = Record().start(dealer=2).calls("0 entrada", "1 pass", "2 pass")
    assert record.codes() == []
    assert record.state().declarer == 0


def test_nothing_is_legal_before_the_cards_are_dealt():
    assert Record().start(dealer=2).legal == {}
