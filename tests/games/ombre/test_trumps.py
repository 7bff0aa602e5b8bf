"""The pack and the ranking of the cards (OMB-2.13 to 2.26). Winners of tricks: `test_perft.py` and example 20."""

import pytest

from ledger.cards import INDEX, PACK_52
from ledger.games.kernel.matadors import PACK, TRUMP_TABLES, plain_order
from tests.games.naive_matadors import PLAIN, TRUMPS


def texts(order):
    return tuple(PACK_52[card] for card in order)


def test_the_pack_has_forty_cards_without_tens_nines_and_eights():
    assert len(PACK) == 40
    assert {card[1] for card in PACK} == set("AKQJ765432")


@pytest.mark.parametrize("suit", "SHDC")
def test_the_trump_suit_ranks_as_in_the_table(suit):
    assert texts(TRUMP_TABLES[suit].order) == tuple(TRUMPS[suit])


@pytest.mark.parametrize("suit", "SHDC")
def test_a_plain_suit_ranks_as_in_the_table(suit):
    assert texts(plain_order(suit)) == tuple(PLAIN[suit])


@pytest.mark.parametrize("trump", "SHDC")
def test_every_trump_beats_every_other_card(trump):
    table = TRUMP_TABLES[trump]
    trumps = TRUMPS[trump]
    weakest = min(table.power[INDEX[card]] for card in trumps)
    assert all(table.power[INDEX[card]] < weakest for card in PACK - set(trumps))
