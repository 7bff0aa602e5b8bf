"""Mit', Kontra and Re: who may call them when (COU section 5, COU-11.22 to 11.26)."""

import pytest

from tests.games.cases import assert_cases, case, shown
from tests.games.couillon.tables import Table

HANDS = {0: "SA SK HA HK D9", 1: "CA CK SQ CJ CT", 2: "HQ DK DQ DJ DT", 3: "S9 H9 DA C9 ST"}


def at_first_lead(**options):
    """Dealer 2, forehand 3 has named D; seat 1 holds SQ as its only trump-to-be."""
    return Table("mit4", **options).start(2).dealt(HANDS, "HJ HT SJ CQ").trump(3, "D")


def test_what_may_be_said_is_listed_for_every_seat():
    table = at_first_lead().played(3, "DA")
    assert table.legal["announced"] == ["1:mit"]
    table.said(1, "mit")
    assert table.legal["announced"] == ["2:kontra", "kontra"]
    assert table.said(2, "kontra").legal["announced"] == ["1:re", "3:re"]
    assert "announced" not in table.said(1, "re").legal
    assert (table.codes(), table.state().contract) == ([], "re")


def test_with_a_mit_the_queen_is_a_trump_for_the_whole_deal():
    table = at_first_lead().trick(3, "DA D9")
    assert table.legal["card_played"] == ["CA", "CJ", "CK", "CT", "SQ"]
    assert table.said(1, "mit").legal["card_played"] == ["SQ"]


class TestWithoutQueen:  # 11.22 without the queen
    def test_no_mit_is_possible_with_the_queen_set_aside(self):
        hands = {**HANDS, 1: "CA CK CQ CJ CT"}
        table = Table("mit4").start(2).dealt(hands, "HJ HT SJ SQ").trump(3, "D")
        assert "announced" not in table.legal
        table.said(1, "mit")
        assert table.breach() == ("11.22", "5.3", table.version, 1)

    def test_a_queen_that_a_seat_played_without_holding_it_is_a_trump_when_its_holder_calls_mit(self):
        """A card counts as played by the seat recorded (COU-11.1), and a Mit' for the whole trick (COU-5.17)."""
        hands = {0: "CA CK CT DK D9", 1: "SQ HA HK DA CQ", 2: "HQ S9 SA SK ST", 3: "HT H9 CJ C9 DT"}
        table = Table("mit4").start(3).full(hands).trump(0, "H").played(0, "CA").played(2, "SQ").said(1, "mit")
        assert table.trick(3, "CJ").played(1, "CQ").state().tricks[0].winner == 2

    def test_a_window_that_no_holder_closes_is_open_though_the_caller_has_played(self):
        """Nobody holds SQ, so nobody's first card closes the window (COU-5.1)."""
        hands = {**HANDS, 1: "CA CK CQ CJ CT"}
        table = Table("mit4").start(2).dealt(hands, "HJ HT SJ SQ").trump(3, "D").played(3, HANDS[3].split()[0])
        table.played(0, HANDS[0].split()[0]).played(1, "CA").said(1, "mit")
        assert "11.22" in table.codes()
        assert "11.23" not in table.codes()

    def test_a_seat_known_not_to_hold_the_queen_is_not_late_for_what_another_may_do(self):
        table = Table("mit4").start(3).dealt({0: "SK HQ HT SJ HK"}).trump(0, "H").played(0, "SK").said(0, "mit")
        assert table.breach() == ("11.22", "5.2", table.version, 0)


class TestTooEarlyLateRepeated:  # 11.23 too early, late, repeated
    def test_a_mit_before_trumps_are_fixed_comes_too_early(self):
        table = Table("mit4").start(2).dealt(HANDS, "HJ HT SJ CQ").said(1, "mit")
        assert table.breach() == ("11.23", "5.1", table.version, 1)
        assert table.trump(3, "D").said(1, "mit").codes() == ["11.23"]

    def test_a_mit_after_the_holders_first_card_comes_too_late(self):
        table = at_first_lead().trick(3, "DA D9 CT").said(1, "mit")
        assert table.breach() == ("11.23", "5.12", table.version, 1)
        assert table.played_out().deal().outcome["mit"] is False

    def test_a_mit_before_the_cards_stand_in_the_record_comes_too_early(self):
        table = Table("mit4").start(2).trump(3, "D").said(1, "mit")
        version = table.version
        table.said(0, "kontra").said(1, "re").dealt(HANDS)
        assert [(f.code, f.version) for f in table.findings()] == [
            ("COU-11.23", version),
            ("COU-11.24", version + 1),
            ("COU-11.25", version + 2),
        ]


class TestKontraAndRe:  # 11.24, 11.25
    @pytest.mark.parametrize(
        ("said", "code", "rule"),
        [
            ([(0, "kontra")], "11.24", "5.8"),
            ([(1, "mit"), (3, "kontra")], "11.24", "5.8"),
            ([(1, "mit"), (0, "kontra"), (2, "kontra")], "11.24", "5.9"),
            ([(1, "re")], "11.25", "5.10"),
            ([(1, "mit"), (1, "re")], "11.25", "5.10"),
            ([(1, "mit"), (0, "kontra"), (2, "re")], "11.25", "5.10"),
            ([(1, "mit"), (0, "kontra"), (3, "re"), (1, "re")], "11.25", "5.11"),
        ],
    )
    def test_kontra_and_re_have_their_order_and_their_teams(self, said, code, rule):
        table = at_first_lead()
        for seat, word in said:
            table.said(seat, word)
        assert table.breach() == (code, rule, table.version, said[-1][0])

    def test_kontra_and_re_must_precede_the_holders_first_card(self):
        table = at_first_lead().said(1, "mit").trick(3, "DA D9 SQ").said(2, "kontra")
        assert table.breach() == ("11.24", "5.12", table.version, 2)
        table = at_first_lead().said(1, "mit").said(0, "kontra").trick(3, "DA D9 SQ").said(3, "re")
        assert table.breach() == ("11.25", "5.12", table.version, 3)


# --- 11.26 ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["mit", "kontra", "re"])
def test_where_there_is_no_mit_nothing_of_it_can_be_called(word):
    table = at_first_lead(mit_card=False)
    assert "announced" not in table.legal
    table.said(0, word)
    assert table.breach() == ("11.26", "2.2", table.version, 0)
    assert Table().start(3).dealt().said(0, word).codes() == ["11.26"]


def hidden():
    return Table("mit4").start(2).dealt().trump(3, "D")


class TestHandsThatNobodyWroteDown:
    def test_of_hidden_hands_every_seat_may_hold_the_queen(self):
        assert hidden().legal["announced"] == ["0:mit", "1:mit", "2:mit", "mit"]
        assert hidden().played(3, "DA").legal["announced"] == ["1:mit", "2:mit", "mit"]

    def test_a_mit_that_the_cards_confirm_was_lawful(self):
        table = hidden().trick(3, "DA D9").said(1, "mit").trick(1, "SQ DT").trick(3, "ST SA CA DK")
        assert (table.codes(), table.state().tricks[1].winner) == ([], 2)
        assert table.state().contract == "mit"

    def test_a_mit_that_the_cards_refute_was_void_from_the_first_and_so_were_its_answers(self):
        table = hidden().said(1, "mit")
        version = table.version
        table.said(0, "kontra").said(3, "re").trick(3, "DA D9 CT DT").trick(3, "S9 SQ CA SA")
        assert [(f.code, f.version, f.seat) for f in table.findings()] == [
            ("COU-11.22", version, 1),
            ("COU-11.24", version + 1, 0),
            ("COU-11.25", version + 2, 3),
        ]
        state = table.state()
        assert (state.contract, state.tricks[1].winner) == ("plain", 2)  # SQ was a spade, SA higher
        assert state.turn == 2

    def test_leads_are_judged_by_the_order_that_turns_out_to_hold(self):
        """Under a Mit' seat 0 would have won the second trick with SQ; it did not stand, so seat 2's lead was right."""
        table = hidden().said(1, "mit").trick(3, "DA D9 CT DT").trick(3, "S9 SQ CA SA").played(2, "HA")
        assert table.codes() == ["11.22"]

    def test_a_mit_that_nothing_confirms_or_refutes_leaves_the_deal_unscorable_without_a_finding(self):
        table = hidden().said(1, "mit").trick(3, "DA ?? ?? ??").trick(3, "S9 SA ?? ??").gathered(0)
        table.trick(0, "HA ?? ?? ??").gathered(0).trick(0, "HK ?? ?? ??").gathered(0).trick(0, "CK ?? ?? ??").gathered(
            0
        )
        assert table.start().codes() == []
        assert table.deal(1).status == "unscorable"

    def test_a_mit_by_a_seat_that_turns_out_to_have_had_no_queen_is_found_even_if_it_was_late(self):
        table = hidden().trick(3, "DA D9 CT DT").said(1, "mit")
        version = table.version
        table.trick(3, "S9 SQ CA SA")
        assert [(f.code, f.version) for f in table.findings()] == [("COU-11.22", version), ("COU-11.23", version)]


CASES = [
    # 11.22 without the queen
    case("a mit without the queen is void", at_first_lead().said(0, "mit"), ("11.22", "5.2", 0)),
    case("and so are its answers", at_first_lead().said(0, "mit").said(1, "kontra"), "11.22", "11.24"),
    shown("but not the holder's mit", at_first_lead().said(0, "mit").said(1, "kontra").said(1, "mit"), contract="mit"),
    shown("a kontra in vain could have been a mit", at_first_lead().said(1, "kontra"), offered=["mit"]),
    shown("a mit in vain, nothing", at_first_lead().said(0, "mit"), offered=[]),
    shown("a second mit, a kontra", at_first_lead().said(1, "mit").said(0, "mit"), offered=["kontra"]),
    # 11.23 too early, late, repeated
    case("a second mit is void", at_first_lead().said(1, "mit").said(1, "mit"), ("11.23", "5.2", 1)),
    case("a second mit by another is both", at_first_lead().said(1, "mit").said(0, "mit"), "11.22", "11.23"),
]


def test_each_case_is_as_its_row_says():
    assert_cases(CASES)
