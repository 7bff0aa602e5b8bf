"""Making trumps in both procedures, and what goes wrong in it (COU section 4, COU-11.16 to 11.21, 11.49)."""

import pytest

from tests.games.couillon.tables import Table
from tests.games.scripted import cases_of


def upcard(**options):
    """basic4 with CA on top of the stock and D9 at its bottom; seat 3 deals, seat 0 is forehand."""
    rest = "DA DK CK CQ CJ CT D9"
    hands = {0: "SA HA S9 H9", 1: "SK HK ST HT", 2: "SQ HQ DT C9", 3: "SJ HJ DJ DQ"}
    return Table(**options).start(3).dealt(hands, f"CA {rest}")


def naming(**options):
    hands = {0: "SA SK SQ HA HK", 1: "CA CK CQ CJ CT", 2: "DA DK DQ DJ DT", 3: "S9 H9 D9 C9 ST"}
    return Table("mit4", **options).start(3).dealt(hands, "HQ HJ HT SJ")


class TestUpcard:
    @pytest.mark.parametrize(("call", "rule"), [("1 pass", "4.2"), ("3 take", "4.2")])
    def test_a_call_out_of_turn_is_found_and_a_take_stands(self, call, rule):
        table = upcard().turned("CA").calls(call)
        assert table.breach() == ("11.18", rule, table.version, int(call[0]))
        assert table.state().trump == (None if "pass" in call else "C")
        assert table.state().declarer == (None if "pass" in call else 3)

    @pytest.mark.parametrize("call", ["1 pass", "2 take", "0 defer"])
    def test_a_call_after_the_take_is_void(self, call):
        table = upcard().turned("CA").calls("0 take").calls(call)
        assert table.breach() == ("11.19", "4.4", table.version, int(call[0]))
        assert table.state().declarer == 0


class TestNaming:
    @pytest.mark.parametrize("hand", ["SK HQ", "SK HQ HT"])
    def test_a_card_turned_from_a_hand_too_short_to_have_it_makes_its_suit_trumps(self, hand):
        table = Table("mit4").start(3).dealt({0: hand}).calls("0 defer").turned("HA")
        assert table.codes()[0] == "11.15"
        assert table.state().trump == "H"

    def test_whoever_speaks_after_trumps_were_named_or_deferred_speaks_in_vain(self):
        for table in (naming().trump(0, "D"), naming().calls("0 defer")):
            before = table.state().trump
            version = table.trump(0, "S").version
            assert table.breach() == ("11.19", "4.17", version, 0)
            assert table.state().trump == before
        assert naming().trump(0, "D").calls("1 pass").codes() == ["11.19"]


test_each_case_of_the_file = cases_of("couillon/trump_making.txt", Table, naming, upcard)
