"""The play of Kop written from the rulebook alone, with words and lists: the oracle for the engine.

Nothing of `ledger` is used here. It is slow and simple on purpose.
"""

import tomllib
from pathlib import Path

SUITS: dict[str, dict[str, list[str]]] = tomllib.loads(
    Path(__file__).with_name("suits.toml").read_text(encoding="utf-8")
)


def suit_of(scheme: str, card: str) -> str:
    return next(suit for suit, cards in SUITS[scheme].items() if card in cards)


def beats(scheme: str, card: str, other: str) -> bool:
    """Return whether a card beats another (KOP-6.5)."""
    suit, other_suit = suit_of(scheme, card), suit_of(scheme, other)
    if suit == other_suit:
        return SUITS[scheme][suit].index(card) < SUITS[scheme][suit].index(other)
    return suit == "trumps"


def best(scheme: str, trick: list[str]) -> str:
    """Return the card that no other beats, of those that can win (KOP-6.5)."""
    able = [card for card in trick if suit_of(scheme, card) in ("trumps", suit_of(scheme, trick[0]))]
    return next(card for card in able if not any(beats(scheme, other, card) for other in able))


def may_play(
    scheme: str, trick: list[str], hand: list[str], must_trump: bool = True, must_beat: bool = True
) -> list[str]:
    """Return the first line of section 6's decision table that fits, with the options of KOP-6.7, 6.8 and 6.10."""
    if not trick:
        return hand
    led = [card for card in hand if suit_of(scheme, card) == suit_of(scheme, trick[0])]
    trumps = [card for card in hand if suit_of(scheme, card) == "trumps"]
    highest = best(scheme, trick)
    if led:
        over = [card for card in led if beats(scheme, card, highest)]
        return over if over and must_beat else led
    if trumps and must_trump:
        over = [card for card in trumps if beats(scheme, card, highest)]
        return over if over and must_beat else trumps
    return hand


def winner(scheme: str, trick: list[tuple[int, str]]) -> int:
    winning = best(scheme, [card for _, card in trick])
    return next(seat for seat, card in trick if card == winning)
