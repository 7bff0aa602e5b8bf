"""Who was dealt SA must play when all pass (OMB-4.21, 4.22, example 23 e)."""

import pytest

from tests.games.ombre.tables import Record
from tests.games.scripted import cases_of

HANDS = {0: "S2 SK SQ CK HK HQ D7 D6 H3", 1: "SJ S7 DK DQ DJ C7 C3 H2 HA", 2: "SA CJ C4 H7 H5 D5 D4 D2 C2"}
STOCK = "CA D3 C6 S5 S4 S6 S3 C5 H6 H4 CQ HJ DA"


def all_passed(hands=HANDS, stock=STOCK):
    record = Record(all_pass="spadille_forced").start(dealer=2).dealt(hands, stock)
    return record.calls("0 pass", "1 pass", "2 pass")


def with_spadille_in_the_stock():
    return all_passed({**HANDS, 2: HANDS[2].replace("SA", "CA")}, STOCK.replace("CA", "SA"))


def test_the_others_do_not_see_who_is_forced_before_trumps_are_named():
    record = all_passed()
    assert record.state(seat=0).declarer is None
    assert record.state(seat=0).turn is None
    assert record.state(seat=2).turn == 2
    assert record.trump(2, "S").state(seat=0).declarer == 2


class TestHandsThatAreNotKnown:
    def test_with_unknown_hands_and_no_trumps_the_deal_was_passed_out(self):
        record = all_passed({}, None).start()
        assert record.codes() == []
        assert record.deal(1).outcome["result"] == "ALL_PASS"

    def test_of_a_stock_known_in_part_spadille_may_be_the_card_not_written_down(self):
        record = all_passed({0: HANDS[0], 1: HANDS[1]}, STOCK.replace("DA", "??"))
        assert record.state().declarer is None
        assert record.start().codes() == []
        assert record.deal(1).outcome["result"] == "ALL_PASS"

    def test_with_spadille_not_in_the_stock_somebody_must_have_played(self):
        record = all_passed({}, STOCK)
        last = record.version
        assert record.start().finding()[:2] == ("11.43", last)

    def test_where_two_others_may_have_held_spadille_who_was_forced_cannot_be_known(self):
        record = all_passed({0: HANDS[0]}, None).trump(0, "H")
        assert record.finding() == ("11.21", record.version, 0, None)
        assert record.findings()[0].message == "Belinda named trumps, but nobody is the Ombre"
        machine = record.fold().deal(1).machine
        assert (machine.status, machine.view().phase) == ("unscorable", "unscorable")
        assert record.start().codes() == ["11.21"]

    @pytest.mark.parametrize(
        ("halted", "code"),
        [
            (lambda record: record.played(0, "HK"), "11.19"),
            (lambda record: record.exchanged(0, 2), "11.19"),
            (lambda record: record.said(0, "yield_exchange"), "11.19"),
            (lambda record: record.dealt(), "11.10"),
        ],
        ids=["a card", "an exchange", "a yield", "cards again"],
    )
    def test_what_halts_the_deal_before_trumps_leaves_it_unscorable(self, halted, code):
        """OMB-11.5: that nobody named trumps afterwards does not show that all had passed."""
        record = halted(all_passed({}, None))
        assert record.codes() == [code]
        record.start()
        assert record.codes() == [code]
        assert record.deal(1).status == "unscorable"


test_each_case_of_the_file = cases_of("ombre/forced_spadille.txt", Record, all_passed, with_spadille_in_the_stock)
