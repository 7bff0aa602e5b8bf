"""What may be played to a card led (OMB-6.3 to 6.13, example 19)."""

from pathlib import Path

import pytest

from tests.builders import cards
from tests.games.ombre.tables import in_play
from tests.games.scripted import cases_of
from tests.web.lists import lines_in

ANY = "any"


def may_play(trump: str, led: str, hand: str) -> str:
    """What a seat with these cards, and no others of those suits, may play: a list, or any card."""
    suits = "".join({led[0], trump, "S" if led == "SA" else "", "C" if led == "CA" else ""})
    record = in_play(trump, {0: led, 1: hand}, avoid={1: suits}).played(0, led)
    legal = set(record.legal["card_played"])
    held = set(record.state().hands[1])
    if legal == held:
        return ANY
    assert legal <= set(cards(hand)), "a card that was only added to fill the hand"
    return " ".join(card for card in cards(hand) if card in legal)


@pytest.mark.parametrize("line", lines_in(Path(__file__).with_name("duties.txt")))
def test_example_19_and_the_duties(line):
    lead, hand, allowed, *_ = line.split(" | ")
    assert may_play(*lead.split(), hand) == allowed


def test_basto_alone_is_exempt_when_a_small_trump_is_led():
    assert may_play("H", "H3", "CA SK") == ANY


test_each_case_of_the_file = cases_of("ombre/following.txt", in_play)
