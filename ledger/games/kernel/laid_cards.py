"""The cards laid in one deal, trick by trick, and their winners or, with unknown cards, their possible winners."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Final, Literal, NamedTuple

from mypy_extensions import i64, mypyc_attr

from ledger.cards import PACK_52, UNKNOWN, cards_in, mask_of
from ledger.games.kernel.card_order import TrumpTable
from ledger.games.kernel.views import TrickView

NO_CARD: Final = -1
"""The number of a card that was played but is not known."""


class Trick(NamedTuple):
    """A trick; `cards` and `seats` in the order of the record, `winner` None while it is open or unknown."""

    seats: Sequence[int]
    cards: Sequence[int]
    winner: int | None


@mypyc_attr(allow_interpreted_subclasses=True)
class LaidCards(ABC):
    """All cards played so far: `cards` and `seats` in the order of the record, `size` to a trick, ranked by `table`.

    `winners`: one seat for each complete trick (None: unknown). `counts`: the tricks won by each seat. `on_table`: the
    number of cards in the open trick.
    """

    __slots__ = ("cards", "counts", "on_table", "seats", "size", "table", "winners")

    def __init__(self, table: TrumpTable, seats: int, size: int) -> None:
        self.table = table
        self.size = size
        self.seats: list[int] = []
        self.cards: list[int] = []
        self.winners: list[int | None] = []
        self.counts = [0] * seats
        self.on_table = 0

    def trick(self, place: int) -> Trick:
        """Return a complete trick by its index, from 0, or from -1 backwards."""
        size, number = self.size, place % len(self.winners)
        plays = slice(size * number, size * (number + 1))
        return Trick(self.seats[plays], self.cards[plays], self.winners[number])

    def tricks(self) -> list[Trick]:
        """Return all tricks, including the open one."""
        shown = [self.trick(number) for number in range(len(self.winners))]
        if self.on_table:
            start = len(self.seats) - self.on_table
            shown.append(Trick(self.seats[start:], self.cards[start:], None))
        return shown

    def views(self) -> list[TrickView]:
        """Return all tricks for display."""
        return [
            TrickView(
                leader=trick.seats[0],
                cards=[UNKNOWN if card == NO_CARD else PACK_52[card] for card in trick.cards],
                seats=list(trick.seats),
                winner=trick.winner,
                won_by=self._won_by(trick),
            )
            for trick in self.tricks()
        ]

    def _won_by(self, trick: Trick) -> Literal["trump", "led"] | None:
        """Return why the trick was won; None while that is unknown."""
        cards = [card for seat, card in zip(trick.seats, trick.cards, strict=True) if seat == trick.winner]
        if not cards or cards[0] == NO_CARD:
            return None
        return "trump" if self.table.trumps & mask_of(card for card in cards if card >= 0) else "led"

    def card_points_by_seat(self, points: tuple[int, ...]) -> list[int]:
        """Return the card points of the tricks that each seat has won, as far as cards and winners are known."""
        worth, cards = [0] * len(self.counts), self.cards
        size: i64 = self.size
        place: i64 = 0
        for winner in self.winners:
            end = place + size
            if winner is None:
                place = end
                continue
            in_trick: i64 = 0
            while place < end:
                card: i64 = cards[place]
                if card >= 0:
                    in_trick += points[card]
                place += 1
            worth[winner] += in_trick
        return worth

    def played(self) -> int:
        """Return the known cards played so far."""
        played = 0
        for card in self.cards:
            if card >= 0:
                played |= 1 << card
        return played

    def played_by(self, seat: int, since: int = 0) -> int:
        """Return the known cards that the seat has played; `since`: from that play of the deal on."""
        plays = zip(self.seats[since:], self.cards[since:], strict=True)
        return mask_of(card for other, card in plays if other == seat and card >= 0)

    def has_unknown_of(self, seat: int, since: int = 0) -> bool:
        """Return whether the seat has played cards that were not recorded; `since`: from that play of the deal on."""
        plays = zip(self.seats[since:], self.cards[since:], strict=True)
        return any(other == seat and card < 0 for other, card in plays)

    @abstractmethod
    def unseen(self) -> int:
        """Return the cards that may be those not recorded."""

    @abstractmethod
    def can_have_played(self, seat: int, mask: int) -> bool:
        """Return whether an unrecorded card of the seat can have been one of these."""

    def possible_winners(self, trick: Trick) -> list[int]:
        """Return the seats that can have won a trick with unknown cards."""
        unseen = self.unseen()
        led = trick.cards[0]
        leads = (led,) if led >= 0 else tuple(cards_in(unseen))
        possible = {seat for lead in leads for seat in self._winners_if_led(trick, lead, unseen)}
        return [seat for seat in trick.seats if seat in possible]

    def _winners_if_led(self, trick: Trick, lead: int, unseen: int) -> Iterator[int]:
        """Yield the seats that can have won the trick if `lead` was led; an unknown card can be any unseen one."""
        beaten_by = self.table.beaten_by
        best, winning = trick.seats[0], lead
        others = list(zip(trick.seats[1:], trick.cards[1:], strict=True))
        for seat, card in others:
            if card >= 0 and beaten_by[winning] >> card & 1:
                best, winning = seat, card
        yield best
        better = unseen & beaten_by[winning]
        for seat, card in others:
            if card < 0 and self.can_have_played(seat, better):
                yield seat
