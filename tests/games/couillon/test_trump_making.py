"""Making trumps in both procedures, and what goes wrong in it (COU section 4, COU-11.16 to 11.21, 11.49)."""

import pytest

from tests.games.cases import assert_cases, case, shown
from tests.games.couillon.tables import Table

HANDS = {0: "SA HA", 1: "SK HK", 2: "SQ HQ", 3: "SJ HJ"}


def upcard(**options):
    """basic4 with CA on top of the stock and D9 at its bottom; seat 3 deals, seat 0 is forehand."""
    rest = "DA DK CK CQ CJ CT D9"
    hands = {0: "SA HA S9 H9", 1: "SK HK ST HT", 2: "SQ HQ DT C9", 3: "SJ HJ DJ DQ"}
    return Table(**options).start(3).dealt(hands, f"CA {rest}")


def naming(**options):
    hands = {0: "SA SK SQ HA HK", 1: "CA CK CQ CJ CT", 2: "DA DK DQ DJ DT", 3: "S9 H9 D9 C9 ST"}
    return Table("mit4", **options).start(3).dealt(hands, "HQ HJ HT SJ")


class TestUpcard:
    def test_the_upcard_is_turned_then_each_seat_passes_or_takes(self):
        table = upcard()
        assert (table.state().turn, table.legal) == (3, {"card_turned": ["CA"]})
        table.turned("CA")
        assert (table.state().turn, table.state().phase) == (0, "auction")
        assert table.legal == {"bid_made": ["pass", "take"]}
        state = table.calls("0 pass", "1 take").state()
        assert (state.trump, state.declarer, state.turn, state.phase) == ("C", 1, 0, "play")
        assert table.codes() == []

    def test_after_all_have_passed_the_bottom_card_decides_and_nobody_is_the_maker(self):
        table = upcard().turned("CA").calls("0 pass", "1 pass", "2 pass", "3 pass")
        assert (table.state().turn, table.legal) == (3, {"card_turned": ["D9"]})
        state = table.turned("D9").state()
        assert (state.trump, state.declarer, table.codes()) == ("D", None, [])

    def test_what_is_turned_from_a_stock_that_nobody_wrote_down_is_believed(self):
        table = Table().start(3).dealt().turned("CA").calls("0 pass", "1 pass", "2 pass", "3 pass").turned("C9")
        assert table.codes() == []
        assert table.state().stock == ["CA", *["??"] * 6, "C9"]

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

    def test_a_wrong_upcard_or_bottom_card_is_found_and_its_suit_is_trumps(self):
        table = upcard().turned("DA").calls("0 take")
        assert table.breach() == ("11.16", "3.16", table.version - 1, None)
        assert table.findings()[0].legal == ["CA"]
        assert table.state().trump == "D"
        table = upcard().turned("CA").calls("0 pass", "1 pass", "2 pass", "3 pass").turned("CT")
        assert table.breach() == ("11.16", "4.7", table.version, None)
        assert table.state().trump == "C"

    def test_calls_before_the_upcard_is_turned_are_found_and_stand(self):
        table = upcard().calls("0 pass", "1 take")
        assert [(f.code, f.rule, f.seat) for f in table.findings()] == [
            ("COU-11.49", "COU-4.2", 0),
            ("COU-11.49", "COU-4.2", 1),
        ]
        assert (table.state().trump, table.state().declarer) == ("C", 1)

    def test_a_bottom_card_before_all_have_passed_is_found_and_its_suit_is_trumps(self):
        table = upcard().turned("CA").calls("0 pass").turned("D9")
        assert table.breach() == ("11.49", "4.7", table.version, None)
        assert (table.state().trump, table.state().declarer) == ("D", None)

    def test_an_upcard_before_the_cards_were_dealt_is_found(self):
        table = Table().start(3).turned("CA")
        version = table.version
        table.dealt({0: "SA HA S9 H9"}).calls("0 take")
        assert table.breach() == ("11.49", "4.7", version, None)


class TestNaming:
    def test_forehand_names_any_suit_or_defers(self):
        table = naming()
        assert (table.state().turn, table.state().phase) == (0, "trump")
        assert table.legal == {"bid_made": ["defer"], "trump_named": ["C", "D", "H", "S"]}
        state = table.trump(0, "D").state()
        assert (state.trump, state.declarer, state.turn, table.codes()) == ("D", 0, 0, [])

    def test_after_the_deferral_the_first_card_of_the_second_packet_decides(self):
        table = naming().calls("0 defer")
        assert (table.state().turn, table.legal) == (3, {"card_turned": ["HA"]})
        state = table.turned("HA").state()
        assert (state.trump, state.declarer, "HA" in state.hands[0], table.codes()) == ("H", None, True, [])

    def test_the_card_turned_from_a_hidden_hand_is_forehands(self):
        table = Table("mit4").start(3).dealt().calls("0 defer").turned("HA")
        assert table.state().hands[0] == ["HA", "??", "??", "??", "??"]
        assert table.played(0, "HA").codes() == []

    def test_a_card_turned_that_lies_elsewhere_in_forehands_hand_is_wrong_though_the_right_one_is_not_known(self):
        table = Table("mit4").start(3).dealt({0: "HA HQ HT ?? ??"}).calls("0 defer").turned("HA")
        assert table.breach() == ("11.16", "4.14", table.version, None)
        assert table.findings()[0].legal is None

    @pytest.mark.parametrize("hand", ["SK HQ", "SK HQ HT"])
    def test_a_card_turned_from_a_hand_too_short_to_have_it_makes_its_suit_trumps(self, hand):
        table = Table("mit4").start(3).dealt({0: hand}).calls("0 defer").turned("HA")
        assert table.codes()[0] == "11.15"
        assert table.state().trump == "H"

    @pytest.mark.parametrize("seat", [1, 2, 3])
    def test_another_seat_that_names_or_defers_is_found_and_stands(self, seat):
        table = naming().trump(seat, "C")
        assert table.breach() == ("11.20", "4.17", table.version, seat)
        assert table.state().declarer == seat
        table = naming().calls(f"{seat} defer")
        assert table.breach() == ("11.20", "4.17", table.version, seat)
        assert table.legal == {"card_turned": ["HA"]}

    def test_whoever_speaks_after_trumps_were_named_or_deferred_speaks_in_vain(self):
        for table in (naming().trump(0, "D"), naming().calls("0 defer")):
            before = table.state().trump
            version = table.trump(0, "S").version
            assert table.breach() == ("11.19", "4.17", version, 0)
            assert table.state().trump == before
        assert naming().trump(0, "D").calls("1 pass").codes() == ["11.19"]

    def test_another_seat_that_names_after_the_deferral_but_before_the_card_is_turned_fixes_trumps(self):
        """Trumps were not fixed yet (COU-11.5, 11.20); what is turned then is turned out of its place (COU-11.49)."""
        table = naming().calls("0 defer").trump(1, "D").turned("HA")
        assert [(f.code, f.version, f.seat) for f in table.findings()] == [
            ("COU-11.20", table.version - 1, 1),
            ("COU-11.49", table.version, None),
        ]
        assert (table.state().trump, table.state().declarer) == ("D", 1)

    def test_who_defers_where_an_upcard_is_offered_has_still_to_pass_or_take(self):
        """A deferral is no call of this procedure (COU-4.18), so it does not use up the seat's one call (COU-4.5)."""
        table = upcard().turned("CA").calls("0 defer")
        assert (table.codes(), table.state().turn) == (["11.20"], 0)
        assert table.calls("0 pass", "1 pass", "2 pass", "3 pass").codes() == ["11.20"]
        assert table.legal == {"card_turned": ["D9"]}


# --- 11.21 trumps not fixed -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "rule"),
    [
        (naming, "4.12"),
        (lambda: naming().calls("0 defer"), "4.13"),
        (lambda: upcard().turned("CA"), "4.3"),
        (lambda: upcard().turned("CA").calls("0 pass", "1 pass", "2 pass", "3 pass"), "4.7"),
    ],
)
def test_a_card_before_trumps_are_fixed_blocks_the_deal(table, rule):
    table = table()
    table.played(0, "SA")
    assert table.breach() == ("11.21", rule, table.version, 0)
    assert table.deal().status == "unscorable"
    table.played(1, "HK" if len(table.fold().players) == 4 and table.raw == {} else "CA")
    assert table.codes() == ["11.21"]
    assert table.played_out().deal().status == "unscorable"


CASES = [
    # the upcard
    case("a second call is found", upcard().turned("CA").calls("0 pass", "0 take"), ("11.18", "4.5", 0), declarer=0),
    case("who passed out of turn is not asked again", upcard().turned("CA").calls("1 pass", "0 pass"), "11.18", turn=2),
    case(
        "a bottom card in vain", upcard().turned("CA").calls("0 take").turned("D9"), ("11.19", "4.4", None), trump="C"
    ),
    case(
        "a suit is found and stands", upcard().turned("CA").trump(2, "H"), ("11.20", "4.17", 2), trump="H", declarer=2
    ),
    case("an upcard out of a hand", Table().start(3).dealt({0: "SA HA S9 H9"}).turned("SA"), ("11.11", "2.11", None)),
    shown("a take before the upcard waits", Table().start(3).dealt().calls("0 take"), trump=None, phase="trump"),
    case("the upcard decides then", Table().start(3).dealt().calls("0 take").turned("HA"), "11.49", trump="H"),
    # naming
    case("another card turned", naming().calls("0 defer").turned("HK"), ("11.16", "4.14", None), offered=["HA"]),
    shown("its suit is trumps", naming().calls("0 defer").turned("C9"), trump="C"),
    case("another seat defers after forehand", naming().calls("0 defer", "2 defer"), ("11.20", "4.17", 2)),
    shown("the card is turned then", naming().calls("0 defer", "2 defer").turned("HA"), trump="H"),
    shown("naming: a take could have been a defer", naming().calls("0 take"), offered=["defer"]),
    shown("another seat may name nothing", naming().trump(1, "C"), offered=[]),
    shown("nor after trumps", naming().trump(0, "D").calls("1 pass"), offered=[]),
    shown("upcard: a suit", upcard().turned("CA").trump(0, "S"), offered=["pass", "take"]),
    shown("a call out of turn", upcard().turned("CA").calls("1 take"), offered=[]),
    case("passing and taking is not for forehand", naming().calls("0 take"), ("11.18", "4.2", 0), trump=None),
    case("a card turned before the deferral", naming().turned("HA"), ("11.49", "4.13", None), trump="H", declarer=None),
    case("a card turned after a suit is void", naming().trump(0, "D").turned("HA"), ("11.49", "4.13", None), trump="D"),
]


def test_each_case_is_as_its_row_says():
    assert_cases(CASES)
