"""One trick of Whist and who wins it (WHI-6.5), and what cannot be judged until later cards are known."""

from __future__ import annotations

from typing import Final, NamedTuple

from ledger.cards import INDEX, UNKNOWN

SEATS: Final = 4  # WHI-2.1


class Trick:
    """The cards of a trick in the order of the record; `winner` is null while it is not known."""

    def __init__(self) -> None:
        self.seats: list[int] = []
        self.cards: list[str] = []
        self.winner: int | None = None

    @property
    def led(self) -> str | None:
        """The suit led; null where nobody wrote the card down."""
        return None if self.cards[0] == UNKNOWN else self.cards[0][0]

    @property
    def is_full(self) -> bool:
        return len(self.cards) == SEATS

    def best_seat(self, trump: str | None) -> int | None:
        """Who wins (WHI-6.5); null where a card is not known (WHI-11.3)."""
        if UNKNOWN in self.cards:
            return None
        laid = zip(self.cards, self.seats, strict=True)
        order = [(card[0] == trump, card[0] == self.led, -INDEX[card], seat) for card, seat in laid]
        return max(order)[-1]


class Doubt(NamedTuple):
    """A card of another suit than `led`, from a hand that was not known: later cards may show a revoke."""

    mark: int
    seat: int
    card: str
    led: str
    trick: int
