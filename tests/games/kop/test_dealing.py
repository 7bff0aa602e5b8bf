"""Cards as dealt: wrong packs and hands, the dealing order, the cut, the dealer (KOP section 3, 11.10 to 11.14)."""

from tests.builders import cards
from tests.games.kop.tables import ORDINARY, Table
from tests.games.scripted import cases_of

DECK = "SQ DQ HT HA CJ HJ HQ CQ DT DJ SJ CT CA ST DA SA"
"""The dealing order of ORDINARY, dealt by seat 3."""


def dealt(*hands, **fields):
    return Table().deal_out(hands or ORDINARY, **fields)


def test_what_follows_in_a_void_deal_is_not_judged_and_the_same_dealer_deals_again():
    table = dealt("SQ CJ DT", *ORDINARY[1:]).calls("2 zolo").trick(0, "DA DA DA DA").said(None, "stop")
    table.deal_out(dealer=3).passed_out()
    assert table.codes() == ["11.10", "11.11"]
    assert dealt("SQ CJ DT", *ORDINARY[1:]).start(0).codes()[2:] == ["11.12"]


def test_hands_may_be_known_by_the_dealing_order_alone():
    table = Table().deal_out(None, deck=cards(DECK)).passed_out()
    assert table.codes() == []
    assert [sorted(hand) for hand in table.state().hands] == [sorted(hand.split()) for hand in ORDINARY]


def test_hands_that_disagree_with_the_dealing_order_are_one_finding_per_seat_and_stand():
    deck = DECK.replace("SQ DQ", "DQ SQ")
    table = dealt(deck=cards(deck)).passed_out()
    assert table.found() == [("11.13", 3, 0, None), ("11.13", 3, 1, None)]
    assert sorted(table.state().hands[0]) == sorted(ORDINARY[0].split())


def test_unknown_cards_agree_with_any_dealing_order():
    assert dealt("?? ?? ?? CA", *ORDINARY[1:], deck=cards(DECK)).codes() == []
    assert dealt("?? ?? ?? SA", *ORDINARY[1:3], None, deck=cards(DECK)).codes()[-1] == "11.13"


def test_the_deal_passes_to_the_next_seat():
    table = Table().deal_out().passed_out().start(2)
    assert table.found()[-1] == ("11.12", table.version, 2, None)
    assert table.findings()[-1].rule == "KOP-3.2"


def test_a_deal_after_the_match_is_found_and_scored():
    table = Table(match_deals=1).deal_out().contract(0, "zolo").start(0).deal_out(ORDINARY, 1).passed_out()
    assert table.score().match.over
    late = [finding for finding in table.findings() if finding.code == "KOP-11.71"]
    assert [(finding.deal, finding.seat) for finding in late] == [(2, None), (3, None)]


def test_a_voided_deal_does_not_count_towards_the_length_of_the_match():
    assert not Table(match_deals=1).deal_out().voided().start(3).score().match.over


def test_a_short_hand_among_unknown_ones_is_found():
    assert dealt("SQ CJ DT", None, None, None).finding() == ("11.11", 3, 0, None)


def test_hands_that_agree_with_the_dealing_order_are_in_order():
    assert dealt(deck=cards(DECK)).codes() == []


test_each_case_of_the_file = cases_of("kop/dealing.txt", Table, dealt)
