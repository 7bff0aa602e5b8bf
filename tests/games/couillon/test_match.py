"""From deal to deal: the end of the match, rulings, voided deals and recorded results (COU section 8, 10.2 to 10.8)."""

import pytest

from ledger.errors import MalformedError
from tests.games.couillon.tables import Table
from tests.games.scripted import cases_of


def won(table, *points, **outcome):
    """Deals won by these card points, one after the other."""
    for first, second in points:
        table.start(None if table.deals else 3).result(first, second, **outcome)
    return table


class TestEnd:
    def test_a_match_on_bars_ends_with_the_last_bar(self):
        table = won(Table(bars_per_team=2), (15, 9))
        assert (table.score().match.over, table.score().match.winners) == (False, [])
        won(table, (15, 9))
        assert (table.score().match.over, table.score().match.winners) == (True, [0, 2])
        assert table.carried["sides"] == [[], [0, 0]]

    @pytest.mark.parametrize(
        ("points", "winners"), [([(15, 9), (15, 9)], [0, 2]), ([(15, 9), (9, 15)], []), ([(12, 12), (9, 15)], [1, 3])]
    )
    def test_at_the_deal_limit_the_smaller_need_wins(self, points, winners):
        table = won(Table(deal_limit=2), *points)
        assert (table.score().match.over, table.score().match.winners) == (True, winners)

    def test_void_and_unscorable_deals_do_not_count_for_the_limit(self):
        table = Table(deal_limit=1).start(3).voided().start(3).dealt().start().result(15, 9)
        assert table.score().match.over
        assert [deal.status for deal in table.score().deals] == ["voided", "unscorable", "complete"]

    def test_a_limit_written_as_none_is_no_limit(self):
        assert not won(Table(deal_limit="none"), (15, 9), (15, 9)).score().match.over

    def test_a_deal_after_the_end_is_found_once_and_moves_nothing(self):
        table = won(Table(bars_per_team=1), (15, 9))
        before = table.carried
        table.start()
        version = table.version
        assert table.deal().status == "unscorable"
        table.dealt({0: "SA"}).calls("3 take").played(2, "SA").claimed(deltas=[9, 9, 9, 9])
        assert table.breach() == ("11.46", "8.6", version, None)
        assert (table.carried, table.deal().deltas) == (before, [0, 0, 0, 0])
        assert table.closed().deal().status == "unscorable"
        assert table.start().result(15, 9).deal().status == "unscorable"

    def test_a_table_closed_before_the_end_has_no_winner_and_no_fault(self):
        table = won(Table(), (15, 9)).closed()
        assert (table.score().match.over, table.score().match.winners, table.codes()) == (True, [], [])
        assert table.score().closing is None

    def test_what_is_done_after_the_closing_is_found(self):
        assert won(Table(), (15, 9)).closed().played(1, "SA").codes() == ["11.46"]


def blocked(**options):
    """A deal whose cards do not count: seat 0 was dealt five."""
    return Table(**options).start(3).dealt({0: "SA HA DA CA S9"})


class TestRulings:
    def test_an_award_on_bars_is_scored_exactly_as_it_says(self):
        table = blocked().ruled("award", winner=1, strength=2, circle=True, draw_mark=1)
        assert (table.deal().status, table.deal().deltas) == ("complete", [-1, 2, -1, 2])
        assert table.carried == {"sides": [[1, 0, 0, 0, 0], [0, 0, 0]], "need": [6, 3], "draw_mark": 1}
        assert {line.rule for line in table.deal().lines} == {"COU-10.3"}
        assert table.deal().outcome == {}

    def test_an_award_takes_the_place_of_what_the_cards_say_and_counts_as_a_deal(self):
        table = Table(deal_limit=1).start(3).result(15, 9).ruled("award", winner=1, strength=1)
        assert (table.carried["need"], table.score().match.winners) == ([5, 4], [1, 3])

    @pytest.mark.parametrize("kind", ["adjust", "replace"])
    def test_amounts_cannot_be_ruled(self, kind):
        with pytest.raises(MalformedError, match="kind is not in Couillon"):
            Table().start(3).ruled(kind).shaped()

    def test_a_blocked_deal_is_accepted_from_its_score_sheet(self):
        table = blocked().turned("HJ").calls("0 take").claimed(card_points=[9, 15], tricks=[2, 2]).ruled("accept")
        assert table.deal().status == "complete"
        assert table.carried["need"] == [6, 4]
        assert [line.rule for line in table.deal().lines] == ["COU-7.14", "COU-7.14", "COU-7.16", "COU-7.16"]

    def test_in_points_all_tricks_must_be_known_for_a_sheet_to_be_accepted(self):
        def accepted(**sheet):
            hands = {0: "SA SK SQ HA HK HQ"}
            return Table("mit4").start(3).dealt(hands).trump(0, "S").said(0, "mit").claimed(**sheet).ruled("accept")

        assert accepted(card_points=[30, 0]).closed().deal().status == "unscorable"
        assert accepted(card_points=[30, 0], tricks=[5, 0]).carried == {"gp": [10, 13]}
        assert accepted(winner=0).closed().deal().status == "unscorable"

    def test_a_deal_voided_by_ruling_is_dealt_again_and_keeps_the_draw_mark(self):
        table = Table().start(3).result(12, 12).start(0).result(15, 9).ruled("void").start(0).result(9, 15)
        assert table.codes() == []
        assert table.deal(2).status == "voided"
        assert table.carried["need"] == [5, 3]

    def test_a_ruling_may_come_after_the_next_deal_has_begun(self):
        table = Table().start(3).result(15, 9).start().result(15, 9).ruled("void", deal=1)
        assert (table.codes(), table.deal(1).status, table.carried["need"]) == ([], "voided", [4, 5])


test_each_case_of_the_file = cases_of("couillon/match.txt", Table, blocked)
