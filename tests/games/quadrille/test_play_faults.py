"""Wrong cards and wrong turns (QUA-11.26 to 11.36): what is found, and how the play goes on."""

from tests.games.quadrille.tables import at_play, tricks_for, with_six
from tests.games.scripted import cases_of


def test_a_matador_that_must_serve_a_higher_one():
    hands = {
        0: "SA SK HK H2 H3 D2 D3 C2 C3 S3",
        1: "CA H4 HQ HJ DK D4 D5 C4 C5 C6",
        2: "S7 S6 SQ SJ HA H5 DQ DJ D6 CK",
        3: "S5 S4 S2 H6 H7 DA D7 CQ CJ C7",
    }
    assert at_play("S", hands).trick(0, "SA DK").finding()[0] == "11.32"
    assert at_play("S", hands).trick(0, "S3 DK").codes() == ["11.33"]


def proven_revoke():
    """Seat 1 did not serve hearts in the first trick and plays one in the third; answers the version of the revoke."""
    table = at_play("S", {}).trick(0, "HK D4")
    return table.trick(2, "H4 H6").trick(0, "H2 HJ"), table.version - 4


def test_a_revoke_that_was_proven_stays_found_when_the_deal_is_left_unfinished():
    table, revoke = proven_revoke()
    found = [(f.code, f.version) for f in table.closed().findings()]
    assert found == [("QUA-11.31", revoke), ("QUA-11.36", table.version - 1)]


def test_a_revoke_that_was_proven_stays_found_when_the_deal_halts():
    table, revoke = proven_revoke()
    table.trick(2, "H5 H7").played(0, "HK")  # QUA-11.3: what comes after is skipped, not what came before
    first = table.findings()[0]
    assert (first.code, first.version) == ("QUA-11.31", revoke)
    assert table.faults()[-1] == "11.29"


def test_the_helper_makes_tricks_of_four_different_cards():
    assert len({card for trick in tricks_for([0, 1, 2, 3, 0, 1]) for card in trick.values()}) == 24


def test_a_second_card_is_ignored_after_a_seat_was_skipped_too():
    table = at_play().trick(0, "HK").played(2, "H4").played(1, "HQ").played(2, "H5")
    assert table.faults() == ["11.27", "11.28"]
    assert table.state().tricks[0].seats == [0, 2, 1]
    assert table.state().turn == 3


test_each_case_of_the_file = cases_of("quadrille/play_faults.txt", at_play, with_six)
