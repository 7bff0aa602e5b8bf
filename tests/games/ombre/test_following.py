"""What may be played to a card led (OMB-6.3 to 6.13, example 19)."""

import pytest

from tests.builders import cards
from tests.games.ombre.tables import in_play
from tests.games.scripted import cases_of

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


@pytest.mark.parametrize(
    ("trump", "led", "hand", "allowed"),
    [
        ("S", "S5", "SA S2 DK H7", ANY),  # Matadors only
        ("S", "S5", "SA S2 S3 DK", "SA S2 S3"),
        ("S", "S2", "SA DK H7", ANY),  # Spadille above Manille
        ("S", "S2", "CA DK H7", "CA"),  # Basto is lower
        ("S", "S2", "SA CA DK", "SA CA"),  # not all higher
        ("S", "SA", "S2 CA DK", "S2 CA"),
        ("S", "CA", "SA S2 HK", ANY),
        ("S", "CA", "SA S3 DK", "SA S3"),
        ("H", "H3", "HA DK C4", "HA"),  # Punto is no Matador
        ("H", "CA", "H7 SA D2", ANY),
        ("D", "SA", "D7 D2 HK", "D7 D2"),
        ("H", "SK", "SA S4 DK", "S4"),  # SA is not a spade here
        ("H", "SK", "SA CA DK", ANY),  # no plain spade
        ("D", "C5", "CA D4 HK", ANY),  # CA is not a club here
        ("S", "HK", "HA H3 SA S5", "HA H3"),  # a plain suit must be followed
        ("S", "HK", "SA S5 DK", ANY),  # without it there is no duty to trump
        ("S", "S5", "HK DK", ANY),  # without trumps any card may be played to a trump
        ("S", "S5", "S3 SK", "S3 SK"),  # there is no duty to overtake
        ("S", "SA", "CA DK", "CA"),  # Spadille led takes every trump
        ("S", "CA", "SA HK", ANY),  # Spadille and Manille are exempt when Basto is led
        ("S", "CA", "S2 HK", ANY),
        ("S", "CA", "SA S2 HK", ANY),
        ("C", "C2", "SA HK", ANY),  # Spadille alone is exempt when Manille is led
    ],
)
def test_example_19_and_the_duties(trump, led, hand, allowed):
    assert may_play(trump, led, hand) == allowed


def test_basto_alone_is_exempt_when_a_small_trump_is_led():
    assert may_play("H", "H3", "CA SK") == ANY


test_each_case_of_the_file = cases_of("ombre/following.txt", in_play)
