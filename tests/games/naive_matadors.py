"""The cards of Ombre and Quadrille by their rulebooks: their order, those that may be played, the winner of a trick.

Nothing of `ledger` is used here. It is slow and simple on purpose.
"""

import tomllib
from pathlib import Path

TRUMPS, PLAIN = tomllib.loads(Path(__file__).with_name("matadors.toml").read_text(encoding="utf-8")).values()


def winner(trump: str, trick: list[tuple[int, str]]) -> int:
    """Return the seat of the highest trump, or else of the highest card of the suit led (OMB-6.14, QUA-6.10)."""
    led = trick[0][1]
    order = TRUMPS[trump] if any(card in TRUMPS[trump] for _, card in trick) else PLAIN[led[0]]
    played = {card: seat for seat, card in trick}
    return next(played[card] for card in order if card in played)


def may_play_ombre(trump: str, led: str, hand: list[str]) -> list[str]:
    """Return the cards that a follower may play in Ombre: OMB-6.5, 6.6, the first fitting row of section 6's table."""
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


def may_play_quadrille(trump: str, led: str, hand: list[str]) -> list[str]:
    """Return the cards that a follower may play in Quadrille: the first fitting row of section 6.1's table."""
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
