"""Couillon's play by the rulebook's tables alone: a slow second opinion for the state machine.

Written from COU-2.17 to 2.23, the decision table after COU-6.8, COU-6.10, 6.11 and 6.13; it uses no masks.
"""

from collections.abc import Sequence

ORDER = "AKQJT987"


def effective_suit(card: str, trump: str, mit: bool) -> str:
    return trump if mit and card == "SQ" else card[0]


def strength(card: str, trump: str, mit: bool) -> float:
    """Return the strength within one suit: the higher, the stronger."""
    if mit and card == "SQ":
        return len(ORDER) - 0.5  # directly below the ace of trumps
    return len(ORDER) - ORDER.index(card[1])


def may_play(hand: Sequence[str], led: str | None, trump: str, mit: bool) -> list[str]:
    """Return the cards that the decision table allows, row by row."""
    if led is None:
        return sorted(hand)
    led_suit = effective_suit(led, trump, mit)
    suits = {card: effective_suit(card, trump, mit) for card in hand}
    holds_led, holds_trumps = led_suit in suits.values(), trump in suits.values()
    if led_suit != trump and holds_led and holds_trumps:
        allowed = {led_suit, trump}
    elif led_suit != trump and holds_led:
        allowed = {led_suit}
    elif led_suit == trump and holds_led:
        allowed = {trump}
    else:
        allowed = set("SHDC")
    return sorted(card for card in hand if suits[card] in allowed)


def winner(plays: Sequence[tuple[int, str]], trump: str, mit: bool) -> int:
    """Return the seat of the highest trump, or else of the highest card of the suit led."""
    led_suit = effective_suit(plays[0][1], trump, mit)
    for suit in (trump, led_suit):
        of_suit = [
            (strength(card, trump, mit), seat) for seat, card in plays if effective_suit(card, trump, mit) == suit
        ]
        if of_suit:
            return max(of_suit)[1]
    raise AssertionError("somebody has led")
