"""What may be played in Ombre, written from the rulebook alone, with words and lists: the oracle for the engine.

Nothing of `ledger` is used here. It is slow and simple on purpose.
"""

from __future__ import annotations

from tests.games.naive_matadors import PLAIN, TRUMPS


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
