"""Faults of the deal, the bidding, trumps and calling (QUA-11.8 to 11.25): what is found, and how the deal goes on."""

import pytest

from tests.games.cases import assert_cases, case, shown
from tests.games.quadrille.tables import PLAIN_HANDS, Table, at_play, dealt, named


def changed(seat, hand):
    return PLAIN_HANDS | {seat: hand}


def deck_of(order):
    """The pack dealt in packets of these sizes gives the plain hands."""
    hands = {seat: hand.split() for seat, hand in PLAIN_HANDS.items()}
    return tuple(hands[seat].pop(0) for size in order for seat in range(4) for _ in range(size))


class TestDealing:  # 11.8 to 11.11
    def test_a_deal_by_the_wrong_seat_stands_and_the_next_seat_deals_then(self):
        table = Table(all_pass="throw_in")
        table.start(3).dealt(PLAIN_HANDS).calls("0 pass", "1 pass", "2 pass", "3 pass").start(2)
        assert table.finding() == ("11.8", table.version, 2, None)
        assert table.fold().match.expected_dealer() == 0

    def test_a_card_twice_in_the_pack_halts_the_deal(self):
        table = dealt(changed(0, "SA S2 SK HK H2 H3 D2 D3 C2 CA"))
        assert table.finding() == ("11.9", table.version, None, None)
        assert table.calls("3 vole", "0 pass").faults() == ["11.9"]

    def test_hands_of_nine_and_eleven_cards_are_found_one_by_one(self):
        hands = PLAIN_HANDS | {0: "SA S2 SK HK H2 H3 D2 D3 C2", 1: PLAIN_HANDS[1] + " C3"}
        assert [(f.code, f.seat) for f in dealt(hands).findings()] == [("QUA-11.10", 0), ("QUA-11.10", 1)]

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


class TestBidding:  # 11.12 to 11.16
    def test_a_bid_out_of_turn_is_ignored(self):
        table = dealt().calls("1 solo")
        assert table.finding() == ("11.12", table.version, 1, [])
        assert table.state().auction == []

    def test_a_bid_too_low_over_higher_priority_is_ignored_and_the_turn_stays(self):
        table = dealt().calls("0 alliance", "1 alliance")
        assert table.finding() == ("11.14", table.version, 1, ["pass", "solo", "vole"])
        assert table.findings()[0].rule == "QUA-4.11"
        assert table.state().turn == 1

    def test_a_bid_too_low_over_lower_priority_cites_its_own_rule(self):
        table = dealt().calls("0 alliance", "1 vole", "2 pass", "3 pass", "0 solo")
        assert [(f.code, f.rule, f.legal) for f in table.findings()] == [("QUA-11.14", "QUA-4.12", ["pass", "vole"])]

    def test_whatever_comes_before_the_end_of_the_bidding_halts_the_deal(self):
        for table in (
            dealt().trump(0, "S"),
            dealt().called(0, "CK"),
            dealt().played(0, "SA"),
            dealt().said(0, "show_spadille"),
        ):
            assert table.finding() == ("11.16", table.version, 0, None)
            assert table.played(1, "CA").faults() == ["11.16"]


PLAIN_KINGS = "SK DK HK S5 H2 H3 D2 D3 C5 C6"


KINGS_AND_QUEENS = "SK DK HK SQ DQ HQ D2 D3 C5 C6"


ALL_KINGS = "SK DK HK CK H2 H3 D2 D3 C5 HQ"


ONE_KING_OUT = "SA HK SK S5 H2 H3 D2 D3 C5 C6"


class TestTrumpsAndCalls:  # 11.17 to 11.25
    def test_spadille_is_shown_by_its_holder_alone(self):
        table = dealt().bid_won_by(0, "forced").said(1, "show_spadille")
        assert table.finding() == ("11.17", table.version, 1, None)
        assert table.legal == {"announced": ["show_spadille"]}

    def test_spadille_that_has_been_played_cannot_be_shown(self):
        table = named(call="forced").called(0, "CK")
        assert table.said(0, "show_spadille").faults() == []  # he holds it still
        table.trick(0, "SA SJ S6 S3").said(0, "show_spadille")
        assert table.finding() == ("11.17", table.version, 0, None)

    def test_a_call_or_a_card_before_trumps_halts_the_deal(self):
        for table in (dealt().bid_won_by(0).called(0, "CK"), dealt().bid_won_by(0).played(0, "SA")):
            assert table.finding() == ("11.21", table.version, 0, None)

    def test_a_call_by_another_or_in_a_solo_is_ignored(self):
        table = named().called(1, "CK")
        assert table.finding() == ("11.22", table.version, 1, [])
        assert [f.rule for f in named(call="solo").called(0, "CK").findings()] == ["QUA-5.3"]

    @pytest.mark.parametrize(
        ("card", "rule"), [("SK", "QUA-5.5"), ("HK", "QUA-5.9"), ("DQ", "QUA-5.6"), (None, "QUA-5.11")]
    )
    def test_a_card_that_may_not_be_called_stands(self, card, rule):
        table = named().called(0, card)
        assert table.finding() == ("11.23", table.version, 0, ["CK", "DK"])
        assert table.findings()[0].rule == rule
        assert table.state().partner == {"DQ": 2}.get(card)

    @pytest.mark.parametrize(
        ("hand", "trump", "options", "card", "rule", "legal"),
        [
            (PLAIN_KINGS, "C", {}, "S5", "QUA-5.7", ["DQ", "HQ", "SQ"]),
            (PLAIN_KINGS, "C", {}, "CQ", "QUA-5.5", ["DQ", "HQ", "SQ"]),
            (PLAIN_KINGS, "C", {"queen_call": "all_four_kings"}, "SQ", "QUA-5.10", ["DK", "HK", "SK"]),
            (ALL_KINGS, "C", {"queen_call": "all_four_kings"}, "HQ", "QUA-5.7", ["DQ", "SQ"]),
            (KINGS_AND_QUEENS, "C", {}, "SQ", "QUA-5.8", ["none"]),
            (ONE_KING_OUT, "D", {"queen_call": "all_four_kings"}, "CQ", "QUA-5.6", ["CK"]),
            (ONE_KING_OUT, "D", {}, "CQ", "QUA-5.6", ["CK"]),
        ],
    )
    def test_the_finding_names_the_rule_that_the_call_breaks(self, hand, trump, options, card, rule, legal):
        table = named(trump, hands={0: hand}, **options).called(0, card)
        assert [(f.code, f.rule, f.legal) for f in table.findings()] == [("QUA-11.23", rule, legal)]

    def test_a_king_called_from_an_unknown_hand_is_proven_by_its_own_lead(self):
        table = named(hands={}).called(0, "HK")
        assert table.faults() == []
        version = table.version
        assert table.played(0, "HK").finding() == ("11.23", version, 0, None)

    def test_a_called_king_of_an_unknown_hand_tells_the_partner_when_it_falls(self):
        table = at_play("S", {}, call="alliance", called="CK").trick(0, "C2 C4")
        assert table.state().partner is None
        assert table.played(2, "CK").state().partner == 2


CASES = [
    # 11.8 to 11.11
    shown("a missing card", dealt(changed(0, "SA S2 SK HK H2 H3 D2 D3 C2")), faults=["11.9"]),
    shown("a wrong hand among unknown ones", dealt({2: "SA S2"}), faults=["11.10"]),
    # 11.12 to 11.16
    case("a bid after a pass", dealt().calls("0 pass", "1 alliance", "0 solo"), ("11.13", 0, [])),
    case("a bid after the bidding", dealt().bid_won_by(0, "solo").calls("1 vole"), ("11.15", 1, [])),
    # 11.17 to 11.25
    case("shown though not forced", dealt().bid_won_by(0, "solo").said(0, "show_spadille"), ("11.17", 0, None)),
    case("trumps without showing it", dealt().bid_won_by(0, "forced").trump(0, "S"), ("11.18", 0, None), trump="S"),
    case("trumps named by another", dealt().bid_won_by(0, "solo").trump(1, "S"), ("11.19", 1, None), trump=None),
    case("trumps named twice", named("H", call="solo").trump(0, "S"), ("11.20", 0, None), trump="H"),
    case("a second call is ignored", named().called(0, "CK").called(0, "DK"), ("11.24", 0, []), partner=2),
    case("a card before the call halts the deal", named().played(0, "SA"), ("11.25", 0, None)),
]


def test_each_case_is_as_its_row_says():
    assert_cases(CASES)
