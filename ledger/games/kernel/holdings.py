"""The hands of a deal as far as a record shows them: known cards, and hidden ones with the cards that they could be.

Clubs often record only the play. A hand is then a number of hidden cards, which become known as they are played.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mypy_extensions import mypyc_attr

from ledger.cards import UNKNOWN, mask_of_distinct, mask_of_known, texts_in


@mypyc_attr(allow_interpreted_subclasses=True, acyclic=True)
class Holdings:
    """The hands of one deal. Masks are over card numbers.

    `known[s]`: cards that are certainly in hand s. `hidden[s]`: how many other cards it has. `possible[s]`: the cards
    that those could be, apart from `placed`: the cards whose place is known (a hand, the table, a discard, the stock).
    `has_unknown`: a card was hidden at some time.
    """

    __slots__ = ("has_unknown", "hidden", "known", "pack", "placed", "possible")

    def __init__(self, seats: int, pack: int) -> None:
        self.pack = pack
        nothing = [0] * seats
        self.known = nothing
        self.hidden = nothing[:]
        self.possible = nothing[:]
        self.placed = 0
        self.has_unknown = False

    def copy(self) -> Holdings:
        """Return an independent copy."""
        twin = Holdings.__new__(Holdings)
        twin.pack = self.pack
        twin.known = self.known[:]
        twin.hidden = self.hidden[:]
        twin.possible = self.possible[:]
        twin.placed = self.placed
        twin.has_unknown = self.has_unknown
        return twin

    def deal_out(self, hands: list[int]) -> None:
        """Deal a pack of which every card is known; `hands` are masks."""
        self.known = hands
        self.placed = self.pack

    def place(self, mask: int) -> None:
        """Note that these cards have a known place outside the hands."""
        self.placed |= mask

    def exchange(self, seat: int, aside: tuple[str, ...], drawn: tuple[str, ...]) -> bool:
        """Exchange known cards of a hand for known ones of the stock.

        Return False and change nothing if a card is unknown or not held.
        """
        try:
            given, taken = mask_of_distinct(aside), mask_of_distinct(drawn)
        except KeyError:
            return False
        hand = self.known[seat]
        if given & ~hand:
            return False
        self.known[seat] = hand ^ given | taken
        return True

    def give(self, seat: int, cards: Sequence[str]) -> None:
        """Put cards into a hand; `??` counts as a hidden card."""
        mask = mask_of_known(cards)
        self.known[seat] |= mask
        self.placed |= mask
        hidden = len(cards) - mask.bit_count()
        if hidden:
            self.give_hidden(seat, hidden)

    def give_known(self, seat: int, mask: int) -> None:
        """Put known cards into a hand."""
        self.known[seat] |= mask
        self.placed |= mask

    def give_hidden(self, seat: int, count: int) -> None:
        """Put hidden cards into a hand."""
        self.hidden[seat] += count
        if count:
            self.possible[seat] = self.pack
            self.has_unknown = True

    def give_rest(self) -> None:
        """Make hidden cards known if only one hand has any and they are exactly the cards without a known place."""
        seats = [seat for seat, count in enumerate(self.hidden) if count]
        rest = self.pack & ~self.placed
        if len(seats) == 1 and rest.bit_count() == self.hidden[seats[0]]:
            self.hidden[seats[0]] = 0
            self.give_known(seats[0], rest)
            self.has_unknown = False

    def size(self, seat: int) -> int:
        """Return the number of cards that the seat holds."""
        return self.known[seat].bit_count() + self.hidden[seat]

    def candidates(self, seat: int) -> int:
        """Return the cards that the seat's hidden cards could be."""
        return self.possible[seat] & ~self.placed if self.hidden[seat] else 0

    def may_hold(self, seat: int, bit: int) -> bool:
        """Return whether nothing in the record excludes that the seat holds this card."""
        return bool((self.known[seat] | self.candidates(seat)) & bit)

    def remove(self, seat: int, bit: int) -> None:
        """Move a card that the seat may hold out of its hand, to a known place."""
        if self.known[seat] & bit:
            self.known[seat] ^= bit
        else:
            self.hidden[seat] -= 1
            self.placed |= bit

    def remove_hidden(self, seat: int, count: int) -> None:
        """Remove cards that nobody saw: known cards of the hand become merely possible, and for no other seat."""
        if not count:
            return
        known = self.known[seat]
        self.has_unknown = True
        could_be = self.candidates(seat) | known
        self.possible = [mask & ~known for mask in self.possible]
        self.possible[seat] = could_be
        self.hidden[seat] += known.bit_count() - count
        self.placed &= ~known
        self.known[seat] = 0

    def remove_unknown(self, seat: int, count: int) -> None:
        """Remove cards that the record gives as `??`: any of the hand, known ones included."""
        self.remove_hidden(seat, min(count, self.size(seat)))

    def shown(self, seat: int) -> list[str]:
        """Return the hand for display: the known cards in pack order, then `??` for each hidden one."""
        return texts_in(self.known[seat]) + [UNKNOWN] * self.hidden[seat]


def masks_if_plain(
    hands: Sequence[tuple[str, ...] | None], size: int, rest: tuple[str, ...], pack: int
) -> list[int] | None:
    """Return the hands as masks if they are regular: each has `size` cards or none, and with `rest` they make the pack.

    Return None if a card is unknown, missing or listed twice; the deal then needs a closer look.
    """
    masks: list[int] = []
    try:
        seen = mask_of_distinct(rest)
        for hand in hands:
            if not hand:
                masks.append(0)
                continue
            mask = mask_of_distinct(hand)
            if len(hand) != size or seen & mask:
                return None
            masks.append(mask)
            seen |= mask
    except KeyError:
        return None
    return masks if seen == pack else None


def repeated_cards(groups: Iterable[Sequence[str] | None]) -> list[str]:
    """Return the known cards that occur more than once in these groups, in order of their second occurrence."""
    seen: set[str] = set()
    twice: list[str] = []
    for group in groups:
        for card in group or ():
            if card == UNKNOWN:
                continue
            if card in seen and card not in twice:
                twice.append(card)
            seen.add(card)
    return twice
