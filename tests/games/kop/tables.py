"""Short builders of records of Kop and Baśka.

`Table(new_trumps=True).deal_out(FOUR_HANDS).calls("0 zolo", "1 pass", "2 pass", "3 pass")`.
"""

from typing import Any, Self

from ledger.cards import BIT
from ledger.events import Announced, BidMade
from ledger.games.kop.hands import KopHands
from ledger.games.kop.pack import PACK
from tests import builders
from tests.builders import NAMES, Record, cards

ORDINARY = ("SQ CJ DT CA", "DQ HJ DJ ST", "HT HQ SJ DA", "HA CQ CT SA")
"""Old queens at 0 and 3 (KOP-12.1); dealt by 3, so that 0 leads."""

ORDINARY_PLAY = ((0, "DT DQ HT HA"), (3, "SA CJ ST HQ"), (2, "DA CQ SQ HJ"), (3, "CT CA DJ SJ"))

CICHA = ("CQ SQ HQ HJ", "CJ DJ SA ST", "HT DQ CA CT", "HA SJ DA DT")
"""Both old queens at 0 (KOP-12.7, turned); dealt by 3."""

CICHA_PLAY = ((0, "HJ CJ DQ HA"), (3, "DT HQ DJ HT"), (2, "CA SJ SQ ST"), (0, "CQ SA CT DA"))

FOUR_QUEENS = ("CQ SQ HQ DQ", "HA CJ DA CT", "HT SJ HJ SA", "DJ DT CA ST")
"""All four queens at 0 (KOP-12.17, turned)."""

ALONE = ("HA HT CQ CJ", "SQ DQ DA CT", "HQ SJ DT SA", "HJ DJ CA ST")
"""A hand for a solo at 0 (KOP-12.13); old queens at 0 and 1."""

ALONE_PLAY = ((0, "HA SQ SJ DJ"), (0, "CQ DA HQ HJ"), (0, "HT DQ DT CA"), (0, "CJ CT SA ST"))


class Table(Record):
    """The record of one table; `game` is kop or baska, options as keywords."""

    def __init__(self, game: str = "kop", **options: Any) -> None:
        super().__init__(game, NAMES, options)

    def deal_out(self, hands: builders.Hands = ORDINARY, dealer: int | None = 3, **fields: Any) -> Self:
        return self.start(dealer).dealt(hands, **fields)

    def contract(self, seat: int, *bids: str) -> Self:
        """Add an auction: the leader to the bidder pass, the seat bids, the other three pass."""
        first = (self.dealer + 1) % 4
        before = [f"{(first + step) % 4} pass" for step in range((seat - first) % 4)]
        after = [f"{(seat + step) % 4} pass" for step in (1, 2, 3)]
        return self.calls(*before, *(f"{seat} {bid}" for bid in bids), *after)

    def named(self, seat: int, call: str, card: str) -> Self:
        """Add a call with a card: the jack of a wesele."""
        return self.add(BidMade(seat=seat, call=call, card=card))

    def conceded(self, *seats: int, by: int | None = None) -> Self:
        return self.add(Announced(seat=seats[0] if by is None else by, what="concede", seats=seats))

    def tricks(self, tricks: Any) -> Self:
        for leader, text in tricks:
            self.trick(leader, text)
        return self


def bidding(hands: builders.Hands = ORDINARY, game: str = "kop", **options: Any) -> Table:
    """Return a deal before its first call."""
    return Table(game, **options).deal_out(hands)


def ordinary(**options: Any) -> Table:
    """Return the ordinary game of KOP-12.1 at its first lead."""
    table = Table(**options).deal_out()
    return table.passed_out()


def free(**options: Any) -> Table:
    """Return a free auction on the hands of KOP-12.1."""
    return Table(auction_order="free", **options).deal_out()


def hands_of(*texts: str) -> KopHands:
    """Return hands for the engine; a seat with fewer than four cards has already played the rest."""
    given = [cards(text) for text in texts]
    played = iter(sorted(PACK - {card for hand in given for card in hand}))
    hands = KopHands()
    for seat, hand in enumerate(given):
        gone = [next(played) for _ in range(4 - len(hand))]
        hands.give(seat, (*hand, *gone))
        for card in gone:
            hands.take(seat, BIT[card])
    return hands
