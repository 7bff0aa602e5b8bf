"""Wrong cards and wrong turns (QUA-11.26 to 11.36): what is found, and how the play goes on."""

from tests.games.cases import assert_cases, case, shown
from tests.games.quadrille.tables import at_play, tricks_for, with_six


def test_a_second_card_to_the_trick_is_ignored():
    table = at_play().trick(0, "HK").played(0, "H2")
    assert table.finding() == ("11.28", table.version, 0, [])
    assert "H2" in table.state().hands[0]


def test_a_card_played_twice_halts_the_deal():
    table = at_play().trick(0, "HK HQ H4 H6").played(0, "HK")
    assert [f.code for f in table.findings()] == ["QUA-11.29"]
    assert table.played(0, "H2").faults() == ["11.29"]
    assert table.closed().deal().status == "unscorable"


def test_a_matador_that_must_serve_a_higher_one():
    hands = {
        0: "SA SK HK H2 H3 D2 D3 C2 C3 S3",
        1: "CA H4 HQ HJ DK D4 D5 C4 C5 C6",
        2: "S7 S6 SQ SJ HA H5 DQ DJ D6 CK",
        3: "S5 S4 S2 H6 H7 DA D7 CQ CJ C7",
    }
    assert at_play("S", hands).trick(0, "SA DK").finding()[0] == "11.32"
    assert at_play("S", hands).trick(0, "S3 DK").codes() == ["11.33"]


def test_a_revoke_from_an_unknown_hand_is_proven_later():
    table = at_play("S", {}).trick(0, "HK D4")
    version = table.version
    assert table.faults() == []
    table.trick(2, "H4 H6").trick(0, "H2 HJ")
    assert table.finding() == ("11.31", version, 1, ["HJ"])


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


def test_a_card_after_the_end_is_ignored():
    table = with_six(call="solo").said(0, "premiers_stop").played(0, "SA")
    assert [(f.code, f.rule) for f in table.findings()] == [("QUA-11.35", "QUA-6.21")]
    assert table.deal().status == "complete"


def test_play_left_unfinished_is_found_at_the_last_event_of_the_deal():
    table = at_play().trick(0, "HK HQ")
    version = table.version
    table.closed()
    assert table.finding() == ("11.36", version, 1, None)
    assert table.deal().status == "unscorable"
    assert table.deal().deltas == [-1] * 4


def test_the_helper_makes_tricks_of_four_different_cards():
    assert len({card for trick in tricks_for([0, 1, 2, 3, 0, 1]) for card in trick.values()}) == 24


def test_after_a_skipped_seat_has_played_the_next_that_has_not_is_due():
    table = at_play().trick(0, "HK").played(2, "H4").played(1, "HQ")
    assert table.state().turn == 3  # QUA-11.4
    assert table.legal["card_played"] == ["H6", "H7"]
    table.played(3, "H6")
    assert table.faults() == ["11.27"]
    assert table.state().turn == 0


def test_a_second_card_is_ignored_after_a_seat_was_skipped_too():
    table = at_play().trick(0, "HK").played(2, "H4").played(1, "HQ").played(2, "H5")
    assert table.faults() == ["11.27", "11.28"]
    assert table.state().tricks[0].seats == [0, 2, 1]
    assert table.state().turn == 3


CASES = [
    case("a wrong lead stands", at_play().played(1, "HQ"), ("11.26", 1, []), turn=2),
    case("a card out of turn stands", at_play().trick(0, "HK").played(2, "H4"), ("11.27", 2, []), turn=1),
    shown("a card that was not dealt to the seat", at_play().trick(0, "HK HA"), who=[("11.30", 1)]),
    shown("closed after it", at_play().trick(0, "HK HA").closed(), faults=["11.30"]),
    shown("a wrong lead with a card not held is both", at_play().played(1, "HK"), faults=["11.26", "11.30"]),
    case("a revoke stands", at_play().trick(0, "HK DK"), ("11.31", 1, ["HJ", "HQ"]), turn=2),
    case("a wrong gatherer is found", at_play().trick(0, "HK HQ H4 H6").gathered(2), ("11.34", 2, None)),
    shown("the winner gathers", at_play().trick(0, "HK HQ H4 H6").gathered(0), faults=[]),
    shown("a voided deal is not incomplete", at_play().trick(0, "HK HQ").voided().closed(), faults=[]),
]


def test_each_case_is_as_its_row_says():
    assert_cases(CASES)
