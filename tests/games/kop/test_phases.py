"""Where a deal stands after each of its events, and what it is when it has ended (KOP sections 3 to 6, 11.6)."""

import pytest

from tests.builders import cards
from tests.games.kop.tables import CICHA, FOUR_QUEENS, ORDINARY, ORDINARY_DECK, ORDINARY_PLAY, Table, free, ordinary

RESULT = {"contract": "cicha", "declarers": [2], "card_points": [79, 25], "tricks": [3, 1]}


def stands(table):
    """The phase shown, and the status, after all events of the last deal, those included that are no steps."""
    deal = table.fold().deals[-1].machine
    return deal.view().phase, deal.status


@pytest.mark.parametrize(
    ("table", "phase", "status"),
    [
        (Table().start(3), "deal", "open"),
        (Table().deal_out(), "auction", "open"),
        (Table().deal_out(None, deck=cards(ORDINARY_DECK)), "auction", "open"),
        (Table().deal_out({1: ORDINARY[1]}), "auction", "open"),
        (Table().start(3).calls("0 pass"), "auction", "open"),
        (Table().start(3).calls("1 pass"), "auction", "open"),
        (ordinary(), "play", "open"),
        (free().said(0, "close_auction"), "play", "open"),
        (Table().start(3).played(0, "DT"), "play", "open"),
        (ordinary().tricks(ORDINARY_PLAY), "settled", "complete"),
        (Table("baska").deal_out(FOUR_QUEENS).calls("0 baska"), "settled", "complete"),
        (ordinary(concessions=True).conceded(0, 3), "settled", "complete"),
        (Table().start(3).result(**RESULT), "settled", "complete"),
        (ordinary().played(0, "HA"), "play", "unscorable"),
        (ordinary().played(0, "HA").trick(1, "DQ HT CQ"), "play", "unscorable"),
        (
            ordinary().tricks([(0, "HA DQ HT SA"), (0, "SQ HJ HQ CQ"), (3, "CT CA DJ SJ"), (2, "DA HA CJ ST")]),
            "settled",
            "unscorable",
        ),
        (ordinary().voided(), "voided", "voided"),
        (Table().deal_out((ORDINARY[0], ORDINARY[0], *ORDINARY[2:])), "voided", "voided"),
    ],
)
def test_a_deal_stands_where_its_events_have_led_it(table, phase, status):
    assert stands(table) == (phase, status)


def test_a_deal_left_unfinished_is_unscorable_and_nothing_is_legal_in_it():
    table = ordinary().start(0)
    deal = table.fold().deals[0].machine
    assert (deal.view().phase, deal.status, deal.legal(), deal.turn()) == ("unscorable", "unscorable", {}, None)


def test_cards_dealt_after_the_end_of_a_deal_change_nothing():
    for table in (Table().start(3).result(**RESULT), ordinary().tricks(ORDINARY_PLAY)):
        before = table.deal()
        table.add(Table().deal_out(CICHA).entries[-1][1])
        assert (table.codes(), table.deal()) == ([], before)


def test_the_jack_named_with_a_wesele_is_shown_with_the_call():
    table = Table(announce_wesele_jack=True).deal_out(CICHA).named(0, "wesele", "CJ")
    (call,) = table.state().auction
    assert (call.seat, call.call, call.card) == (0, "wesele", "CJ")
    (call,) = Table().deal_out(CICHA).calls("0 pass").state().auction
    assert call.card is None
