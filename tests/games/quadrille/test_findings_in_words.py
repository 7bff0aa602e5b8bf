"""What is said of a fault of the deal, the bidding, trumps, calling and of words out of place: row, rule, sentence."""

import pytest

from ledger.events import BidMade, CardPlayed, PartnerCalled
from tests.games.quadrille.tables import Table, at_play, dealt, named, with_six
from tests.games.scripted import cases_of


def passed(**options):
    return dealt(all_pass="throw_in", **options).calls("0 pass", "1 pass", "2 pass", "3 pass")


def unseen(*calls):
    """A deal of which no hand was written down, nor that cards were dealt."""
    table = Table()
    table.start(3).calls(*calls)
    return table


def test_in_a_voided_deal_nobody_names_trumps():
    table = dealt().bid_won_by(0, "solo").voided().trump(0, "H")
    assert table.finding() == ("11.19", table.version, 0, None)
    assert table.fold().deal(1).machine.view().trump is None


@pytest.mark.parametrize(
    ("table", "legal", "wrong", "code"),
    [
        (dealt(), {"bid_made": ["alliance", "pass", "solo", "vole"]}, BidMade(seat=1, call="solo"), "QUA-11.12"),
        (named(), {"partner_called": ["CK", "DK"]}, PartnerCalled(seat=0, card="HK"), "QUA-11.23"),
        (at_play().trick(0, "HK"), {"card_played": ["HJ", "HQ"]}, CardPlayed(seat=1, card="DK"), "QUA-11.31"),
    ],
)
def test_to_ask_what_an_event_would_break_says_it_and_moves_nothing(table, legal, wrong, code):
    machine = table.fold().deals[-1].machine
    before = machine.view()
    assert (machine.turn(), machine.legal()) == (before.turn, legal)
    assert [found.code for found in machine.check(wrong)] == [code]
    assert machine.view() == before


test_each_case_of_the_file = cases_of(
    "quadrille/findings_in_words.txt", Table, at_play, dealt, named, passed, unseen, with_six
)
