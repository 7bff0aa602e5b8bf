"""Short records of Ombre tables. `with_winners("000101220")` is a whole deal given by the winners of its tricks."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

from ledger.cards import INDEX, PACK_52, SUITS
from ledger.events import CardsExchanged
from ledger.games.kernel.matadors import PACK, TRUMP_TABLES, plain_order
from ledger.games.ombre.pack import active_seats, neighbours
from tests import builders
from tests.builders import NAMES, Hands, cards, hands_by_seat, trick_won_by

HANDS = {0: "SA S2 SK CK HK HQ D7 D6 H3", 1: "SQ SJ S7 DK DQ DJ C7 C3 H2", 2: "S6 CJ C4 H7 H5 D5 D4 D2 C2"}
STOCK = "CA D3 C6 S5 S4 HA S3 C5 H6 H4 CQ HJ DA"
"""The ordinary deal."""


class Record(builders.Record):
    """The record of one Ombre table. `players` is the number of players; options are keywords."""

    def __init__(self, players: int = 3, **options: Any) -> None:
        super().__init__("ombre", NAMES[:players], options)

    def dealt(self, hands: Hands = None, stock: str | None = None, **fields: Any) -> Self:
        """Deal hands. A missing hand is unknown, except that of a dealer who sits out, which is empty."""
        sits_out = {self.dealer: ""} if self.players == 4 else {}
        return super().dealt(sits_out | hands_by_seat(hands), stock, **fields)

    def won_by(self, ombre: int, call: str = "entrada") -> Self:
        """Add an auction that `ombre` wins with this call while the other two pass."""
        for seat in active_seats(self.players, self.dealer):
            self.calls(f"{seat} {call if seat == ombre else 'pass'}")
        return self

    def exchanged(self, seat: int, what: str | int = "", drawn: str | None = None) -> Self:
        """Exchange the cards `what`, or a number of unknown cards."""
        count = what if isinstance(what, int) else len(cards(what))
        discarded = None if isinstance(what, int) else cards(what)
        return self.add(
            CardsExchanged(seat=seat, count=count, discarded=discarded, drawn=None if drawn is None else cards(drawn))
        )

    def next_seat(self, seat: int) -> int:
        return neighbours(active_seats(self.players, self.dealer), seat)[0]


def bidding(players: int = 3, dealer: int = 2, **options: Any) -> Record:
    """Return a deal of unknown hands before its first call."""
    return Record(players, **options).start(dealer).dealt()


def auctioned(
    call: str = "entrada", stock: str | None = STOCK, hands: Hands = HANDS, *, ombre: int = 0, **options: Any
) -> Record:
    """Return the ordinary deal after its auction; trumps are due."""
    return Record(**options).start(2).dealt(hands, stock).won_by(ombre, call)


def exchanging(call: str = "entrada", *, ombre: int = 0, **options: Any) -> Record:
    """Return the ordinary deal with spades named; the exchange is due."""
    return auctioned(call, ombre=ombre, **options).trump(ombre, "S")


def in_play(
    trump: str,
    hands: Mapping[int, str],
    *,
    ombre: int = 0,
    call: str = "entrada",
    dealer: int = 2,
    players: int = 3,
    avoid: Mapping[int, str] | None = None,
    **options: Any,
) -> Record:
    """Return a deal at the first lead. The seats hold these cards, filled up to nine, and exchange nothing.

    `avoid`: the suits that must not fill up a hand, by seat (`{1: "SH"}`). Trumps never fill up a hand.
    """
    record = Record(players, **options).start(dealer)
    active = active_seats(players, dealer)
    full = filled(trump, {seat: hands.get(seat, "") for seat in active}, avoid or {})
    held = {card for hand in full.values() for card in hand.split()}
    rest = sorted(PACK - held, key=lambda card: (card[0] != trump, card))  # a Vuelta turns up the trump suit
    record.dealt(full, " ".join(rest)).won_by(ombre, call)
    if call == "vuelta":
        record.turned(rest[0])
    else:
        record.trump(ombre, trump)
    right, left = neighbours(active, ombre)
    for seat in (right, left) if call.startswith("solo") else (ombre, right, left):
        record.exchanged(seat)
    return record


def filled(trump: str, hands: Mapping[int, str], avoid: Mapping[int, str]) -> dict[int, str]:
    """Return the hands filled up to nine cards with low plain cards of suits that the seat does not avoid."""
    trumps = {card for card in PACK if TRUMP_TABLES[trump].trumps >> INDEX[card] & 1}
    taken = {card for hand in hands.values() for card in cards(hand)}
    free = [card for suit in SUITS if suit != trump for card in (PACK_52[card] for card in reversed(plain_order(suit)))]
    full = {}
    for seat in sorted(hands, key=lambda seat: -len(avoid.get(seat, ""))):  # the most selective first
        hand = list(cards(hands[seat]))
        for card in free:
            if len(hand) < 9 and card not in taken | trumps and card[0] not in avoid.get(seat, ""):
                hand.append(card)
                taken.add(card)
        assert len(hand) == 9, f"no nine cards for seat {seat}"
        full[seat] = " ".join(hand)
    return full


def with_winners(
    winners: str,
    *,
    ombre: int = 0,
    call: str = "entrada",
    trump: str = "S",
    dealer: int = 2,
    players: int = 3,
    **options: Any,
) -> Record:
    """Return a lawful deal in which these seats (`"00010"`) win the tricks, one trick for each; e = 0.

    Nobody holds a trump: each trick is of one plain suit, which all follow.
    """
    active = active_seats(players, dealer)
    tricks = _tricks_for(winners.ljust(9, str(ombre)), trump, active)
    hands = {seat: " ".join(trick[seat] for trick in tricks) for seat in active}
    record = in_play(trump, hands, ombre=ombre, call=call, dealer=dealer, players=players, **options)
    return record.tricks_by_seat(tricks[: len(winners)], map(int, winners), active[0])


def _tricks_for(winners: str, trump: str, active: Sequence[int]) -> list[dict[int, str]]:
    """Return nine tricks, three of each plain suit, in which the winner plays the highest of three cards."""
    plain = [[PACK_52[card] for card in plain_order(suit)][:9] for suit in SUITS if suit != trump]
    tricks = []
    for number, winner in enumerate(map(int, winners)):
        of_suit = plain[number % 3]
        tricks.append(trick_won_by(winner, of_suit[number // 3 * 3 : number // 3 * 3 + 3], active))
    return tricks
