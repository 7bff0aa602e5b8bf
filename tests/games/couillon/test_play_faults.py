"""Wrong cards, wrong turns, gathering and conceding (COU-11.27 to 11.39): what is found, and how the play goes on."""

import pytest

from tests.games.couillon.tables import Table
from tests.games.scripted import cases_of

# Trump hearts, seat 0 leads. Aces, kings and so on of one suit lie with one seat each trick.
HANDS = {0: "SA HA DK C9", 1: "SK HK DQ CA", 2: "SQ S9 DJ CK", 3: "SJ ST DA CQ"}


def playing(**options):
    """basic4, dealer 3; seat 0 has taken hearts."""
    return Table(**options).start(3).dealt(HANDS, "HJ HQ HT H9 DT D9 CT CJ").turned("HJ").calls("0 take")


def to_the_end(**options):
    return (
        playing(**options)
        .trick(0, "SA SK SQ SJ")
        .trick(0, "DK DQ DJ DA")
        .trick(3, "CQ C9 CA CK")
        .trick(1, "HK S9 ST HA")
    )


def test_a_deal_played_in_order_has_no_finding():
    table = to_the_end()
    assert table.codes() == []
    assert table.deal().outcome["card_points"] == (17, 19)
    assert [trick.winner for trick in table.state().tricks] == [0, 3, 1, 0]
    assert [trick.won_by for trick in table.state().tricks] == ["led", "led", "led", "trump"]
    assert (table.state().trick_counts, table.state().card_points) == ([2, 1, 0, 1], [17, 9, 0, 10])


class TestTurn:  # 11.27 to 11.30 the turn
    def test_a_trick_that_the_second_card_of_a_seat_won_was_won_by_that_card(self):
        (trick,) = playing().played(0, "SA").played(0, "HA").trick(1, "SK SQ").state().tricks
        assert (trick.winner, trick.won_by) == (0, "trump")


class TestCard:  # 11.31, 11.32 the card
    def test_a_card_after_the_last_trick_was_not_dealt_or_is_played_twice(self):
        table = to_the_end().played(0, "SA").played(0, "H9")
        assert table.codes() == ["11.32", "11.31"]
        assert table.deal().status == "unscorable"
        assert len(table.state().tricks) == 4


# --- 11.35, 11.36 gathering -------------------------------------------------------------------------------------------


class TestUnfinished:  # 11.37 unfinished
    @pytest.mark.parametrize("ruling", [("void", {}), ("award", {"winner": 0, "strength": 1})])
    def test_an_unfinished_deal_that_a_ruling_decides_is_no_irregularity(self, ruling):
        kind, award = ruling
        table = (
            playing().trick(0, "SA SK SQ SJ").ruled(kind, **award).start(3 if kind == "void" else None).result(12, 12)
        )
        assert table.codes() == []
        assert table.deal(1).status == ("voided" if kind == "void" else "complete")


class TestConcession:  # 11.38, 11.39 concession
    def test_a_card_after_a_concession_is_noted_and_ignored(self):
        table = playing(concession="rest").trick(0, "SA SK SQ SJ").said(1, "concede")
        before = table.deal()
        table.played(0, "DK")
        assert table.breach() == ("11.39", "6.17", table.version, 0)
        assert table.deal() == before


test_each_case_of_the_file = cases_of("couillon/play_faults.txt", Table, playing, to_the_end)
