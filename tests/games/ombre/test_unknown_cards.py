"""Cards that were played but not written down (`??`): who won shows in who gathers, or in who leads next."""

from tests.games.ombre.tables import Record, with_winners
from tests.games.ombre.test_unknown_hands import playing
from tests.games.scripted import cases_of


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


test_each_case_of_the_file = cases_of(
    "ombre/unknown_cards.txt", Record, five_tricks_of_seat_1, left_after, playing, with_winners
)
