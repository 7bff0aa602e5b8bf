"""Across deals (OMB section 8): the pool, the end of the match, its closing (example 22), and what comes after it."""

import pytest

from tests.games.ombre.tables import Record, with_winners

WON = {"ombre": 0, "contract": "entrada", "trump": "S", "tricks": [5, 2, 2]}


def passed_out(record, deals=1):
    for _ in range(deals):
        record.start(2 if not record.deals else None).result()
    return record


def test_totals_and_pool_always_add_up_to_nothing():
    record = passed_out(Record(), 3).start().result(**{**WON, "ombre": 1})
    score = record.score()
    assert sum(score.totals) + score.state["pool"] == 0


def test_the_rest_follows_the_dealer_of_the_last_deal_that_counts():
    record = Record(ante=20).start(0).result().start(1).voided().closed()
    assert record.score().closing.deltas == [13, 14, 13]  # 40 in the pool, the odd one to the seat after dealer 0


def test_the_rest_follows_the_dealer_of_the_last_completed_deal_not_of_one_left_unfinished():
    record = Record(ante=20).start(0).result().start(1).dealt().closed()
    assert record.deal(2).status == "unscorable"
    assert record.score().closing.deltas == [13, 14, 13]  # OMB-8.9


def test_a_debt_of_the_pool_is_shared_as_what_is_in_it():
    """A ruling may have left it in debt (contract 5)."""
    record = Record(ante=0).start(1).result().ruled("adjust", deltas=[6, 0, 0], pool=-6).closed()
    assert record.score().closing.deltas == [-2, -2, -2]
    assert record.score().state == {"pool": 0}


def test_a_pool_that_is_left_is_shown_apart():
    score = Record(final_pool="leave").start(1).result().closed().score()
    assert score.closing is None or score.closing.deltas == [0, 0, 0]
    assert score.state == {"pool": 5}


def test_a_table_that_is_not_closed_pays_nothing_out():
    score = Record().start(1).result().score()
    assert (score.closing, score.match.over, score.match.winners) == (None, False, [])


def test_the_match_ends_after_its_deals():
    score = passed_out(Record(match_deals=2), 2).score()
    assert score.match.over
    assert score.closing is not None
    assert score.state == {"pool": 0}


def test_a_voided_deal_does_not_count_to_the_match():
    record = Record(match_deals=1).start(2).voided()
    assert not record.score().match.over
    assert record.start(2).result().score().match.over


def test_an_unscorable_deal_counts_to_the_match():
    assert Record(match_deals=1).start(2).dealt({0: "SA"}).score().match.over


def test_all_seats_on_the_highest_total_win():
    assert Record(ante=0).start(2).result().closed().score().match.winners == [0, 1, 2]
    assert with_winners("000101220").closed().score().match.winners == [0]


def test_closing_before_the_end_of_the_match_is_no_fault():
    record = passed_out(Record(match_deals=5), 1).closed()
    assert record.codes() == []
    assert record.score().match.over


class TestAfterMatch:  # 11.9 after_match
    def test_each_deal_after_the_match_is_one_finding_and_is_ignored(self):
        record = passed_out(Record(match_deals=1))
        record.start().dealt({0: "SA"}).start().result(**{**WON, "ombre": 1})
        found = [(f.code, f.rule, f.version, f.seat) for f in record.findings()]
        assert found == [("OMB-11.9", "OMB-8.6", 4, None), ("OMB-11.9", "OMB-8.6", 6, None)]
        score = record.score()
        assert [deal.deltas for deal in score.deals[1:]] == [[0, 0, 0], [0, 0, 0]]
        assert score.totals == [2, 2, -4]  # of the five, two odd ones to the seats after dealer 2
        assert score.state == {"pool": 0}

    def test_a_deal_after_the_closing_is_after_the_match(self):
        record = passed_out(Record()).closed().start()
        assert record.finding() == ("11.9", record.version, None, None)
        assert record.findings()[0].rule == "OMB-8.7"

    @pytest.mark.parametrize(
        "go_on",
        [lambda r: r.played(1, "SA"), lambda r: r.calls("1 pass"), lambda r: r.said(1, "stop"), lambda r: r.closed()],
    )
    def test_an_action_after_the_closing_is_found(self, go_on):
        record = go_on(passed_out(Record()).closed())
        assert [(f.code, f.version) for f in record.findings()] == [("OMB-11.9", record.version)]

    def test_gathering_the_last_trick_after_the_closing_is_no_action(self):
        assert with_winners("000101220").closed().gathered(0).codes() == []

    def test_the_closing_is_paid_once(self):
        record = passed_out(Record(match_deals=1)).closed()
        assert record.score().totals == [2, 2, -4]
        assert record.codes() == []


class TestUnfinishedDeals:
    @pytest.mark.parametrize("go_on", [lambda record: record.start(), lambda record: record.closed()])
    def test_a_deal_left_in_mid_play_is_unscorable(self, go_on):
        record = with_winners("0001")
        last = record.version
        go_on(record)
        assert record.finding() == ("11.43", last, 2, None)
        deal = record.deal(1)
        assert (deal.status, deal.deltas, deal.outcome) == ("unscorable", [0, 0, -5], {})

    def test_a_deal_of_which_nothing_was_recorded_is_incomplete_at_its_start(self):
        assert Record().start(2).closed().finding() == ("11.43", 2, None, None)

    def test_a_remark_is_not_the_last_event_of_a_deal(self):
        from ledger.events import Noted

        record = with_winners("0001")
        last = record.version
        assert record.add(Noted(text="the lamp went out")).start().finding()[1] == last

    def test_a_deal_in_progress_has_moved_nothing_but_its_ante(self):
        deal = with_winners("0001").deal()
        assert (deal.status, deal.deltas, deal.pool_after, deal.outcome) == ("open", [0, 0, -5], 5, {})
