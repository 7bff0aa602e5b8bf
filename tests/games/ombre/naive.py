"""The playable cards in Ombre, computed from the rulebook alone with words and lists: the oracle for the engine.

It uses nothing of `ledger` and is slow and simple on purpose.
"""

from tests.games.naive_matadors import PLAIN, TRUMPS


def may_play(trump: str, led: str, hand: list[str]) -> list[str]:
    """Return the cards that a follower may play: OMB-6.5, 6.6 and the first matching row of section 6's table."""
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
