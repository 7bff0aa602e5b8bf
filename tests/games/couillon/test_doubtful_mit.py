"""A Mit' of a seat whose cards nobody wrote down: what is certain at once, and what comes of it later (COU-5.2)."""

from tests.games.couillon.tables import Table
from tests.games.scripted import cases_of


def doubtful(hands=None):
    """mit4, dealer 2, diamonds; seat 1 has called Mit' and nobody knows whether it holds SQ. Entry 5 is the call."""
    return Table("mit4").start(2).dealt(hands).trump(3, "D").said(1, "mit")


def test_a_deal_without_hands_comes_to_the_same_after_two_calls_as_one_with_them():
    hands = {0: "CA HQ D9 S9 C9", 1: "CT HA HK ST CK", 2: "SQ DK H9 DJ CQ", 3: "DA HT SJ DT CJ"}
    came_to = []
    for told in (hands, None):
        table = Table("mit4").start(3).dealt(told, stock="DQ SK HJ SA").trump(0, "D")
        table.said(1, "mit").said(2, "mit").said(3, "kontra")
        table.trick(0, "CA CT SQ DA").trick(3, "HT HQ HA H9").trick(1, "CK CQ CJ C9").trick(1, "HK DK DT D9")
        table.trick(2, "DJ SJ S9 ST")
        found = [(code, version, seat) for code, version, seat, _ in table.found()]
        came_to.append((found, table.deal().outcome, table.deal().deltas))
    assert came_to[0] == came_to[1]
    assert came_to[0][0] == [("11.22", 5, 1)]
    assert came_to[0][1]["kontra"]


test_each_case_of_the_file = cases_of("couillon/doubtful_mit.txt", Table, doubtful)
