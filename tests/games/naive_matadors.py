"""The cards of Ombre and Quadrille as their rulebooks list them, and the winner of a trick: half of their oracles.

Nothing of `ledger` is used here. It is slow and simple on purpose.
"""

TRUMPS = {  # OMB-2.24, QUA-2.13, high to low
    "S": ["SA", "S2", "CA", "SK", "SQ", "SJ", "S7", "S6", "S5", "S4", "S3"],
    "C": ["SA", "C2", "CA", "CK", "CQ", "CJ", "C7", "C6", "C5", "C4", "C3"],
    "H": ["SA", "H7", "CA", "HA", "HK", "HQ", "HJ", "H2", "H3", "H4", "H5", "H6"],
    "D": ["SA", "D7", "CA", "DA", "DK", "DQ", "DJ", "D2", "D3", "D4", "D5", "D6"],
}
PLAIN = {  # OMB-2.25, QUA-2.14, high to low
    "S": ["SK", "SQ", "SJ", "S7", "S6", "S5", "S4", "S3", "S2"],
    "C": ["CK", "CQ", "CJ", "C7", "C6", "C5", "C4", "C3", "C2"],
    "H": ["HK", "HQ", "HJ", "HA", "H2", "H3", "H4", "H5", "H6", "H7"],
    "D": ["DK", "DQ", "DJ", "DA", "D2", "D3", "D4", "D5", "D6", "D7"],
}


def winner(trump: str, trick: list[tuple[int, str]]) -> int:
    """Return the seat of the highest trump, or else of the highest card of the suit led (OMB-6.14, QUA-6.10)."""
    led = trick[0][1]
    order = TRUMPS[trump] if any(card in TRUMPS[trump] for _, card in trick) else PLAIN[led[0]]
    played = {card: seat for seat, card in trick}
    return next(played[card] for card in order if card in played)
