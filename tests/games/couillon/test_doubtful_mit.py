"""A Mit' of a seat whose cards nobody wrote down: what is certain at once, and what comes of it later (COU-5.2)."""

import pytest

from tests.games.couillon.tables import Table


def doubtful(hands=None):
    """mit4, dealer 2, diamonds; seat 1 has called Mit' and nobody knows whether it holds SQ. Entry 5 is the call."""
    return Table("mit4").start(2).dealt(hands).trump(3, "D").said(1, "mit")


MIT = 5


def confirmed(table):
    """Seat 3 has led trumps and seat 1 plays SQ."""
    return table.trick(3, "DA D9 SQ DT")


def refuted(table):
    """Seat 3 has led a spade, and it is seat 0 that plays SQ."""
    return table.trick(3, "S9 SQ SJ ST")


def marks_of(table):
    return [(finding.code.removeprefix("COU-"), finding.version, finding.seat) for finding in table.findings()]


@pytest.mark.parametrize(("seat", "code"), [(0, "11.35"), (1, "11.36")])
def test_who_gathered_a_trick_wrongly_that_either_order_of_the_cards_gives_to_one_seat_is_found_at_once(seat, code):
    table = doubtful().trick(3, "HA HK H9 HQ").gathered(seat)
    found = [(code, table.version, seat)]
    assert marks_of(table) == found
    assert marks_of(confirmed(table)) == found
    table = refuted(doubtful().trick(3, "HA HK H9 HQ").gathered(seat))
    assert marks_of(table) == [("11.22", MIT, 1), *found]


def test_a_trick_gathered_too_early_is_found_at_once():
    table = doubtful().played(3, "HA").gathered(3)
    assert marks_of(table) == [("11.35", table.version, 3)]


@pytest.mark.parametrize("outcome", [confirmed, refuted])
def test_a_revoke_of_a_hand_known_in_part_is_found_at_once_and_once(outcome):
    table = doubtful({0: "SK SA HK D9 ??"}).played(3, "HA").played(0, "SA")
    found = ("11.33", table.version, 0)
    assert marks_of(table) == [found]
    outcome(table.trick(1, "H9 HQ"))
    assert marks_of(table).count(found) == table.codes().count("11.33") == 1


def test_it_is_found_though_the_queen_never_shows():
    table = doubtful({1: "CK H9 D9 HT ST"}).played(3, "CA").trick(0, "C9 H9 CT")
    assert marks_of(table) == [("11.22", MIT, 1), ("11.33", table.version - 1, 1)]
    table = Table("mit4").start(3).dealt({1: "CK H9 D9 HT ST"}).trump(0, "D").said(2, "mit").trick(0, "CA H9 CT C9")
    (finding,) = table.findings()
    assert (finding.code, finding.seat, finding.legal) == ("COU-11.33", 1, ["CK", "D9"])


def test_what_does_not_depend_on_the_order_of_the_cards_is_found_at_once_and_once():
    table = doubtful().played(0, "HK")
    found = [("11.27", table.version, 0)]
    assert marks_of(table) == found
    table.trick(1, "H9 HQ HA")
    assert marks_of(refuted(table)) == [("11.22", MIT, 1), *found]


def test_once_it_is_confirmed_the_rest_of_the_deal_is_judged_at_once():
    table = confirmed(doubtful({0: "SK SA HK D9 C9"}).trick(3, "HA HK H9 HQ")).played(3, "SJ").played(0, "C9")
    assert marks_of(table) == [("11.33", table.version, 0)]


def test_a_confirmed_mit_counts_in_the_outcome():
    table = confirmed(doubtful().trick(3, "HA HK H9 HQ"))
    table.trick(3, "S9 SK SJ ST").trick(0, "SA CK CQ CA").trick(0, "HJ CJ CT DK")
    assert (table.codes(), table.deal().status) == ([], "complete")
    assert (table.deal().outcome["mit"], table.deal().outcome["tricks"]) == (True, (2, 3))


def test_a_refuted_mit_does_not():
    table = refuted(doubtful().said(0, "kontra").trick(3, "HA HK H9 HQ"))
    table.trick(0, "SA SK D9 DJ").trick(2, "DQ DA DT CT").trick(3, "CJ CQ CK CA")
    outcome = table.deal().outcome
    assert (outcome["mit"], outcome["kontra"], outcome["tricks"]) == (False, False, (2, 3))


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


def test_who_leads_tells_who_won_in_a_play_read_anew_too():
    table = doubtful().trick(3, "HA ?? ?? ??").trick(2, "SA SJ S9 SK").trick(2, "ST D9 SQ CK")
    assert [trick.winner for trick in table.state().tricks] == [2, 2, 3]


def test_a_caller_who_has_played_a_card_that_nobody_wrote_down_may_have_played_the_queen():
    table = doubtful().trick(3, "DA D9 ?? DT")
    assert table.state().contract == "mit"
    table.trick(3, "HA HK H9 HQ").trick(3, "CA CK CQ CJ").trick(3, "SA SK SJ ST").trick(3, "HJ HT DJ C9")
    assert (table.start().codes(), table.deal(1).status) == ([], "unscorable")


def test_a_mit_in_a_deal_whose_result_is_recorded_is_late_and_of_no_hand():
    table = Table("mit4").start(3).result(20, 12, (3, 2)).said(1, "mit")
    assert [(f.code, f.rule, f.seat) for f in table.findings()] == [
        ("COU-11.22", "COU-5.2", 1),
        ("COU-11.23", "COU-5.12", 1),
    ]
    assert table.deal().outcome["mit"] is False


def test_a_voided_deal_keeps_what_was_proven_and_nothing_that_waited():
    table = doubtful().said(0, "kontra").trick(3, "HA HK H9 HQ").voided()
    assert (table.codes(), table.deal().status) == ([], "voided")
    table = refuted(doubtful().trick(3, "HA HK H9 HQ").gathered(0)).voided()
    assert table.codes() == ["11.22", "11.35"]


def test_a_late_mit_of_the_seat_that_shows_the_queen_was_late_and_nothing_else():
    table = Table("mit4").start(2).dealt().trump(3, "D").trick(3, "DA D9 CT DT").said(1, "mit")
    version = table.version
    assert marks_of(table) == [("11.23", version, 1)]
    assert marks_of(table.trick(3, "S9 SA SQ ST")) == [("11.23", version, 1)]


def test_the_finding_says_that_it_showed_later():
    (finding,) = refuted(doubtful()).findings()
    assert (finding.rule, finding.message) == (
        "COU-5.2",
        "Ben called Mit'; the cards show that Ben did not hold the queen of spades",
    )


def test_a_second_mit_is_held_against_its_own_caller():
    """Nobody's cards are known: 1 has called Mit', then 0; it is 1 that shows the queen."""
    table = doubtful().said(0, "mit")
    version = table.version
    assert marks_of(table) == [("11.23", version, 0)]
    assert marks_of(confirmed(table)) == [("11.22", version, 0), ("11.23", version, 0)]


def test_a_second_mit_of_the_seat_that_shows_the_queen_was_the_lawful_one():
    table = doubtful().said(0, "mit").said(1, "kontra")
    table = refuted(table)
    assert marks_of(table) == [("11.22", MIT, 1)]
    assert table.state().contract == "kontra"


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


def test_what_was_found_before_the_call_is_found_once_when_the_call_turns_out_void():
    table = Table("mit4").start(3).dealt({1: "CK H9 D9 HT ST"}).trump(0, "D").trick(0, "CA H9").said(2, "mit")
    assert marks_of(table.trick(2, "CT SQ")) == [("11.33", 6, 1), ("11.22", 7, 2)]


def test_a_call_after_the_callers_first_card_was_in_time_where_another_held_the_queen():
    table = Table("mit4").start(3).dealt().trump(0, "D").played(0, "C9").said(0, "mit")
    version = table.version
    assert marks_of(table) == [("11.23", version, 0)]
    assert marks_of(table.trick(1, "CT SQ CA")) == [("11.22", version, 0)]


def test_a_call_without_the_queen_was_late_too_where_its_holder_had_played():
    table = Table("mit4").start(3).dealt({1: "CK H9 D9 HT ST"}).trump(0, "D").played(0, "C9").said(1, "mit")
    version = table.version
    assert marks_of(table) == [("11.22", version, 1)]
    table.trick(1, "CK CT CA").trick(3, "S9 SQ")
    assert marks_of(table) == [("11.22", version, 1), ("11.23", version, 1)]


def test_a_revoke_on_a_trump_lead_is_found_at_once_and_once():
    table = doubtful({0: "HK D9 ?? ?? ??"}).played(3, "DA").played(0, "HK")
    found = [("11.34", table.version, 0)]
    assert marks_of(table.trick(1, "DT DJ")) == found
    assert marks_of(refuted(table)) == [("11.22", MIT, 1), *found]


def test_a_lead_by_another_than_the_winner_is_found_at_once_and_once():
    table = doubtful().trick(3, "HA HK H9 HQ").played(0, "S9")
    found = [("11.28", table.version, 0)]
    assert marks_of(table.played(1, "SJ")) == found
    assert marks_of(table.trick(2, "SQ ST")) == [("11.22", MIT, 1), *found]


def test_before_anything_of_a_deal_is_known_a_mit_is_too_early_and_may_be_the_holders():
    table = Table("mit4").start(2).said(1, "mit")
    assert marks_of(table) == [("11.23", table.version, 1)]


def test_a_seat_whose_cards_are_all_known_has_no_queen_that_nobody_has_seen():
    table = Table("mit4").start(2).dealt({1: "CA CK CQ CJ CT"}).trump(3, "D")
    assert table.legal["announced"] == ["0:mit", "2:mit", "mit"]
    assert marks_of(table.said(1, "mit")) == [("11.22", table.version, 1)]
