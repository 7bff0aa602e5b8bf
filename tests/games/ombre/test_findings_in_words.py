"""What is said of a fault of the deal, the auction, trumps and the exchange: its row, its rule, its sentence."""

import pytest

from ledger.events import BidMade, CardPlayed, CardsExchanged
from tests.games.ombre.tables import HANDS, STOCK, Record, with_winners
from tests.games.scripted import cases_of


def dealt(**options):
    return Record(**options).start(2).dealt(HANDS, STOCK)


def auctioned(call="entrada", **options):
    return dealt(**options).won_by(0, call)


def exchanging(call="entrada", **options):
    return auctioned(call, **options).trump(0, "S")


def passed_out():
    return dealt().calls("0 pass", "1 pass", "2 pass")


@pytest.mark.parametrize(
    ("record", "legal", "wrong", "code"),
    [
        (dealt(), {"bid_made": ["entrada", "pass", "solo", "vuelta"]}, BidMade(seat=1, call="solo"), "OMB-11.15"),
        (
            exchanging().exchanged(0),
            {"cards_exchanged": [*range(10)], "announced": ["yield_exchange"]},
            CardsExchanged(seat=2, count=0),
            "OMB-11.25",
        ),
        (with_winners("00000000"), {"card_played": ["C4"]}, CardPlayed(seat=1, card="C2"), "OMB-11.32"),
    ],
)
def test_to_ask_what_an_event_would_break_says_it_and_moves_nothing(record, legal, wrong, code):
    machine = record.fold().deals[-1].machine
    before = machine.view()
    assert (machine.turn(), machine.legal()) == (before.turn, legal)
    assert [found.code for found in machine.check(wrong)] == [code]
    assert machine.view() == before


test_each_case_of_the_file = cases_of(
    "ombre/findings_in_words.txt", Record, auctioned, dealt, exchanging, passed_out, with_winners
)
