"""The partner's secret and the choice after six tricks (QUA-6.14 to 6.26, 11.37 to 11.43)."""

import pytest

from tests.games.cases import assert_cases, case, shown
from tests.games.quadrille.tables import Table, at_play, with_six


def secret(winners="002200", call="alliance") -> Table:
    """Six tricks of these seats; seat 2 holds the called king of clubs, which has not fallen. Spades are trumps."""
    groups = ["DK DQ DJ DA", "D2 D4 D5 D6", "CQ CJ C7 C6", "C5 C4 C3 C2", "HK HQ HJ HA", "CA SK SQ SJ"]
    hands = {0: "SA S2 H2 D3", 1: "S7 H3 H4 D7", 2: "CK S6 H5 H6", 3: "S5 S4 S3 H7"}
    tricks = []
    for group, winner in zip(groups, map(int, winners), strict=True):
        high, *low = group.split()
        others = [seat for seat in range(4) if seat != winner]
        tricks.append({winner: high, **dict(zip(others, low, strict=True))})
    full = {seat: " ".join([*(trick[seat] for trick in tricks), hands[seat]]) for seat in range(4)}
    table = at_play("S", full, call=call, called="CK")
    leader = 0
    for trick, winner in zip(tricks, map(int, winners), strict=True):
        table.trick(leader, " ".join(trick[(leader + step) % 4] for step in range(4)))
        leader = winner
    return table


@pytest.mark.parametrize("choice", ["stop", "continue"])
def test_a_solo_ombre_chooses_without_asking(choice):
    table = with_six(call="solo")
    assert table.legal["announced"] == ["premiers_continue", "premiers_stop"]
    assert table.said(0, f"premiers_{choice}").faults() == []
    assert with_six(call="solo").said(0, "premiers_ask").finding()[0] == "11.40"


def test_there_is_no_choice_in_a_vole():
    table = with_six(call="vole")
    assert list(table.legal) == ["card_played"]
    assert [f.rule for f in table.said(0, "premiers_stop").findings()] == ["QUA-6.15"]


def test_a_bare_lead_declares_the_vole():
    table = with_six(call="solo")
    table.played(0, table.legal["card_played"][0])
    assert table.codes() == ["11.43"]


def test_a_wrong_lead_lets_the_choice_lapse_and_declares_nothing():
    table = with_six(call="solo")
    table.played(1, table.state().hands[1][0])
    assert table.codes() == ["11.26"]
    assert "announced" not in table.legal


class TestReveal:
    def test_the_secret_partner_who_won_a_trick_must_reveal_himself_first(self):
        table = secret()
        assert table.legal == {"announced": ["2:reveal_partner"]}
        assert table.said(2, "reveal_partner").faults() == []
        assert table.legal["announced"] == ["premiers_ask", "premiers_continue", "premiers_stop"]

    def test_the_partner_fulfils_the_duty_by_choosing(self):
        table = secret("002202")
        assert "card_played" not in table.legal
        assert "reveal_partner" in table.legal["announced"]
        assert table.said(2, "premiers_ask").faults() == []
        assert table.legal == {"announced": ["reply_continue", "reply_stop"]}
        assert table.said(0, "reply_continue").faults() == []

    def test_a_trickless_partner_does_not_reveal_himself(self):
        table = secret("000000")
        assert "card_played" in table.legal
        assert table.said(2, "reveal_partner").finding() == ("11.37", table.version, 2, None)
        assert table.state(seat=1).partner == 2

    def test_the_partner_who_is_asked_answers_and_is_known(self):
        table = secret("000000").said(0, "premiers_ask")
        assert table.state(seat=1).turn is None
        table.said(2, "reply_stop")
        assert table.faults() == []
        assert table.state(seat=1).partner == 2
        assert table.deal().outcome["ending"] == "stopped"

    def test_the_partner_who_is_asked_may_go_on_for_the_vole(self):
        table = secret("000000").said(0, "premiers_ask").said(2, "reply_continue")
        assert (table.state().phase, table.state().turn) == ("play", 0)
        assert [line.rule for line in table.said(1, "premiers_stop").findings()] == ["QUA-6.18"]
        assert table.state().phase == "play"

    def test_a_reveal_too_early_stands(self):
        table = at_play("S", call="alliance", called="CK").said(2, "reveal_partner")
        assert table.finding() == ("11.37", table.version, 2, None)
        assert table.state(seat=1).partner == 2

    def test_another_who_reveals_himself_is_ignored(self):
        table = at_play("S", call="alliance", called="CK").said(1, "reveal_partner")
        assert table.finding() == ("11.38", table.version, 1, None)

    def test_the_partner_is_known_to_himself_and_to_nobody_else(self):
        table = at_play("S", call="alliance", called="CK")
        assert [table.state(seat=seat).partner for seat in range(4)] == [None, None, 2, None]

    def test_a_solo_ombre_has_no_partner_for_anybody(self):
        table = at_play("S", call="solo")
        assert [table.state(seat=seat).partner for seat in (None, 0, 1, 2, 3)] == [None] * 5

    def test_an_ombre_who_calls_none_is_alone_whoever_holds_spadille(self):
        hands = {
            0: "S2 S3 HK DK CK HQ DQ CQ D3 C2",
            1: "SA SQ SJ HA HJ DJ D4 D5 C4 C5",
            2: "S7 S6 CA H4 H5 DA H2 D6 C3 C6",
            3: "S5 S4 SK H6 H7 H3 D7 D2 CJ C7",
        }
        table = at_play("S", hands, call="alliance", called=None)
        assert table.faults() == []
        assert [table.state(seat=seat).partner for seat in (None, 0, 1, 2, 3)] == [None] * 5

    def test_a_forced_contract_ends_by_premiers(self):
        table = secret(call="forced")
        assert table.deal().status == "complete"
        assert table.legal == {}
        assert table.state(seat=1).phase == "play"  # seat 1 cannot know it yet
        assert table.said(2, "reveal_partner").faults() == []
        assert table.state(seat=1).phase == "settled"
        assert table.said(0, "premiers_stop").faults() == ["11.40"]

    def test_the_partner_may_show_the_called_card_after_the_closing(self):
        table = secret("000000").said(0, "premiers_stop").closed().said(2, "reveal_partner")
        assert table.faults() == []  # QUA-6.26, contract 5
        assert table.said(0, "premiers_stop").faults() == ["11.54"]

    def test_a_forced_partner_who_does_not_reveal_himself_is_found_at_the_sheet_or_the_end(self):
        table = secret(call="forced").claimed(pool=0)
        assert table.finding() == ("11.39", table.version, None, None)
        assert table.closed().faults() == ["11.39"]
        table = secret(call="forced")
        version = table.version
        assert table.closed().finding()[:3] == ("11.39", version, 3)  # the seat of the last card


CASES = [
    case("nobody else may choose", with_six(call="solo").said(1, "premiers_stop"), ("11.40", 1, None)),
    shown("before the sixth trick", with_six("00000", call="solo").said(0, "premiers_stop"), faults=["11.40"]),
    shown("when another won it", with_six("000001", call="solo").said(1, "premiers_stop"), faults=["11.40"]),
    case("a reply that nobody asked for", with_six(call="solo").said(1, "reply_stop"), ("11.41", 1, None)),
    # the reveal
    case(
        "a choice before the reveal is found", secret().said(0, "premiers_stop"), ("11.39", 0, None), status="complete"
    ),
    case("a lead before the reveal declares the vole", secret().played(0, "SA"), "11.39", "11.43"),
    case("a lead before the reply", secret("000000").said(0, "premiers_ask").played(0, "SA"), ("11.42", 0, None)),
]


def test_each_case_is_as_its_row_says():
    assert_cases(CASES)
