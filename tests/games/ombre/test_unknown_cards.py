"""Cards that were played but not written down (`??`): who won shows in who gathers, or in who leads next."""

from tests.games.cases import assert_cases, case, shown
from tests.games.ombre.tables import Record, with_winners
from tests.games.ombre.test_unknown_hands import playing


def test_who_won_a_trick_of_unknown_cards_is_not_known():
    record = playing().trick(0, "HJ ?? H2")
    state = record.state()
    assert (state.tricks[0].winner, state.turn, state.trick_counts) == (None, None, [0, 0, 0])


def test_of_an_unknown_lead_any_of_three_may_have_won():
    """H3 wins if a low heart was led; DK wins if a diamond was led."""
    for winner in (0, 1, 2):
        assert playing().trick(0, "?? H3 DK").gathered(winner).codes() == []


def test_an_unknown_card_of_a_hand_without_a_higher_one_does_not_win():
    assert playing({1: "H3 D2 D3 D4 D5 D6 C3 C4 C5"}).trick(0, "HJ ?? H2").state().tricks[0].winner == 0


def test_a_refusal_followed_by_unknown_cards_cannot_be_judged_an_exemption():
    record = playing().trick(0, "S5 DK S3").trick(0, "S6 SA S4")
    for number, (first, third) in enumerate(zip("234567A", "JQK7654", strict=True)):
        record.played(1, "C" + "34567QJ"[number] if number else "??").played(2, "H" + first).played(0, "D" + third)
    assert "11.51" not in record.codes()


def test_a_deal_with_a_trick_that_nobody_can_be_given_is_unscorable():
    record = playing().trick(0, "HJ ?? H2").played(2, "DK")  # seat 2 cannot have won
    assert record.codes() == ["11.32"]
    for card in ("D2", "D3"):
        record.played(record.state().turn, card)
    plays = iter(["C3 C4 C5", "C6 C7 CJ", "CQ CK D4", "D5 D6 D7", "DQ DJ DA", "S3 S4 S5", "S6 S7 SJ"])
    for trick in plays:
        record.trick(record.state().turn, trick)
    record.start()
    assert record.deal(1).status == "unscorable"


def test_the_winner_of_a_last_trick_of_unknown_cards_can_be_told_by_nobody():
    record = playing({0: "SA S2 CA SK SQ SJ S7 HK D4"})
    for trick in ["SA HQ CK", "S2 HJ CQ", "CA HA CJ", "SK H2 C7", "SQ H3 C6", "SJ H4 C5", "S7 H5 C4", "HK H6 H7"]:
        record.trick(0, trick)
    record.trick(0, "D4 ?? ??")
    assert record.state().tricks[8].winner is None
    record.start()
    assert record.deal(1).status == "unscorable"
    assert "11.43" not in record.codes()


def test_a_poem_tells_only_the_great_cards():
    record = (
        Record().start(2).dealt().won_by(0, "entrada").trump(0, "S").exchanged(0, 3).exchanged(1, 3).exchanged(2, 4)
    )
    record.trick(0, "SA ?? ??").trick(0, "S2 ?? ??").trick(0, "CA ?? ??").trick(0, "SK SJ CJ")
    assert record.codes() == []
    assert record.state().trick_counts == [4, 0, 0]


def five_tricks_of_seat_1():
    record = playing().trick(0, "H6 HK H2")
    for trick in ["SA C2 S3", "S2 C3 S4", "CA C4 S5", "SK C5 S6"]:
        record.trick(1, trick)
    return record


def left_after(tricks):
    """A deal of which so many tricks were not written down, each won by seat 0, the last by nobody knows whom."""
    record = playing()
    for _ in range(tricks - 1):
        record.trick(0, "?? ?? ??").gathered(0)
    return record.trick(0, "?? ?? ??").start()


class TestEndOfPlay:
    def test_the_ombre_who_stops_has_won_the_fifth_trick(self):
        record = playing()
        for trick in ["SA SQ C2", "S2 S4 C3", "CA S5 C4", "SK S6 C5", "?? H6 HJ"]:
            record.trick(0, trick)
        assert record.state().trick_counts == [4, 0, 0]
        assert record.legal == {"announced": ["0:stop"]}
        record.said(0, "stop")
        assert record.codes() == []
        assert (record.deal().status, record.deal().outcome["tricks"]) == ("complete", (5, 0, 0))

    def test_the_ombre_who_cannot_have_won_the_fifth_trick_does_not_stop(self):
        record = playing({0: "SA S2 CA SK D2 ?? ?? ?? ??"})
        for trick in ["SA S3 C2", "S2 S4 C3", "CA S5 C4", "SK S6 C5", "D2 ?? DJ"]:
            record.trick(0, trick)
        assert record.said(0, "stop").codes() == ["11.41"]

    def test_a_stop_that_is_void_tells_nothing_of_the_winner(self):
        record = playing()
        for trick in ["SA S3 C2", "S2 S4 C3", "CA S5 C4", "?? H6 HJ"]:
            record.trick(0, trick)
        assert record.said(0, "stop").codes() == ["11.41"]  # OMB-6.19: after the fourth trick
        assert record.state().trick_counts == [3, 0, 0]

    def test_a_deal_decided_whoever_won_the_last_trick_may_be_thrown_in(self):
        record = five_tricks_of_seat_1().trick(1, "?? HJ HQ")
        assert record.legal == {"announced": ["0:throw_in", "1:throw_in", "2:throw_in"]}
        assert record.said(0, "throw_in").codes() == []

    def test_who_throws_in_tells_the_only_winner_with_whom_the_deal_is_decided(self):
        record = playing()
        for trick in ["SA SJ C2", "S2 S4 C3", "CA S5 C4", "SK S6 C5", "SQ D2 C6"]:
            record.trick(0, trick)
        record.trick(0, "HJ ?? D3")  # won by 0 the vole is open; won by 1 it has failed
        assert record.said(0, "throw_in").codes() == []
        assert record.deal().outcome["result"] == "SACADA_VOLE_FAILED"

    def test_a_deal_that_no_possible_winner_decides_is_not_thrown_in(self):
        record = playing().trick(0, "SA S3 C2").trick(0, "HJ ?? D3")
        assert record.said(0, "throw_in").codes() == ["11.42"]
        assert record.state().trick_counts == [1, 0, 0]

    def test_a_last_trick_of_unknown_cards_that_nobody_gathered_cannot_be_known(self):
        record = left_after(9)
        assert record.codes() == []
        machine = record.fold().deal(1).machine
        assert machine.view().phase == machine.status == record.deal(1).status == "unscorable"


CASES = [
    shown("an unknown card that cannot win", playing().trick(0, "SA ?? ??"), winner=0, turn=0),
    case("who gathers it has won it", playing().trick(0, "HJ ?? H2").gathered(1), turn=1, trick_counts=[0, 1, 0]),
    case("who leads next has won it", playing().trick(0, "HJ ?? H2").played(1, "DK"), winner=1),
    case("who cannot have won gathers wrongly", playing().trick(0, "HJ ?? H2").gathered(2), ("11.38", 2, None)),
    shown("a trump beats an unknown lead", playing().trick(0, "?? SA DK"), winner=1),
    case("an unknown card breaks nothing", playing({1: "HQ D2 D3 D4 D5 D6 C3 C4 C5"}).trick(0, "HJ ?? H2")),
    # the end of the play
    case("fewer than nine tricks are unfinished", left_after(8), "11.43", first_status="unscorable"),
    shown("over with the last trick", with_winners("000110022"), phase="settled"),
    shown("not before", with_winners("00011002"), phase="play"),
]


def test_each_case_is_as_its_row_says():
    assert_cases(CASES)
