"""The pack and the order of the cards (OMB-2.13 to 2.26), and who wins a trick (OMB-6.14, example 20)."""

import pytest

from ledger.cards import INDEX, PACK_52
from ledger.games.kernel.matadors import PACK, TRUMP_TABLES, plain_order
from tests.builders import cards
from tests.games.ombre.tables import in_play

TRUMPS = {  # OMB-2.24
    "S": "SA S2 CA SK SQ SJ S7 S6 S5 S4 S3",
    "C": "SA C2 CA CK CQ CJ C7 C6 C5 C4 C3",
    "H": "SA H7 CA HA HK HQ HJ H2 H3 H4 H5 H6",
    "D": "SA D7 CA DA DK DQ DJ D2 D3 D4 D5 D6",
}
PLAIN = {  # OMB-2.25
    "S": "SK SQ SJ S7 S6 S5 S4 S3 S2",
    "C": "CK CQ CJ C7 C6 C5 C4 C3 C2",
    "H": "HK HQ HJ HA H2 H3 H4 H5 H6 H7",
    "D": "DK DQ DJ DA D2 D3 D4 D5 D6 D7",
}


def texts(order):
    return tuple(PACK_52[card] for card in order)


def test_the_pack_has_forty_cards_without_tens_nines_and_eights():
    assert len(PACK) == 40
    assert {card[1] for card in PACK} == set("AKQJ765432")


@pytest.mark.parametrize("suit", "SHDC")
def test_the_trump_suit_ranks_as_in_the_table(suit):
    assert texts(TRUMP_TABLES[suit].order) == cards(TRUMPS[suit])


@pytest.mark.parametrize("suit", "SHDC")
def test_a_plain_suit_ranks_as_in_the_table(suit):
    assert texts(plain_order(suit)) == cards(PLAIN[suit])


@pytest.mark.parametrize("suit", "SHDC")
def test_spadille_manille_and_basto_are_the_only_matadors(suit):
    matadors = TRUMP_TABLES[suit].matadors
    assert {card for card in PACK if matadors >> INDEX[card] & 1} == set(cards(TRUMPS[suit])[:3])


@pytest.mark.parametrize("trump", "SHDC")
def test_every_trump_beats_every_other_card(trump):
    table = TRUMP_TABLES[trump]
    trumps = cards(TRUMPS[trump])
    weakest = min(table.power[INDEX[card]] for card in trumps)
    assert all(table.power[INDEX[card]] < weakest for card in PACK - set(trumps))


@pytest.mark.parametrize("trump", "SHDC")
def test_a_black_ace_counts_to_no_plain_suit(trump):
    table = TRUMP_TABLES[trump]
    for plain in "SHDC":
        if plain != trump:
            followers = table.follows[INDEX[plain + "K"]]
            assert not followers >> INDEX["SA"] & 1
            assert not followers >> INDEX["CA"] & 1


@pytest.mark.parametrize(
    ("trump", "leader", "trick", "winner"),
    [
        ("S", 0, "HA H2 HJ", 2),  # plain hearts: J A 2
        ("H", 0, "H3 H7 CA", 1),  # Manille above Basto
        ("D", 0, "C7 SA CK", 1),  # Spadille
        ("D", 0, "DA DK D7", 2),  # Manille above Punto
        ("C", 0, "S7 SQ C2", 2),  # C2 is Manille, a trump
        ("C", 2, "D2 D7 H7", 2),  # plain diamonds: 2 above 7
        ("H", 1, "C3 H2 H6", 2),  # trump hearts: 2 above 6
        ("S", 0, "HK DK CK", 0),  # a card of another suit never wins
    ],
)
def test_the_highest_trump_wins_else_the_highest_card_of_the_suit_led(trump, leader, trick, winner):
    first, second, third = cards(trick)
    hands = {leader: first, (leader + 1) % 3: second, (leader + 2) % 3: third}
    keep_out = {seat: "" if seat == leader else first[0] for seat in range(3)}
    record = in_play(trump, hands, dealer=(leader - 1) % 3, ombre=leader, avoid=keep_out)
    state = record.trick(leader, trick).state()
    assert record.codes() == []
    assert state.tricks[0].winner == winner
    assert state.turn == winner  # OMB-6.15
