"""Wrong cards, wrong turns, gathering and conceding (COU-11.27 to 11.39): what is found, and how the play goes on."""

import pytest

from tests.games.cases import assert_cases, case
from tests.games.couillon.tables import Table

# Trump hearts, seat 0 leads. Aces, kings and so on of one suit lie with one seat each trick.
HANDS = {0: "SA HA DK C9", 1: "SK HK DQ CA", 2: "SQ S9 DJ CK", 3: "SJ ST DA CQ"}


def playing(**options):
    """basic4, dealer 3; seat 0 has taken hearts."""
    return Table(**options).start(3).dealt(HANDS, "HJ HQ HT H9 DT D9 CT CJ").turned("HJ").calls("0 take")


def to_the_end(**options):
    return (
        playing(**options)
        .trick(0, "SA SK SQ SJ")
        .trick(0, "DK DQ DJ DA")
        .trick(3, "CQ C9 CA CK")
        .trick(1, "HK S9 ST HA")
    )


def test_a_deal_played_in_order_has_no_finding():
    table = to_the_end()
    assert table.codes() == []
    assert table.deal().outcome["card_points"] == (17, 19)
    assert [trick.winner for trick in table.state().tricks] == [0, 3, 1, 0]
    assert [trick.won_by for trick in table.state().tricks] == ["led", "led", "led", "trump"]
    assert (table.state().trick_counts, table.state().card_points) == ([2, 1, 0, 1], [17, 9, 0, 10])


class TestTurn:  # 11.27 to 11.30 the turn
    def test_a_first_lead_by_another_than_forehand_is_found_and_stands(self):
        table = playing().played(1, "SK")
        assert table.breach() == ("11.27", "6.1", table.version, 1)
        assert table.findings()[0].legal == []
        assert table.state().turn == 2
        table.trick(2, "SQ SJ SA")
        assert (table.state().tricks[0].leader, table.state().tricks[0].winner, table.codes()) == (1, 0, ["11.27"])

    def test_a_later_lead_by_another_than_the_winner_is_found_and_stands(self):
        table = playing().trick(0, "SA SK SQ SJ").played(3, "DA")
        assert table.breach() == ("11.28", "6.13", table.version, 3)
        assert table.trick(0, "DK DQ DJ").state().tricks[1].winner == 3
        assert table.codes() == ["11.28"]

    def test_a_second_card_to_a_trick_blocks_the_deal_and_is_not_also_out_of_turn(self):
        table = playing().played(0, "SA").played(0, "HA")
        assert table.breach() == ("11.30", "6.3", table.version, 0)
        assert table.deal().status == "unscorable"
        table.trick(1, "SK SQ")
        assert [len(trick.cards) for trick in table.state().tricks] == [4]
        assert table.codes() == ["11.30"]

    def test_a_trick_that_the_second_card_of_a_seat_won_was_won_by_that_card(self):
        (trick,) = playing().played(0, "SA").played(0, "HA").trick(1, "SK SQ").state().tricks
        assert (trick.winner, trick.won_by) == (0, "trump")


class TestCard:  # 11.31, 11.32 the card
    def test_a_card_never_dealt_to_the_seat_blocks_the_deal(self):
        table = playing().played(0, "H9")
        assert table.breach() == ("11.31", "6.2", table.version, 0)
        assert table.findings()[0].legal == ["C9", "DK", "HA", "SA"]
        assert table.deal().status == "unscorable"

    def test_a_card_played_before_by_the_same_seat_is_only_played_twice(self):
        table = playing().trick(0, "SA SK SQ SJ").played(0, "SA")
        assert table.breach() == ("11.32", "6.14", table.version, 0)

    def test_a_card_that_the_pack_had_twice_is_played_twice_though_both_seats_held_it(self):
        hands = {**HANDS, 1: "SA HK DQ CA"}
        table = Table().start(3).dealt(hands, "HJ HQ HT H9 DT D9 CT CJ").turned("HJ").calls("0 take")
        assert table.trick(0, "SA SA SQ SJ").codes() == ["11.11", "11.32"]

    def test_a_card_after_the_last_trick_was_not_dealt_or_is_played_twice(self):
        table = to_the_end().played(0, "SA").played(0, "H9")
        assert table.codes() == ["11.32", "11.31"]
        assert table.deal().status == "unscorable"
        assert len(table.state().tricks) == 4

    def test_a_card_in_a_deal_whose_result_is_recorded_is_played_twice(self):
        table = Table().start(3).result(20, 8).played(0, "SA")
        assert table.breach() == ("11.32", "6.14", table.version, 0)
        assert table.deal().status == "unscorable"


# --- 11.33, 11.34 revokes ---------------------------------------------------------------------------------------------


def test_a_third_suit_while_able_to_follow_is_a_revoke():
    table = playing().played(0, "SA").played(1, "DQ")
    assert table.breach() == ("11.33", "6.6", table.version, 1)
    assert table.findings()[0].legal == ["HK", "SK"]
    assert table.trick(2, "SQ SJ").trick(0, "DK SK DJ DA").trick(3, "CQ C9 CA CK").deal().status == "open"


# --- 11.35, 11.36 gathering -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seat", "code"), [(1, "11.35"), (3, "11.35"), (2, "11.36")])
def test_a_trick_gathered_by_another_is_found_and_credited_to_its_winner(seat, code):
    table = playing().trick(0, "SA SK SQ SJ").gathered(seat)
    assert table.breach() == (code, "6.12", table.version, seat)
    assert table.state().trick_counts == [1, 0, 0, 0]


class TestUnfinished:  # 11.37 unfinished
    def test_an_unfinished_deal_is_found_at_its_last_event_without_a_seat(self):
        table = playing().trick(0, "SA SK SQ SJ")
        assert (table.codes(), table.deal().status) == ([], "open")
        version = table.version
        table.start()
        assert table.breach() == ("11.37", "6.14", version, None)
        assert table.deal(1).status == "unscorable"

    @pytest.mark.parametrize("ruling", [("void", {}), ("award", {"winner": 0, "strength": 1})])
    def test_an_unfinished_deal_that_a_ruling_decides_is_no_irregularity(self, ruling):
        kind, award = ruling
        table = (
            playing().trick(0, "SA SK SQ SJ").ruled(kind, **award).start(3 if kind == "void" else None).result(12, 12)
        )
        assert table.codes() == []
        assert table.deal(1).status == ("voided" if kind == "void" else "complete")

    def test_a_deal_with_all_its_cards_played_is_finished_whatever_was_wrong(self):
        table = (
            playing().trick(0, "H9 SK SQ SJ").trick(0, "DK DQ DJ DA").trick(3, "CQ C9 CA CK").trick(1, "HK S9 ST HA")
        )
        assert table.start().codes() == ["11.31", "11.34"]


class TestConcession:  # 11.38, 11.39 concession
    def test_no_concession_where_every_deal_is_played_out(self):
        table = playing().trick(0, "SA SK SQ SJ").said(1, "concede")
        assert table.breach() == ("11.38", "6.15", table.version, 1)
        assert "announced" not in table.legal

    def test_the_rest_counts_for_the_team_that_does_not_concede(self):
        table = playing(concession="rest").trick(0, "SA SK SQ SJ")
        assert table.legal["announced"] == ["1:concede", "2:concede", "3:concede", "concede"]
        outcome = table.said(1, "concede").deal().outcome
        assert (outcome["card_points"], outcome["tricks"], outcome["result"]) == ((36, 0), (4, 0), "ALL_TRICKS")
        assert (table.legal, table.start().codes()) == ({}, [])

    def test_conceding_does_not_settle_who_has_won(self):
        table = playing(concession="rest").trick(0, "SA SK SQ SJ").trick(0, "DK DQ DJ DA").said(2, "concede")
        assert table.deal().outcome["winner"] == 1
        assert table.deal().outcome["card_points"] == (10, 26)

    @pytest.mark.parametrize(
        "table",
        [
            playing(concession="rest").said(0, "concede"),
            playing(concession="rest").trick(0, "SA SK").said(0, "concede"),
            to_the_end(concession="rest").said(0, "concede"),
            Table(concession="rest").start(3).result(20, 8).said(0, "concede"),
            playing(concession="rest").trick(0, "SA SK SQ SJ").said(1, "concede").said(0, "concede"),
        ],
    )
    def test_a_concession_at_another_moment_is_void(self, table):
        assert table.breach() == ("11.38", "6.16", table.version, 0)

    def test_a_card_after_a_concession_is_noted_and_ignored(self):
        table = playing(concession="rest").trick(0, "SA SK SQ SJ").said(1, "concede")
        before = table.deal()
        table.played(0, "DK")
        assert table.breach() == ("11.39", "6.17", table.version, 0)
        assert table.deal() == before


CASES = [
    # 11.27 to 11.30 the turn
    case("a card out of turn", playing().played(0, "SA").played(2, "SQ"), ("11.29", "6.3", 2), offered=[], turn=1),
    case("the skipped seat is due", playing().played(0, "SA").played(2, "SQ").played(1, "SK"), "11.29", turn=3),
    # 11.31, 11.32 the card
    case("a card that another has played is both", playing().played(0, "SA").played(1, "SA"), "11.31", "11.32"),
    case("the audit goes on in a blocked deal", playing().played(0, "H9").played(2, "SQ"), "11.31", "11.29"),
    # 11.33, 11.34 revokes
    case("a trump may always be played", playing().trick(0, "SA HK SQ SJ"), turn=1),
    case("no trump on a trump lead", playing().played(0, "HA").played(1, "SK"), ("11.34", "6.5", 1), offered=["HK"]),
    case("a revoke out of turn is both", playing().played(0, "SA").played(2, "DJ"), "11.29", "11.33"),
    case("who cannot follow may play anything", playing().trick(0, "HA HK SQ DA")),
    # 11.35, 11.36 gathering
    case("the winner may gather", playing().trick(0, "SA SK SQ SJ").gathered(0)),
    case("nobody in mid-trick", playing().trick(0, "SA SK").gathered(0), "11.35"),
    case("the last winner after the end", lambda: to_the_end().gathered(0)),
    # 11.37 unfinished
    case("a ruling that decides nothing leaves it unfinished", playing().ruled("stands").closed(), "11.37"),
]


def test_each_case_is_as_its_row_says():
    assert_cases(CASES)
