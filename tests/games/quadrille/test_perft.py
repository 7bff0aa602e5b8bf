"""Endings counted twice: in how many lawful ways they can be played, by the engine and by a naive enumerator."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.cards import BIT, INDEX
from ledger.events import CardPlayed
from ledger.games.kernel.holdings import Holdings
from ledger.games.kernel.matadors import PACK, PACK_MASK, TRUMP_TABLES
from ledger.games.quadrille.options import QuadrilleOptions
from ledger.games.quadrille.play import Play
from ledger.games.quadrille.side import Dealt, Side
from tests.builders import cards
from tests.games.quadrille import naive

ENDINGS = [
    # trump, hands of seats 0 to 3; seat 0 leads
    ("S", "SA S2 CA", "SK SQ SJ", "HK HQ HJ", "S3 D2 D3"),
    ("C", "C2 C3 SK", "SA CA DK", "C4 S2 D2", "C5 H2 S3"),
    ("H", "H7 H2 S2", "SA HA S3", "CA H3 D7", "DK S4 C2"),
    ("D", "D7 D2 C5", "SA CA C2", "DA DK C3", "D3 C4 H2"),
]


def nobody():
    """Nothing happens at the end."""


def play_of(trump, hands):
    holdings = Holdings(4, PACK_MASK)
    for seat, hand in enumerate(hands):
        holdings.give_known(seat, sum(BIT[card] for card in hand))
    side = Side(0, 0, Dealt(holdings.known[:]))
    return Play(holdings, TRUMP_TABLES[trump], 0, side, "solo", QuadrilleOptions(), nobody)


def continuations(play, cards_left):
    """The engine's count: every playable card, applied to a copy."""
    if not cards_left:
        return 1
    ways = 0
    for card in play.playable(play.turn):
        after = play.copy(play.holdings.copy(), nobody)
        assert not [f for f in after.take_card(CardPlayed(seat=play.turn, card=card), 1) if f.severity == "error"]
        ways += continuations(after, cards_left - 1)
    return ways


@pytest.mark.parametrize("ending", ENDINGS)
def test_an_ending_has_as_many_continuations_as_the_rulebook_allows(ending):
    trump, *texts = ending
    hands = [list(cards(text)) for text in texts]
    assert continuations(play_of(trump, hands), 12) == naive.continuations(trump, hands, [], 0) > 1


@settings(max_examples=20)
@given(st.sampled_from("SHDC"), st.permutations(sorted({"SA", "CA", "S2", "C2", "H7", "D7", "HA", "DA", "S3", "C3"})))
def test_endings_full_of_matadors_are_counted_alike(trump, pack):
    hands = [pack[place : place + 2] for place in range(0, 8, 2)]
    assert continuations(play_of(trump, hands), 8) == naive.continuations(trump, hands, [], 0)


@pytest.mark.parametrize("trump", "SHDC")
def test_for_every_card_led_and_every_two_cards_the_engine_and_the_decision_table_agree(trump):
    pack = sorted(PACK)
    table = TRUMP_TABLES[trump]
    for led in pack:
        for place, one in enumerate(pack):
            for other in pack[place + 1 :]:
                if led not in (one, other):
                    allowed = table.playable(BIT[one] | BIT[other], INDEX[led])
                    assert allowed == sum(BIT[card] for card in naive.may_play(trump, led, [one, other]))
