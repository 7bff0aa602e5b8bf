"""Seats, antes and the deal (OMB-2.1 to 2.12, 3.1 to 3.13), wrong deals and dealers (OMB-11.10, 11.11)."""

import pytest

from ledger.errors import MalformedError
from ledger.games.ombre import make_options
from ledger.games.ombre.pack import active_seats, neighbours
from tests.games.ombre.tables import STOCK, Record
from tests.games.scripted import cases_of


def deal_of(hands, stock=STOCK, players=3, dealer=2):
    return Record(players).start(dealer).dealt(hands, stock)


class TestSeats:
    def test_with_three_all_seats_are_active_from_forehand_on(self):
        assert active_seats(3, dealer=1) == (2, 0, 1)

    def test_with_four_the_dealer_sits_out(self):
        assert active_seats(4, dealer=1) == (2, 3, 0)

    def test_right_and_left_neighbour_leave_out_the_dealer(self):
        assert neighbours(active_seats(4, dealer=2), 1) == (3, 0)  # example 18 e
        assert neighbours(active_seats(3, dealer=2), 2) == (0, 1)

    @pytest.mark.parametrize("players", [2, 5])
    def test_the_table_has_three_or_four_players(self, players):
        with pytest.raises(MalformedError, match="3 or 4 names"):
            make_options({}, players)


def test_a_deal_known_by_its_result_is_settled():
    record = Record().start(2).result(ombre=1, contract="solo", trump="H", tricks=[2, 5, 2])
    view = record.machine().view()
    assert (view.phase, view.turn, view.declarer, view.contract, view.trump) == ("settled", None, 1, "solo", "H")
    assert view.trick_counts == [2, 5, 2]


test_each_case_of_the_file = cases_of("ombre/dealing.txt", Record, deal_of)
