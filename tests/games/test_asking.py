"""To ask a deal what an event would break says it and moves nothing."""

import pytest

from ledger.events import BidMade, CardPlayed, CardsExchanged, PartnerCalled
from tests.games.ombre.tables import HANDS, STOCK, Record, with_winners
from tests.games.quadrille.tables import at_play, dealt, named


def ombre():
    return Record().start(2).dealt(HANDS, STOCK)


@pytest.mark.parametrize(
    ("record", "legal", "wrong", "code"),
    [
        (ombre(), {"bid_made": ["entrada", "pass", "solo", "vuelta"]}, BidMade(seat=1, call="solo"), "OMB-11.15"),
        (
            ombre().won_by(0).trump(0, "S").exchanged(0),
            {"cards_exchanged": [*range(10)], "announced": ["yield_exchange"]},
            CardsExchanged(seat=2, count=0),
            "OMB-11.25",
        ),
        (with_winners("00000000"), {"card_played": ["C4"]}, CardPlayed(seat=1, card="C2"), "OMB-11.32"),
        (dealt(), {"bid_made": ["alliance", "pass", "solo", "vole"]}, BidMade(seat=1, call="solo"), "QUA-11.12"),
        (named(), {"partner_called": ["CK", "DK"]}, PartnerCalled(seat=0, card="HK"), "QUA-11.23"),
        (at_play().trick(0, "HK"), {"card_played": ["HJ", "HQ"]}, CardPlayed(seat=1, card="DK"), "QUA-11.31"),
    ],
)
def test_to_ask_what_an_event_would_break_says_it_and_moves_nothing(record, legal, wrong, code):
    machine = record.fold().deals[-1].machine
    before = machine.view()
    assert (machine.turn(), machine.legal()) == (before.turn, legal)
    assert [found.code for found in machine.check(wrong)] == [code]
    assert machine.view() == before
