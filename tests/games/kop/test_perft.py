"""Deals counted twice: in how many lawful ways they can be played, by the engine and by a naive enumerator.

The numbers are fixed, too, so that a fault in what both share would show.
"""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.cards import INDEX, mask_of, texts_in
from ledger.events import CardPlayed
from ledger.games.kop.options import KopOptions
from ledger.games.kop.pack import PACK
from ledger.games.kop.play import Play
from ledger.games.kop.schemes import SCHEMES
from tests.builders import cards
from tests.games.kop import naive
from tests.games.kop.tables import ALONE, CICHA, FOUR_QUEENS, ORDINARY, hands_of

ENDINGS = [
    # scheme, hands of seats 0 to 3, number of continuations; seat 0 leads
    ("standard", ORDINARY, 2820),
    ("standard", CICHA, 960),
    ("standard", ALONE, 2928),
    ("new", FOUR_QUEENS, 6720),
    ("jacks", FOUR_QUEENS, 128),
    ("jacks", ("CJ SJ CA", "HJ CT SA", "DJ CQ ST", "HA DA DT"), 72),
    ("standard", ("CT CA DT", "ST SA DA", "HA SQ CJ", "HT CQ HQ"), 176),
]


def play_of(scheme, hands, **options):
    return Play(hands_of(*hands), SCHEMES[scheme], 0, KopOptions(**options), [], on_change=lambda: None)


def continuations(play, cards_left):
    """The engine's count: every playable card, applied to a copy."""
    if not cards_left:
        return 1
    ways = 0
    for card in play.playable(play.turn):
        after = play.copy(play.hands.copy(), [], play.on_end)
        assert not after.take_card(CardPlayed(seat=play.turn, card=card), 1)
        ways += continuations(after, cards_left - 1)
    return ways


@pytest.mark.parametrize(("scheme", "hands", "number"), ENDINGS)
def test_a_deal_has_as_many_continuations_as_the_rulebook_allows(scheme, hands, number):
    dealt = [list(cards(hand)) for hand in hands]
    assert naive.continuations(scheme, dealt) == number
    assert continuations(play_of(scheme, hands), sum(map(len, dealt))) == number


@settings(max_examples=15)
@given(st.sampled_from(sorted(SCHEMES)), st.permutations(sorted(PACK)), st.booleans(), st.booleans())
def test_any_ending_of_three_tricks_is_counted_alike(scheme, pack, must_trump, must_beat):
    hands = [pack[0:3], pack[3:6], pack[6:9], pack[9:12]]
    play = play_of(scheme, [" ".join(hand) for hand in hands], must_trump=must_trump, must_beat=must_beat)
    assert continuations(play, 12) == naive.continuations(scheme, hands, must_trump, must_beat)


@pytest.mark.parametrize("scheme", sorted(SCHEMES))
def test_for_every_two_cards_on_the_table_and_every_two_in_hand_engine_and_decision_table_agree(scheme):
    table = SCHEMES[scheme]
    for led in sorted(PACK):
        for second in sorted(PACK - {led}):
            trick = [led, second]
            best = naive.best(scheme, trick)
            for hand in combinations(sorted(PACK - {led, second}), 2):
                allowed = table.permitted(mask_of(map(INDEX.__getitem__, hand)), INDEX[led], INDEX[best], True, True)
                assert sorted(texts_in(allowed)) == sorted(naive.may_play(scheme, trick, list(hand))), (trick, hand)


def test_the_engine_and_the_lists_of_the_rulebook_agree_on_what_beats_what():
    for name, scheme in SCHEMES.items():
        for card in PACK:
            for other in PACK - {card}:
                assert bool(scheme.beaten_by[INDEX[other]] >> INDEX[card] & 1) == naive.beats(name, card, other)
