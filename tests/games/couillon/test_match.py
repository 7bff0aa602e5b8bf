"""From deal to deal: the end of the match, rulings, voided deals and recorded results (COU section 8, 10.2 to 10.8)."""

import pytest

from ledger.errors import MalformedError
from tests.games.couillon.tables import Table


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
    def test_a_blocked_deal_moves_nothing_and_the_deal_passes_on(self):
        table = blocked().start().result(15, 9)
        assert table.deal(1).status == "unscorable"
        assert table.codes() == ["11.15", "11.37"]
        assert table.carried["need"] == [4, 5]

    def test_a_result_recorded_in_a_blocked_deal_does_not_score_it(self):
        table = blocked().result(15, 9)
        assert (table.deal().status, table.carried["need"]) == ("unscorable", [5, 5])

    def test_an_award_on_bars_is_scored_exactly_as_it_says(self):
        table = blocked().ruled("award", winner=1, strength=2, circle=True, draw_mark=1)
        assert (table.deal().status, table.deal().deltas) == ("complete", [-1, 2, -1, 2])
        assert table.carried == {"sides": [[1, 0, 0, 0, 0], [0, 0, 0]], "need": [6, 3], "draw_mark": 1}
        assert {line.rule for line in table.deal().lines} == {"COU-10.3"}
        assert table.deal().outcome == {}

    def test_an_award_in_points_is_scored_exactly_as_it_says(self):
        table = Table("mit4").start(3).dealt().ruled("award", winner=0, v=3, plus_one=True)
        assert (table.carried, table.deal().deltas) == ({"gp": [10, 14]}, [3, -1, 3, -1])
        assert Table("mit4").start(3).dealt().ruled("award", winner=0, v=2).carried == {"gp": [11, 13]}

    def test_an_award_leaves_no_draw_mark_and_no_points_that_it_does_not_name(self):
        table = Table().start(3).result(12, 12).start().dealt().ruled("award", winner=1, strength=1)
        assert table.carried == {"sides": [[0] * 5, [0] * 4], "need": [5, 4], "draw_mark": 0}
        assert Table("mit4").start(3).dealt().ruled("award", winner=1, v=0).carried == {"gp": [13, 13]}
        assert Table("mit4").start(3).dealt().ruled("award", winner=1, v=0, plus_one=True).carried == {"gp": [14, 13]}

    def test_several_draw_marks_that_the_director_sets_make_a_strength_of_two_where_they_do_not_add_up(self):
        awarded = {"winner": 0, "strength": 1, "draw_mark": 2}
        table = Table().start(3).dealt().ruled("award", **awarded).start().result(15, 9)
        assert table.carried["need"] == [2, 5]
        table = Table(draw_mark_accumulates=True).start(3).dealt().ruled("award", **awarded).start().result(15, 9)
        assert table.carried["need"] == [1, 5]

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

    def test_a_team_with_card_points_has_a_trick_so_that_its_sheet_may_leave_out_the_tricks(self):
        table = Table("mit4").start(0).dealt().trump(1, "S").claimed(card_points=[10, 18]).ruled("accept").closed()
        assert (table.deal().status, table.carried) == ("complete", {"gp": [13, 12]})

    def test_the_rest_of_an_accepted_sheet_is_compared_with_what_its_card_points_make(self):
        """A deal settled by `accept` is a scored deal (COU-10.7): W = 1 by 18 to 10, with a Mit' (COU-7.29)."""
        table = Table("mit4").start(0).dealt().trump(1, "S").said(2, "mit")
        table.claimed(card_points=[10, 18], tricks=[2, 3], winner=0, gp=[13, 13]).ruled("accept").closed()
        assert (table.codes(), table.carried) == (["11.41", "11.45"], {"gp": [13, 11]})

    def test_card_points_that_the_pack_does_not_hold_are_found_though_they_were_accepted(self):
        table = Table("mit4").start(0).dealt().trump(1, "S").claimed(card_points=[25, 18]).ruled("accept").closed()
        assert table.codes() == ["11.40"]

    def test_to_accept_a_deal_that_the_cards_settle_changes_nothing(self):
        table = Table().start(3).result(15, 9).claimed(card_points=[9, 15], tricks=[2, 2]).ruled("accept")
        assert table.carried["need"] == [4, 5]

    def test_a_deal_voided_by_ruling_is_dealt_again_and_keeps_the_draw_mark(self):
        table = Table().start(3).result(12, 12).start(0).result(15, 9).ruled("void").start(0).result(9, 15)
        assert table.codes() == []
        assert table.deal(2).status == "voided"
        assert table.carried["need"] == [5, 3]

    def test_a_later_ruling_overrules_and_stands_changes_nothing(self):
        table = Table().start(3).result(15, 9).ruled("void").ruled("stands")
        assert (table.deal().status, table.carried["need"]) == ("complete", [4, 5])

    def test_a_ruling_may_come_after_the_next_deal_has_begun(self):
        table = Table().start(3).result(15, 9).start().result(15, 9).ruled("void", deal=1)
        assert (table.codes(), table.deal(1).status, table.carried["need"]) == ([], "voided", [4, 5])


# --- voided -----------------------------------------------------------------------------------------------------------


def test_in_a_voided_deal_nothing_is_judged_any_more():
    table = Table().start(3).dealt({0: "SA HA DA CA"}).voided().played(0, "SK").calls("2 take")
    assert (table.codes(), table.deal().status, table.legal) == ([], "voided", {})


class TestRecordedResults:
    def test_a_recorded_outcome_is_completed(self):
        outcome = Table().start(3).result(20, 8, (3, 1)).shaped().deal().outcome
        assert (outcome["winner"], outcome["result"]) == (0, "WIN")
        assert Table().start(3).result(12, 0, (4, 0)).deal().outcome["result"] == "ALL_TRICKS"
