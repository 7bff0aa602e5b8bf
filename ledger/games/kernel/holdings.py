"""Who holds which card, as far as a record tells: known cards, and hidden ones with what they could be.

A club often writes down only the play. A hand is then a number of hidden cards that become known as they appear.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mypy_extensions import mypyc_attr

from ledger.cards import UNKNOWN, mask_of_distinct, mask_of_known, texts_in


@mypyc_attr(allow_interpreted_subclasses=True, acyclic=True)
class Holdings:
    """The hands of one deal. Masks are over card numbers.

    `known[s]`: cards certainly in the hand of s. `hidden[s]`: how many further cards it has. `possible[s]`: what those
    could be, apart from `placed`, the cards whose place is known (a hand, the table, a discard, the stock).
    `has_unknown`: some card was hidden at some time.
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
        twin = Holdings.__new__(Holdings)
        twin.pack = self.pack
        twin.known = self.known[:]
        twin.hidden = self.hidden[:]
        twin.possible = self.possible[:]
        twin.placed = self.placed
        twin.has_unknown = self.has_unknown
        return twin

    def deal_out(self, hands: list[int]) -> None:
        """Deals out a pack that is known to the last card, the hands as masks."""
        self.known = hands
        self.placed = self.pack

    def give(self, seat: int, cards: Sequence[str]) -> None:
        """Puts cards into a hand; `??` counts as one hidden card."""
        mask = mask_of_known(cards)
        self.known[seat] |= mask
        self.placed |= mask
        hidden = len(cards) - mask.bit_count()
        if hidden:
            self.give_hidden(seat, hidden)

    def give_known(self, seat: int, mask: int) -> None:
        self.known[seat] |= mask
        self.placed |= mask

    def give_hidden(self, seat: int, count: int) -> None:
        self.hidden[seat] += count
        if count:
            self.possible[seat] = self.pack
            self.has_unknown = True

    def give_rest(self) -> None:
        """Makes the hidden cards known where one hand alone has any, and they are all that has no place yet."""
        seats = [seat for seat, count in enumerate(self.hidden) if count]
        rest = self.pack & ~self.placed
        if len(seats) == 1 and rest.bit_count() == self.hidden[seats[0]]:
            self.hidden[seats[0]] = 0
            self.give_known(seats[0], rest)
            self.has_unknown = False

    def size(self, seat: int) -> int:
        """How many cards the seat holds."""
        return self.known[seat].bit_count() + self.hidden[seat]

    def candidates(self, seat: int) -> int:
        """What the hidden cards of the seat could be."""
        return self.possible[seat] & ~self.placed if self.hidden[seat] else 0

    def may_hold(self, seat: int, bit: int) -> bool:
        """Whether nothing in the record excludes that the seat holds this card."""
        return bool((self.known[seat] | self.candidates(seat)) & bit)

    def remove(self, seat: int, bit: int) -> None:
        """Takes a card that the seat may hold out of its hand, to a known place."""
        if self.known[seat] & bit:
            self.known[seat] ^= bit
        else:
            self.hidden[seat] -= 1
            self.placed |= bit

    def remove_hidden(self, seat: int, count: int) -> None:
        """Takes cards out that nobody saw: what was known of the hand is now only possible, and for no other seat."""
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
        """Takes cards out that the record calls `??`: any of the hand, the known ones included."""
        self.remove_hidden(seat, min(count, self.size(seat)))

    def shown(self, seat: int) -> list[str]:
        """The hand for showing: the known cards in pack order, then `??` for each hidden one."""
        return texts_in(self.known[seat]) + [UNKNOWN] * self.hidden[seat]


def masks_if_plain(
    hands: Sequence[tuple[str, ...] | None], size: int, rest: tuple[str, ...], pack: int
) -> list[int] | None:
    """The hands as masks, where nothing is wrong: each has `size` cards or none, and with `rest` they are the pack.

    Null where a card is not known, stands there twice or is missing: that takes a closer look.
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
    """The known cards that stand more than once in these groups, in order of their second appearance."""
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
