"""The play of an Ombre deal written from the rulebook alone, with words and lists: the oracle for the engine.

Nothing of `ledger` is used here. It is slow and simple on purpose.
"""

from __future__ import annotations

TRUMPS = {  # OMB-2.24, high to low
    "S": ["SA", "S2", "CA", "SK", "SQ", "SJ", "S7", "S6", "S5", "S4", "S3"],
    "C": ["SA", "C2", "CA", "CK", "CQ", "CJ", "C7", "C6", "C5", "C4", "C3"],
    "H": ["SA", "H7", "CA", "HA", "HK", "HQ", "HJ", "H2", "H3", "H4", "H5", "H6"],
    "D": ["SA", "D7", "CA", "DA", "DK", "DQ", "DJ", "D2", "D3", "D4", "D5", "D6"],
}
PLAIN = {  # OMB-2.25, high to low
    "S": ["SK", "SQ", "SJ", "S7", "S6", "S5", "S4", "S3", "S2"],
    "C": ["CK", "CQ", "CJ", "C7", "C6", "C5", "C4", "C3", "C2"],
    "H": ["HK", "HQ", "HJ", "HA", "H2", "H3", "H4", "H5", "H6", "H7"],
    "D": ["DK", "DQ", "DJ", "DA", "D2", "D3", "D4", "D5", "D6", "D7"],
}


def may_play(trump: str, led: str, hand: list[str]) -> list[str]:
    """The cards that a follower may play: OMB-6.5, 6.6 and the decision table of section 6, first row that fits."""
    trumps = [card for card in hand if card in TRUMPS[trump]]
    if led not in TRUMPS[trump]:
        same_suit = [card for card in hand if card in PLAIN[led[0]] and card not in TRUMPS[trump]]
        return same_suit or hand  # OMB-6.5, 6.6
    spadille, manille, basto = TRUMPS[trump][:3]
    matadors = [spadille, manille, basto]
    if not trumps:
        return hand  # row 1
    if led not in matadors and any(card not in matadors for card in trumps):
        return trumps  # row 2
    if led not in matadors:
        return hand  # row 3
    if led == spadille:
        return trumps  # row 4
    if led == manille and trumps == [spadille]:
        return hand  # row 5
    if led == manille:
        return trumps  # row 6
    if all(card in (spadille, manille) for card in trumps):
        return hand  # row 7
    return trumps  # row 8


def winner(trump: str, trick: list[tuple[int, str]]) -> int:
    """OMB-6.14: the highest trump, else the highest card of the suit led."""
    led = trick[0][1]
    order = TRUMPS[trump] if any(card in TRUMPS[trump] for _, card in trick) else PLAIN[led[0]]
    played = {card: seat for seat, card in trick}
    return next(played[card] for card in order if card in played)


def continuations(trump: str, hands: list[list[str]], leader: int) -> int:
    """In how many ways three hands can be played to their end."""
    return _count(trump, hands, [], leader)


def _count(trump: str, hands: list[list[str]], trick: list[tuple[int, str]], seat: int) -> int:
    if len(trick) == 3:
        return _count(trump, hands, [], winner(trump, trick))
    if not hands[seat]:
        return 1
    allowed = may_play(trump, trick[0][1], hands[seat]) if trick else hands[seat]
    ways = 0
    for card in allowed:
        rest = [[other for other in hand if other != card] for hand in hands]
        ways += _count(trump, rest, [*trick, (seat, card)], (seat + 1) % 3)
    return ways
