"""A Mit' of a seat whose cards nobody wrote down: what is certain at once, and what comes of it later (COU-5.2)."""

import pytest

from tests.games.couillon.tables import Table
from tests.games.scripted import cases_of


def doubtful(hands=None):
    """mit4, dealer 2, diamonds; seat 1 has called Mit' and nobody knows whether it holds SQ. Entry 5 is the call."""
    return Table("mit4").start(2).dealt(hands).trump(3, "D").said(1, "mit")


def confirmed(table):
    """Seat 3 has led trumps and seat 1 plays SQ."""
    return table.trick(3, "DA D9 SQ DT")


def refuted(table):
    """Seat 3 has led a spade, and it is seat 0 that plays SQ."""
    return table.trick(3, "S9 SQ SJ ST")


def marks_of(table):
    return [(finding.code.removeprefix("COU-"), finding.version, finding.seat) for finding in table.findings()]


@pytest.mark.parametrize("outcome", [confirmed, refuted])
def test_a_revoke_of_a_hand_known_in_part_is_found_at_once_and_once(outcome):
    table = doubtful({0: "SK SA HK D9 ??"}).played(3, "HA").played(0, "SA")
    found = ("11.33", table.version, 0)
    assert marks_of(table) == [found]
    outcome(table.trick(1, "H9 HQ"))
    assert marks_of(table).count(found) == table.codes().count("11.33") == 1


def test_a_play_read_anew_keeps_its_unknown_cards_and_who_gathered_them():
    table = doubtful().trick(3, "HA ?? ?? ??").gathered(2).trick(2, "SA SJ S9 SK")
    before = table.state().tricks
    refuted_later = table.trick(2, "ST D9 SQ CK")
    tricks = refuted_later.state().tricks
    assert tricks[:2] == before
    assert [(trick.winner, trick.cards) for trick in tricks[:2]] == [
        (2, ["HA", "??", "??", "??"]),
        (2, ["SA", "SJ", "S9", "SK"]),
    ]
    assert refuted_later.codes() == ["11.22"]


def test_a_deal_without_hands_comes_to_the_same_after_two_calls_as_one_with_them():
    hands = {0: "CA HQ D9 S9 C9", 1: "CT HA HK ST CK", 2: "SQ DK H9 DJ CQ", 3: "DA HT SJ DT CJ"}
    came_to = []
    for told in (hands, None):
        table = Table("mit4").start(3).dealt(told, stock="DQ SK HJ SA").trump(0, "D")
        table.said(1, "mit").said(2, "mit").said(3, "kontra")
        table.trick(0, "CA CT SQ DA").trick(3, "HT HQ HA H9").trick(1, "CK CQ CJ C9").trick(1, "HK DK DT D9")
        table.trick(2, "DJ SJ S9 ST")
        came_to.append((marks_of(table), table.deal().outcome, table.deal().deltas))
    assert came_to[0] == came_to[1]
    assert came_to[0][0] == [("11.22", 5, 1)]
    assert came_to[0][1]["kontra"]


test_each_case_of_the_file = cases_of("couillon/doubtful_mit.txt", Table, doubtful)
