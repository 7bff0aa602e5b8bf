"""Cards as dealt: wrong packs and hands, the dealing order, the cut, the dealer (KOP section 3, 11.10 to 11.14)."""

from tests.builders import cards
from tests.games.kop.tables import ORDINARY, ORDINARY_DECK, Table
from tests.games.scripted import cases_of


def dealt(*hands, **fields):
    return Table().deal_out(hands or ORDINARY, **fields)


def test_hands_may_be_known_by_the_dealing_order_alone():
    table = Table().deal_out(None, deck=cards(ORDINARY_DECK)).passed_out()
    assert table.codes() == []
    assert [sorted(hand) for hand in table.state().hands] == [sorted(hand.split()) for hand in ORDINARY]


def test_hands_that_disagree_with_the_dealing_order_are_one_finding_per_seat_and_stand():
    deck = ORDINARY_DECK.replace("SQ DQ", "DQ SQ")
    table = dealt(deck=cards(deck)).passed_out()
    assert table.found() == [("11.13", 3, 0, None), ("11.13", 3, 1, None)]
    assert sorted(table.state().hands[0]) == sorted(ORDINARY[0].split())


def test_hands_that_agree_with_the_dealing_order_and_unknown_cards_are_in_order():
    assert dealt(deck=cards(ORDINARY_DECK)).codes() == []
    assert dealt("?? ?? ?? CA", *ORDINARY[1:], deck=cards(ORDINARY_DECK)).codes() == []
    assert dealt("?? ?? ?? SA", *ORDINARY[1:3], None, deck=cards(ORDINARY_DECK)).codes()[-1] == "11.13"


test_each_case_of_the_file = cases_of("kop/dealing.txt", Table, dealt)
