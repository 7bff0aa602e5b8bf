"""Where a deal stands after each of its events, and what it is when it has ended (COU sections 3 to 6, 11.4)."""

import pytest

from tests.games.couillon.tables import HANDS, STOCK, Table, playing, to_the_end


def blocked():
    return Table().start(3).dealt({0: "SA HA DA CA S9"})


@pytest.mark.parametrize(
    ("table", "phase", "status"),
    [
        (Table().start(3), "deal", "open"),
        (Table().start(3).dealt(), "trump", "open"),
        (Table("mit4").start(3).dealt(), "trump", "open"),
        (Table().start(3).dealt().turned("HJ"), "auction", "open"),
        (Table().start(3).turned("HJ"), "auction", "open"),
        (playing(), "play", "open"),
        (playing().gathered(0), "play", "open"),
        (to_the_end(), "settled", "complete"),
        (playing(concession="rest").trick(0, "SA SK SQ SJ").said(0, "concede"), "settled", "complete"),
        (Table().start(3).result(15, 9), "settled", "complete"),
        (blocked(), "trump", "unscorable"),
        (blocked().turned("HJ").calls("0 take"), "play", "unscorable"),
        (blocked().result(15, 9), "settled", "unscorable"),
        (Table().start(3).result(15, 9).played(0, "SA"), "settled", "unscorable"),
        (Table().start(3).dealt().played(0, "SA"), "play", "unscorable"),
        (playing().played(0, "H9"), "play", "unscorable"),
        (to_the_end().played(0, "SA"), "settled", "unscorable"),
        (to_the_end().voided(), "voided", "voided"),
        (blocked().voided(), "voided", "voided"),
    ],
)
def test_a_deal_stands_where_its_events_have_led_it(table, phase, status):
    deal = table.fold().deals[-1].machine
    assert (deal.view().phase, deal.view(1).phase, deal.status) == (phase, phase, status)


def test_a_deal_left_unfinished_is_unscorable_and_nothing_is_legal_in_it():
    deal = playing().start().fold().deals[0].machine
    assert (deal.status, deal.legal(), deal.outcome()) == ("unscorable", {}, None)
    deal = blocked().start().fold().deals[0].machine
    assert (deal.status, deal.legal()) == ("unscorable", {})


@pytest.mark.parametrize("record", [to_the_end, lambda: Table().start(3).result(15, 9), lambda: playing().voided()])
def test_a_deal_that_has_ended_is_left_as_it_is(record):
    deal = record().fold().deals[0].machine
    status = deal.status
    assert list(deal.leave(99, None)) == []
    assert (deal.status, deal.legal()) == (status, {})


@pytest.mark.parametrize("record", [lambda: to_the_end().voided(), lambda: playing().voided()])
def test_a_voided_deal_has_no_outcome(record):
    assert record().fold().deals[0].machine.outcome() is None


def test_the_outcome_names_the_trump_suit_and_who_made_it():
    outcome = to_the_end().deal().outcome
    assert (outcome["trump"], outcome["maker"], outcome["mit"], outcome["winner"]) == ("H", 0, False, 1)
    table = Table().start(3).dealt(HANDS, STOCK).turned("HJ").passed_out().turned("CJ")
    outcome = table.played_out().deal().outcome
    assert (outcome["trump"], outcome["maker"]) == ("C", None)


def test_a_seat_is_shown_its_own_hand_alone():
    deal = playing().fold().deals[0].machine
    assert [set(hand) == {"??"} for hand in deal.view(1).hands] == [True, False, True, True]
    assert not any("??" in hand for hand in deal.view().hands)
