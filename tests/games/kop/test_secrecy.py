"""What a seat is shown never depends on cards that it has not seen."""

from itertools import permutations

from tests.games.kop.tables import CICHA, Table, bidding
from tests.games.scripted import cases_of


def test_an_ordinary_game_and_cicha_look_alike_to_a_seat_without_old_queens():
    assert Table().deal_out(("CQ HQ HJ CJ", *CICHA[1:])).passed_out().state(seat=1).contract is None
    own = CICHA[1].split()
    others = [card for hand in CICHA for card in hand.split() if card not in own]
    seen = set()
    for first in list(permutations(others, 4))[::900]:
        rest = [card for card in others if card not in first]
        hands = (" ".join(first), CICHA[1], " ".join(rest[:4]), " ".join(rest[4:]))
        state = Table().deal_out(hands).passed_out().state(seat=1)
        seen.add((state.contract, state.declarer, state.partner))
    assert seen == {(None, None, None)}


test_each_case_of_the_file = cases_of("kop/secrecy.txt", Table, bidding)
