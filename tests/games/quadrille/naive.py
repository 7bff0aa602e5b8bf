"""The playable cards in Quadrille, computed from the rulebook alone with words and lists: the oracle for the engine.

It uses nothing of `ledger` and is slow and simple on purpose.
"""

from tests.games.naive_matadors import PLAIN, TRUMPS


def may_play(trump: str, led: str, hand: list[str]) -> list[str]:
    """Return the cards that a follower may play: the first matching row of section 6.1's decision table."""
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
