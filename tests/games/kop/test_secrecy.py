"""What a seat is shown never depends on cards that it has not seen."""

from itertools import permutations

from msgspec import structs

from tests.games.kop.tables import CICHA, ORDINARY, Table


def test_partners_are_secret_until_their_queens_appear():
    table = Table().deal_out(ORDINARY).passed_out()
    assert [(table.state(seat=seat).declarer, table.state(seat=seat).partner) for seat in range(4)] == [
        (None, 0),  # holds SQ
        (None, None),
        (None, None),
        (3, None),  # holds CQ
    ]
    table.trick(0, "DT DQ HT HA").trick(3, "SA CJ ST HQ").trick(2, "DA CQ")
    assert {table.state(seat=seat).declarer for seat in range(4)} == {3}
    assert [table.state(seat=seat).partner for seat in range(4)] == [0, None, None, None]
    table.played(0, "SQ")
    assert {table.state(seat=seat).partner for seat in range(4)} == {0}


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


def test_the_holder_of_one_seen_old_queen_is_no_partner_while_he_may_hold_the_other():
    table = Table().deal_out(CICHA).passed_out()
    queen = next(card for card in CICHA[0].split() if card == "SQ")
    table.played(1, CICHA[1].split()[0]).played(2, CICHA[2].split()[0]).played(3, CICHA[3].split()[0]).played(0, queen)
    assert [table.state(seat=seat).partner for seat in range(4)] == [None] * 4


def test_the_holder_of_both_old_queens_knows_that_he_plays_a_cicha():
    table = Table().deal_out(CICHA).passed_out()
    assert (table.state(seat=0).contract, table.state(seat=0).declarer) == ("cicha", 0)
    assert table.state(seat=1).contract is None


def test_the_bidder_of_a_wesele_does_not_know_his_partner_but_the_partner_does():
    table = Table().deal_out(CICHA).contract(0, "wesele")
    states = [table.state(seat=seat) for seat in range(4)]
    assert {(state.contract, state.declarer) for state in states} == {("wesele", 0)}
    assert [state.partner for state in states] == [None, 1, None, None]
    assert table.state().partner == 1


def test_the_calls_that_another_seat_may_make_are_those_that_it_could_have():
    table = Table().deal_out(ORDINARY, dealer=2).calls("3 pass")
    assert table.state().turn == 0
    assert table.state().legal == {"bid_made": ["kontra", "pass", "zolo", "zolo_du"]}
    assert table.state(seat=1).legal == {"bid_made": ["kontra", "pass", "wesele", "zolo", "zolo_du"]}
    assert table.state(seat=3).legal == table.state().legal  # 3 holds CQ itself
    assert structs.asdict(table.state(seat=0))["legal"] == table.state().legal
