"""The play of a Quadrille deal written from the rulebook alone, with words and lists: the oracle for the engine.

Nothing of `ledger` is used here. It is slow and simple on purpose.
"""

from __future__ import annotations

TRUMPS = {  # QUA-2.13, high to low
    "S": ["SA", "S2", "CA", "SK", "SQ", "SJ", "S7", "S6", "S5", "S4", "S3"],
    "C": ["SA", "C2", "CA", "CK", "CQ", "CJ", "C7", "C6", "C5", "C4", "C3"],
    "H": ["SA", "H7", "CA", "HA", "HK", "HQ", "HJ", "H2", "H3", "H4", "H5", "H6"],
    "D": ["SA", "D7", "CA", "DA", "DK", "DQ", "DJ", "D2", "D3", "D4", "D5", "D6"],
}
PLAIN = {  # QUA-2.14, high to low
    "S": ["SK", "SQ", "SJ", "S7", "S6", "S5", "S4", "S3", "S2"],
    "C": ["CK", "CQ", "CJ", "C7", "C6", "C5", "C4", "C3", "C2"],
    "H": ["HK", "HQ", "HJ", "HA", "H2", "H3", "H4", "H5", "H6", "H7"],
    "D": ["DK", "DQ", "DJ", "DA", "D2", "D3", "D4", "D5", "D6", "D7"],
}


def may_play(trump: str, led: str, hand: list[str]) -> list[str]:
    """The cards that a follower may play: the decision table of section 6.1, first row that fits."""
    trumps = [card for card in hand if card in TRUMPS[trump]]
    spadille, manille, basta = matadors = TRUMPS[trump][:3]
    if led not in TRUMPS[trump]:
        return [card for card in hand if card in PLAIN[led[0]] and card not in trumps] or hand  # rows 1, 2
    if not trumps:
        return hand  # row 3
    if any(card not in matadors for card in trumps):
        return trumps  # row 4
    if led not in matadors:
        return hand  # row 5
    if led == spadille:
        return trumps  # row 6
    if led == manille:
        return trumps if basta in trumps else hand  # rows 7 to 9
    return hand  # row 10


def winner(trump: str, trick: list[tuple[int, str]]) -> int:
    """QUA-6.10: the highest trump, else the highest card of the suit led."""
    led = trick[0][1]
    order = TRUMPS[trump] if any(card in TRUMPS[trump] for _, card in trick) else PLAIN[led[0]]
    played = {card: seat for seat, card in trick}
    return next(played[card] for card in order if card in played)


def continuations(trump: str, hands: list[list[str]], trick: list[tuple[int, str]], seat: int) -> int:
    """In how many ways four hands can be played to their end."""
    if len(trick) == 4:
        return continuations(trump, hands, [], winner(trump, trick))
    if not hands[seat]:
        return 1
    allowed = may_play(trump, trick[0][1], hands[seat]) if trick else hands[seat]
    ways = 0
    for card in allowed:
        rest = [[other for other in hand if other != card] for hand in hands]
        ways += continuations(trump, rest, [*trick, (seat, card)], (seat + 1) % 4)
    return ways
