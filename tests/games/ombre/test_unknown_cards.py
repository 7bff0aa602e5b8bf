"""Cards that were played but not written down (`??`): who won shows in who gathers, or in who leads next."""

from tests.games.ombre.tables import Record, with_winners
from tests.games.ombre.test_unknown_hands import playing
from tests.games.scripted import cases_of


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
    def test_a_last_trick_of_unknown_cards_that_nobody_gathered_cannot_be_known(self):
        record = left_after(9)
        assert record.codes() == []
        machine = record.fold().deal(1).machine
        assert machine.view().phase == machine.status == record.deal(1).status == "unscorable"


test_each_case_of_the_file = cases_of(
    "ombre/unknown_cards.txt", Record, five_tricks_of_seat_1, left_after, playing, with_winners
)
