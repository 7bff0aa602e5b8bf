"""Faults of the deal, the bidding, trumps and calling (QUA-11.8 to 11.25): what is found, and how the deal goes on."""

import pytest

from tests.games.quadrille.tables import PLAIN_HANDS, Table, at_play, dealt, named
from tests.games.scripted import cases_of


def deck_of(order):
    """The pack dealt in packets of these sizes gives the plain hands."""
    hands = {seat: hand.split() for seat, hand in PLAIN_HANDS.items()}
    return tuple(hands[seat].pop(0) for size in order for seat in range(4) for _ in range(size))


class TestDealing:  # 11.8 to 11.11
    def test_a_deal_by_the_wrong_seat_stands_and_the_next_seat_deals_then(self):
        table = Table(all_pass="throw_in")
        table.start(3).dealt(PLAIN_HANDS).passed_out().start(2)
        assert table.finding() == ("11.8", table.version, 2, None)
        assert table.fold().match.expected_dealer() == 0

    @pytest.mark.parametrize(
        ("order", "packets", "codes"),
        [
            ((3, 3, 4), "3-3-4", []),
            ((4, 3, 3), "3-3-4", ["11.11"]),
            ((4, 3, 3), "4-3-3", []),
            ((3, 4, 3), "3-4-3", []),
            ((3, 4, 3), "4-3-3", ["11.11"]),
        ],
    )
    def test_the_dealing_order_must_give_the_hands(self, order, packets, codes):
        table = Table(deal_packets=packets)
        table.start(3).dealt(PLAIN_HANDS, deck=deck_of(order))
        assert table.faults() == codes
        assert table.legal["bid_made"] == ["alliance", "pass", "solo", "vole"]  # it stands

    def test_hands_follow_from_the_dealing_order_alone(self):
        table = Table()
        table.start(3).dealt(deck=deck_of((3, 3, 4)))
        assert sorted(table.state().hands[0]) == sorted(PLAIN_HANDS[0].split())


test_each_case_of_the_file = cases_of("quadrille/dealing_faults.txt", Table, at_play, dealt, named)
