"""Hands that nobody wrote down: what the cards prove later, and what cannot be known."""

import pytest

from ledger.events import Announced
from tests.games.cases import assert_cases, case, shown
from tests.games.kop.tables import CICHA, CICHA_PLAY, FOUR_QUEENS, ORDINARY_PLAY, Table

ALL = ("SQ CJ DT CA", "DQ HJ DJ ST", "HT HQ SJ DA", "HA CQ CT SA")


def hidden(*calls, **options):
    table = Table(**options).start(3)
    return table.calls(*calls) if calls else table.passed_out()


def test_a_deal_known_by_calls_and_play_alone_scores_as_with_its_hands():
    table = hidden().tricks(ORDINARY_PLAY)
    assert (table.codes(), table.deal().deltas) == ([], [1, -1, -1, 1])
    assert table.deal().outcome["declarers"] == (0, 3)


def test_nothing_is_known_of_the_sides_before_the_queens_appear():
    table = hidden()
    assert (table.state().contract, table.state().declarer) == (None, None)
    table.trick(0, "DT DQ HT HA").trick(3, "SA CJ ST HQ").trick(2, "DA CQ SQ")
    assert (table.state().contract, table.state().declarer, table.state().partner) == ("normal", 3, 0)


def test_a_revoke_is_proven_by_the_card_played_later():
    table = hidden().trick(0, "DT ST HT HA").trick(3, "SA CJ DQ HQ")
    assert [(code, version, seat) for code, version, seat, _ in table.found()] == [("11.44", 8, 1)]


def test_a_failure_to_trump_is_proven_by_the_trump_played_later():
    table = hidden().trick(0, "DT DQ HT HA").trick(3, "SA CA ST HQ").trick(2, "DA CQ SQ")
    assert [(code, seat) for code, _, seat, _ in table.found()] == [("11.45", 0)]


def test_a_false_wesele_is_proven_by_the_queen_of_another_seat():
    table = hidden("0 wesele", "1 pass", "2 pass", "3 pass").tricks(ORDINARY_PLAY)
    assert [(code, version, seat) for code, version, seat, _ in table.found()] == [("11.23", 3, 0)]
    assert table.deal().outcome["contract"] == "normal"
    assert table.deal().deltas == [1, -1, -1, 1]


@pytest.mark.parametrize(
    "calls",
    [
        ("0 pass", "1 pass", "2 kontra", "3 pass"),
        ("0 pass", "1 wesele", "2 pass", "3 pass"),
        ("0 pass", "1 kontra", "2 re", "3 pass"),
        ("0 pass", "1 wesele", "2 kontra", "3 re"),
    ],
)
def test_whether_an_auction_was_over_cannot_be_known_while_a_call_may_count_as_a_pass(calls):
    """KOP-11.35, 11.2: a doubling by who holds both old queens, a wesele by who does not."""
    assert hidden(*calls).played(0, "DT").codes() == []


def test_that_an_auction_was_not_over_is_found_once_the_cards_show_it():
    table = hidden("0 pass", "1 pass", "2 kontra", "3 pass").tricks(ORDINARY_PLAY)
    assert [(code, version, seat) for code, version, seat, _ in table.found()] == [("11.35", 7, 0)]


def test_a_false_kontra_of_the_holder_of_both_old_queens_is_proven_by_them():
    table = hidden("0 kontra", "1 pass", "2 pass", "3 pass").tricks(CICHA_PLAY)
    assert [(code, version, seat) for code, version, seat, _ in table.found()] == [("11.30", 3, 0)]
    assert table.deal().outcome["doublings"] == 0


def test_a_wesele_that_nothing_disproves_stands_and_its_partner_is_found_by_his_jack():
    table = hidden("0 wesele", "1 pass", "2 pass", "3 pass").tricks(CICHA_PLAY)
    assert table.codes() == []
    assert (table.deal().outcome["contract"], table.deal().outcome["declarers"]) == ("wesele", (0, 1))
    assert table.deal().outcome == Table().deal_out(CICHA).contract(0, "wesele").tricks(CICHA_PLAY).deal().outcome


def test_a_false_jack_is_proven_by_the_jacks_that_appear():
    table = Table(announce_wesele_jack=True).start(3).named(0, "wesele", "SJ").calls("1 pass", "2 pass", "3 pass")
    assert [code for code, *_ in table.tricks(CICHA_PLAY).found()] == ["11.33"]


def test_void_doublings_show_when_the_sides_do():
    calls = ["0 kontra", "1 pass", "2 pass", "3 re", "0 pass", "1 pass", "2 pass"]
    table = hidden(*calls)
    assert table.codes() == []
    table.tricks(ORDINARY_PLAY)
    assert [(code, seat) for code, _, seat, _ in table.found()] == [("11.31", 3)]
    assert table.deal().outcome["doublings"] == 1


def test_a_du_contract_may_be_stopped_without_any_hand():
    table = hidden("0 zolo_du", "1 pass", "2 pass", "3 pass").trick(0, "CJ SQ HQ HJ").said(None, "stop")
    assert (table.codes(), table.deal().deltas) == ([], [-30, 10, 10, 10])


def test_who_conceded_tells_the_sides_once_one_seat_is_known_to_be_of_one():
    """KOP-6.17: all seats of one side concede. Seat 0 shows the old queen of spades."""
    for conceded in ((0, 3), (1, 2)):
        deals = [
            Table(concessions=True).deal_out(hands).passed_out().trick(0, "SQ DQ HT HA").conceded(*conceded)
            for hands in (ALL, (None,) * 4)
        ]
        full, told = (table.deal() for table in deals)
        assert (told.status, told.deltas, told.outcome) == ("complete", full.deltas, full.outcome)
        assert told.outcome["declarers"] == (0, 3)


def test_a_seat_that_concedes_against_three_plays_alone():
    """KOP-4.40: without a bid, one against three is a cicha."""
    for conceded in ((0,), (1, 2, 3)):
        full = Table(concessions=True).deal_out(CICHA).passed_out().conceded(*conceded).deal()
        told = hidden(concessions=True).conceded(*conceded).deal()
        assert (told.status, told.deltas, told.outcome) == ("complete", full.deltas, full.outcome)
        assert (told.outcome["contract"], told.outcome["declarers"]) == ("cicha", (0,))


def test_a_concession_across_the_sides_that_the_cards_have_shown_is_irregular():
    hands = (None, None, None, "HA CQ CT SA")
    table = Table(concessions=True).deal_out(hands).passed_out().trick(0, "SQ DQ HT HA").conceded(0, 1).closed()
    assert table.codes() == ["11.48", "11.50"]


def test_a_baska_of_an_unknown_hand_is_believed():
    assert Table("baska").start(3).calls("0 baska").deal().deltas == [30, -10, -10, -10]
    assert Table("baska").deal_out((None, *FOUR_QUEENS[1:])).calls("0 baska").codes() == []
    assert Table("baska").deal_out((None, "SQ HA CJ DA", None, None)).calls("0 baska").codes() == ["11.24"]


class TestCardsThatNobodyWroteDown:
    def test_a_card_that_can_only_have_been_one_is_that_one(self):
        plays = [*ORDINARY_PLAY[:3], (3, "?? CA DJ SJ")]
        assert Table().deal_out(ALL).passed_out().tricks(plays).deal().deltas == [1, -1, -1, 1]

    def test_who_won_a_trick_with_an_unknown_card_is_told_by_who_leads_next(self):
        table = Table().deal_out((None, *ALL[1:])).passed_out().trick(0, "?? DQ HT HA")
        assert table.state().tricks[0].winner in (None, 3)
        assert table.played(3, "SA").codes() == []
        assert table.state().tricks[0].winner == 3

    def test_a_deal_with_too_many_unknown_cards_cannot_be_known(self):
        table = hidden().tricks([(seat, "?? ?? ?? ??") for seat in (0, 1, 2, 3)]).closed()
        assert (table.codes(), table.deal().status) == ([], "unscorable")

    def test_a_card_that_turns_out_to_have_won_shows_the_next_lead_to_have_been_wrong(self):
        """It was SQ that 0 led, and nobody knew: 2 seemed to have won with SJ, and 3 not to have to follow."""
        table = Table(must_beat=False).deal_out(ALL).passed_out().trick(0, "?? DJ SJ CT").trick(2, "HT HA DT DQ")
        assert table.state().tricks[0].winner == 2
        assert table.codes() == []
        table.trick(3, "SA CJ ST DA").trick(0, "CA HJ HQ CQ")
        assert [(code, version, seat) for code, version, seat, _ in table.found()] == [
            ("11.44", 11, 3),
            ("11.40", 12, 2),
        ]
        outcome = table.deal().outcome
        assert (outcome["card_points"], outcome["tricks"]) == ((104, 0), (4, 0))


def proven():
    """A revoke of seat 1, found at entry 8 when it plays HQ."""
    return hidden().trick(0, "DT ST HT HA").trick(3, "SA CJ DQ HQ")


class TestAfterTheDealWasVoidedOrTold:
    def test_what_was_proven_before_a_result_was_told_stays_found(self):
        result = {"contract": "cicha", "declarers": [2], "card_points": [79, 25], "tricks": [3, 1]}
        assert proven().result(**result).codes() == ["11.44"]
        assert hidden().trick(0, "DT ST HT HA").result(**result).codes() == []

    def test_cards_written_down_after_the_calls_were_dealt_before_them(self):
        dealt = Table().deal_out(ALL).entries[-1][1]
        table = hidden().add(dealt).tricks(ORDINARY_PLAY)
        assert (table.codes(), table.deal().deltas) == ([], [1, -1, -1, 1])
        table = proven().add(dealt)
        assert table.codes() == ["11.44"]
        assert sorted(table.state().hands[0]) == ["CA", "SQ"]
        assert table.add(dealt).codes() == ["11.44", "11.10"]
        assert table.deal().status == "voided"

    def test_a_false_call_is_told_by_the_hands_written_down_after_it(self):
        table = hidden("0 wesele", "1 pass").add(Table().deal_out(ALL).entries[-1][1]).calls("2 pass", "3 pass")
        assert [(code, version) for code, version, *_ in table.found()] == [("11.23", 3)]
        assert table.tricks(ORDINARY_PLAY).deal().outcome["contract"] == "normal"

    def test_cards_that_are_no_pack_make_the_deal_void_whenever_they_are_written_down(self):
        table = hidden().add(Table().deal_out(("SQ SQ DT CA", *ALL[1:])).entries[-1][1])
        assert (table.codes(), table.deal().status) == (["11.10"], "voided")

    def test_a_card_played_before_the_hands_were_written_down_was_not_held(self):
        table = hidden().played(0, "HA").add(Table().deal_out(ALL).entries[-1][1])
        assert [(code, seat) for code, _, seat, _ in table.found()] == [("11.42", 0)]

    def test_a_stop_is_believed_where_a_defender_can_have_won_a_trick(self):
        """HQ of 2 beats DT of the bidder 3; a card that nobody wrote down may have beaten HQ (KOP-6.15)."""
        calls = ["1 pass", "2 pass", "3 zolo_du", "0 pass", "1 pass", "2 pass"]
        table = Table().start(0).calls(*calls).trick(1, "SQ HQ DT")
        assert table.said(None, "stop").codes() == ["11.51"]
        table = Table().start(0).calls(*calls).trick(1, "SQ HQ DT ??").said(None, "stop").closed()
        assert table.codes() == []
        assert Table().start(0).calls(*calls).trick(1, "SQ HQ ?? DT").said(None, "stop").codes() == []
        assert Table().start(0).calls(*calls).trick(1, "DA DT CQ DJ").said(None, "stop").codes() == ["11.51"]

    def test_a_stop_is_lawful_when_the_cards_show_the_zolo_du_to_stand(self):
        """0 bids wesele without the queens, which 1 has: his counts, so the auction goes on to the zolo du of 0."""
        calls = ["0 wesele", "1 wesele", "2 pass", "3 pass", "0 zolo_du", "1 pass", "2 pass", "3 pass"]
        table = hidden(*calls).trick(0, "CJ CQ DA DJ").trick(1, "SQ DT HJ HT").said(None, "stop").closed()
        assert [(code, version, seat) for code, version, seat, _ in table.found()] == [("11.23", 3, 0)]
        assert (table.deal().status, table.deal().deltas) == ("complete", [-30, 10, 10, 10])


class TestPlayThatWentOn:
    def test_a_false_baska_is_proven_by_the_cards_played_on(self):
        """KOP-11.24: it counts as a pass (KOP-11.2), so what followed was the auction and the play of a cicha."""
        table = Table("baska").start(3).calls("0 pass", "1 baska", "2 pass", "3 pass").tricks(CICHA_PLAY).closed()
        assert [(code, version, seat) for code, version, seat, _ in table.found()] == [("11.24", 4, 1)]
        assert table.deal().deltas == Table("baska").deal_out(CICHA).passed_out().tricks(CICHA_PLAY).deal().deltas

    def test_an_irregular_concession_is_proven_by_the_cards_played_on(self):
        """KOP-11.50: it is ignored; 0 and 1 are of two sides, as the old queens of 0 and 3 show."""
        table = hidden(concessions=True).tricks(ORDINARY_PLAY[:1]).conceded(0, 1).tricks(ORDINARY_PLAY[1:]).closed()
        assert [(code, seat) for code, _, seat, _ in table.found()] == [("11.50", 0)]
        assert table.deal().deltas == [1, -1, -1, 1]

    def test_a_card_after_a_concession_stays_in_the_hand_that_showed_it(self):
        table = hidden(concessions=True).conceded(0, 3).played(0, "DT")
        assert (table.codes(), table.state().hands[0]) == (["11.47"], ["DT", "??", "??", "??"])

    def test_a_card_after_a_baska_of_an_unknown_hand_is_found_once(self):
        assert Table("baska").start(3).calls("0 baska").played(1, "CT").found() == [("11.47", 4, 1, [])]

    def test_a_play_is_blamed_once_though_the_cards_show_another_fault(self):
        """Known to hold DJ, 1 revoked with ST; known to hold more, it is still one fault at that card (KOP-11.73)."""
        table = Table().deal_out((None, "DJ ?? ?? ??", None, None)).passed_out().trick(0, "DT ST HT HA")
        assert [(code, seat) for code, _, seat, _ in table.found()] == [("11.44", 1)]
        table.trick(3, "SA CJ DQ HQ")
        assert [(code, seat) for code, _, seat, _ in table.found()] == [("11.44", 1)]


class TestConcessionsOfUnknownSides:
    @pytest.mark.parametrize("seats", [(), (0, 1, 2, 3)])
    def test_neither_nobody_nor_everybody_concedes_even_where_no_side_is_known(self, seats):
        table = hidden(concessions=True)
        table.add(Announced(seat=None, what="concede", seats=seats))
        assert table.finding() == ("11.50", 7, None, None)

    @pytest.mark.parametrize(
        ("seats", "codes"), [((0,), ["11.50"]), ((0, 1), []), ((1, 2), []), ((1, 2, 3), ["11.50"])]
    )
    def test_two_concede_a_wesele_whoever_the_partner_is(self, seats, codes):
        assert hidden("0 wesele", "1 pass", "2 pass", "3 pass", concessions=True).conceded(*seats).codes() == codes

    @pytest.mark.parametrize("seats", [(0, 1), (2, 3)])
    def test_seats_of_both_sides_do_not_concede_though_the_sides_of_the_others_are_not_known(self, seats):
        table = Table(concessions=True).deal_out((ALL[0], ALL[1], None, None)).passed_out().conceded(*seats)
        assert table.codes() == ["11.50"]

    @pytest.mark.parametrize("seats", [(0, 2), (0, 3), (1, 2), (1, 3)])
    def test_two_that_may_be_a_side_concede(self, seats):
        assert (
            Table(concessions=True).deal_out((ALL[0], ALL[1], None, None)).passed_out().conceded(*seats).codes() == []
        )

    def test_a_failure_to_trump_that_turns_out_to_be_a_revoke_is_reported_as_the_revoke_alone(self):
        """1 is known to hold DQ and plays a spade on a club; later it shows a club, too (KOP-11.73)."""
        hands = ("CA CQ HA HT", "DQ ?? ?? ??", None, None)
        table = Table().deal_out(hands).contract(0, "zolo").trick(0, "CA SA")
        assert [(code, seat) for code, _, seat, _ in table.found()] == [("11.45", 1)]
        table.trick(2, "SQ DT").trick(2, "SJ DJ CQ DQ").trick(0, "HA CT")
        assert table.found() == [("11.44", 9, 1, ["CT"])]

    def test_a_failure_to_overtake_that_turns_out_to_be_a_revoke_is_reported_as_the_revoke_alone(self):
        """2 is known to hold HQ and trumps a club with DT under DJ; later it shows a club, too."""
        hands = ("CA CQ HA HT", None, "DT HQ ?? ??", None)
        table = Table().deal_out(hands).contract(0, "zolo").trick(0, "CA DJ DT")
        version = table.version
        assert table.codes() == ["11.46"]
        table.played(3, "SJ").trick(3, "SQ CQ DQ HQ").trick(0, "HA HJ CT")
        assert table.found() == [("11.44", version, 2, ["CT"])]

    def test_another_fault_at_the_same_card_is_found_beside_the_one_found_at_once(self):
        table = hidden().played(0, "DT").played(2, "ST")
        assert table.found() == [("11.41", 8, 2, [])]
        table.trick(3, "HA").played(1, "DQ").trick(3, "SA CJ SQ HT")
        assert [(code, seat) for code, version, seat, _ in table.found() if version == 8] == [
            ("11.41", 2),
            ("11.44", 2),
        ]

    @pytest.mark.parametrize("gatherer", [1, 2])
    def test_points_of_unknown_cards_follow_where_one_side_has_them_all(self, gatherer):
        table = hidden().tricks([*ORDINARY_PLAY[:3], (3, "CT CA ?? ??")]).gathered(gatherer)
        known = hidden().tricks(ORDINARY_PLAY).deal()
        assert (table.codes(), table.deal().deltas) == ([], known.deltas)
        assert table.deal().outcome["card_points"] == known.outcome["card_points"]


CASES = [
    case("a revoke that nothing proves is none", hidden().trick(0, "DT ST HT HA")),
    shown("a failure to overtake is proven", hidden().trick(0, "DT DQ HT CQ").trick(2, "DA HA"), who=[("11.46", 3)]),
    case("a card that another has shown was not held", hidden().trick(0, "DT DQ HT HA").played(3, "HT"), "11.42"),
    case("no hidden card can have ended it", hidden("0 pass", "1 zolo", "2 pass", "3 pass").played(0, "DT"), "11.35"),
    case("a concession of unknown sides", hidden(concessions=True).conceded(0, 3).closed(), status="unscorable"),
    case("both old queens are left over", Table().deal_out((None, *CICHA[1:])).calls("0 wesele")),
    case("one is not", Table().deal_out((None, *ALL[1:])).calls("0 wesele"), "11.23"),
    # cards that nobody wrote down
    case("who gathered a trick won it", hidden().trick(0, "?? ?? ?? ??").gathered(2), turn=2),
    case("not if he cannot have", hidden().trick(0, "DT DQ HT ??").gathered(0), "11.49"),
    # after the deal was voided or told
    shown("what was proven stays", proven().voided(), blamed=[("11.44", 8, 1)]),
    case("also when play goes on", proven().voided().played(2, "DA"), "11.44"),
    case("not what was not", Table().start(3).passed_out().trick(0, "DT ST HT HA").voided().trick(3, "SA CJ DQ HQ")),
]


def test_each_case_is_as_its_row_says():
    assert_cases(CASES)
