"""Endings counted twice: in how many lawful ways they can be played, by the engine and by a naive enumerator.

The numbers are fixed, too, so that a fault in what both share would show.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.cards import BIT
from ledger.events import CardPlayed
from ledger.games.kernel.holdings import Holdings
from ledger.games.kernel.matadors import PACK, PACK_MASK, TRUMP_TABLES
from ledger.games.ombre.options import OmbreOptions
from ledger.games.ombre.play import Play
from tests.builders import cards
from tests.games.ombre import naive

ENDINGS = [
    # trump, hands of seats 0, 1, 2, number of continuations; seat 0 leads
    ("S", "SA S2 CA", "SK SQ SJ", "HK HQ HJ", 216),
    ("S", "S3 S4 HK", "SA S2 CA", "SK DK CK", 72),
    ("S", "S5 HK DK CK", "SA S2 H3 D3", "S3 H2 D2 CA", 944),
    ("S", "CA S2 HA H2", "SA S3 HK H3", "SK DK HQ D2", 600),
    ("C", "C2 C3 SK", "SA CA DK", "C4 S2 D2", 38),
    ("C", "CA C7 H7 HK", "SA C2 H2 D4", "C5 C6 HA S2", 960),
    ("C", "SK SQ S2 C3", "SA SJ S3 C4", "CA S4 S5 C2", 1240),
    ("H", "H7 H2 S2", "SA HA S3", "CA H3 D7", 62),
    ("H", "H6 HK DK CK", "SA H7 CA D2", "HA HQ DQ CQ", 480),
    ("H", "CA H5 SK S4", "SA H7 S5 C3", "HA H2 S6 C4", 880),
    ("D", "D7 D2 C5", "SA CA C2", "DA DK C3", 40),
    ("D", "SA D3 HK H7", "D7 CA HA H2", "DA D4 H3 S2", 636),
    ("D", "CA D6 CK C2", "SA D7 C3 C4", "D5 C5 C6 HK", 896),
]


def play_of(trump: str, hands: list[list[str]]) -> Play:
    holdings = Holdings(3, PACK_MASK)
    for seat, hand in enumerate(hands):
        holdings.give_known(seat, sum(BIT[card] for card in hand))
    table = TRUMP_TABLES[trump]
    return Play(holdings, table, (0, 1, 2), 0, "entrada", OmbreOptions(), 3, on_end=lambda: None)


def continuations(play: Play, cards_left: int) -> int:
    """The engine's count: every playable card, applied to a copy."""
    if not cards_left:
        return 1
    ways = 0
    assert play.turn is not None
    for card in play.playable(play.turn):
        after = play.copy(play.holdings.copy(), play.on_end)
        assert not [found for found in after.take_card(CardPlayed(seat=play.turn, card=card), 1) if found.legal]
        ways += continuations(after, cards_left - 1)
    return ways


@pytest.mark.parametrize(("trump", "first", "second", "third", "number"), ENDINGS)
def test_an_ending_has_as_many_continuations_as_the_rulebook_allows(trump, first, second, third, number):
    hands = [list(cards(hand)) for hand in (first, second, third)]
    assert naive.continuations(trump, hands, 0) == number
    assert continuations(play_of(trump, hands), sum(map(len, hands))) == number


@settings(max_examples=50)
@given(st.sampled_from("SHDC"), st.permutations(sorted(PACK)))
def test_any_ending_of_three_tricks_is_counted_alike(trump, pack):
    hands = [pack[:3], pack[3:6], pack[6:9]]
    assert continuations(play_of(trump, hands), 9) == naive.continuations(trump, hands, 0)


@settings(max_examples=50)
@given(st.sampled_from("SHDC"), st.permutations(sorted({"SA", "CA", "S2", "C2", "H7", "D7", "HA", "DA", "S3", "C3"})))
def test_endings_full_of_matadors_are_counted_alike(trump, pack):
    hands = [pack[:3], pack[3:6], pack[6:9]]
    assert continuations(play_of(trump, hands), 9) == naive.continuations(trump, hands, 0)


@pytest.mark.parametrize("trump", "SHDC")
def test_for_every_card_led_and_every_two_cards_the_engine_and_the_decision_table_agree(trump):
    pack = sorted(PACK)
    table = TRUMP_TABLES[trump]
    for led in pack:
        for place, one in enumerate(pack):
            for other in pack[place + 1 :]:
                if led in (one, other):
                    continue
                lead = next(index for index, bit in enumerate(bin(BIT[led])[:1:-1]) if bit == "1")
                allowed = table.playable(BIT[one] | BIT[other], lead)
                expected = naive.may_play(trump, led, [one, other])
                assert allowed == sum(BIT[card] for card in expected), (led, one, other)
