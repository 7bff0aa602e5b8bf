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


test_each_case_of_the_file = cases_of("quadrille/premiers.txt", at_play, secret, with_six)
