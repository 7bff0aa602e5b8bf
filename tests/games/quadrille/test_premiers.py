"""The partner's secret and the choice after six tricks (QUA-6.14 to 6.26, 11.37 to 11.43)."""

from tests.builders import trick_won_by
from tests.games.quadrille.tables import Table, at_play, with_six
from tests.games.scripted import cases_of


def secret(winners="002200", call="alliance") -> Table:
    """Six tricks of these seats; seat 2 holds the called king of clubs, which has not fallen. Spades are trumps."""
    groups = ["DK DQ DJ DA", "D2 D4 D5 D6", "CQ CJ C7 C6", "C5 C4 C3 C2", "HK HQ HJ HA", "CA SK SQ SJ"]
    hands = {0: "SA S2 H2 D3", 1: "S7 H3 H4 D7", 2: "CK S6 H5 H6", 3: "S5 S4 S3 H7"}
    seats = list(map(int, winners))
    tricks = [trick_won_by(winner, group.split(), range(4)) for winner, group in zip(seats, groups, strict=True)]
    full = {seat: " ".join([*(trick[seat] for trick in tricks), hands[seat]]) for seat in range(4)}
    return at_play("S", full, call=call, called="CK").tricks_by_seat(tricks, seats, 0)


class TestReveal:
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

    def test_a_reveal_too_early_stands(self):
        table = at_play("S", call="alliance", called="CK").said(2, "reveal_partner")
        assert table.finding() == ("11.37", table.version, 2, None)
        assert table.state(seat=1).partner == 2

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

    def test_a_forced_partner_who_does_not_reveal_himself_is_found_at_the_sheet_or_the_end(self):
        table = secret(call="forced").claimed(pool=0)
        assert table.finding() == ("11.39", table.version, None, None)
        assert table.closed().faults() == ["11.39"]
        table = secret(call="forced")
        version = table.version
        assert table.closed().finding()[:3] == ("11.39", version, 3)  # the seat of the last card


test_each_case_of_the_file = cases_of("quadrille/premiers.txt", at_play, secret, with_six)
