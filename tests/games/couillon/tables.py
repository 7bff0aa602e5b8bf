"""Short builders of records of Couillon tables.

`Table("mit4").start(3).dealt({0: "SK HQ HT SJ HK"}).trump(0, "H").trick(0, "SK ST SA H9")`.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Self

from ledger.cards import texts_in
from ledger.events import Award, CardPlayed
from ledger.games.couillon import GAME
from ledger.games.couillon.options import make_options
from ledger.games.kernel.moves import of_type
from ledger.recording.validator import TableValidator
from tests.builders import EIGHT_NAMES as NAMES
from tests.builders import Hands, Record, cards

PLAYERS = {"basic4": 4, "mit4": 4, "six24": 6, "six32": 6, "eight32": 8}


class Table(Record):
    """The record of one table of that form; options as keywords."""

    def __init__(self, form: str = "basic4", **options: Any) -> None:
        players = PLAYERS[form]
        self.raw = {"form": form, **options} if form != "basic4" else options
        self.options = make_options(self.raw, players)
        super().__init__(GAME.name, NAMES[:players], self.raw)

    def dealt(self, hands: Hands = None, stock: str | None = None, **fields: Any) -> Self:
        """Deal the cards; the pack is cut by the right seat unless `cut_by` says otherwise."""
        fields.setdefault("cut_by", (self.dealer - 1) % self.players)
        return super().dealt(hands, stock, **fields)

    def full(self, hands: Mapping[int, str], stock: str = "") -> Self:
        """Deal known cards to all: the lowest remaining cards fill up the hands, before their own cards.

        `stock`: cards on top of it.
        """
        shape = self.options.form
        own = {seat: list(cards(hands.get(seat, ""))) for seat in range(self.players)}
        taken = {card for hand in own.values() for card in hand} | set(cards(stock))
        rest = sorted(set(texts_in(shape.pack)) - taken, key=lambda card: ("AKQJT987".index(card[1]), card[0]))
        for seat in range(self.players):
            while len(own[seat]) < shape.hand:
                own[seat].insert(0, rest.pop())
        return self.dealt({seat: " ".join(hand) for seat, hand in own.items()}, " ".join([*cards(stock), *rest]))

    def played_out(self) -> Self:
        """Play the rest of the deal, each seat with the first card that it may play."""
        deal = self.machine()
        while plays := of_type(deal.legal(), CardPlayed):
            event = plays[0]
            deal.apply(event, 0)
            self.add(event)
        return self

    def result(self, first: int, second: int, tricks: Sequence[int] = (2, 2), **outcome: Any) -> Self:  # type: ignore[override]
        return super().result(card_points=[first, second], tricks=list(tricks), **outcome)

    def ruled(self, kind: str, deal: int | None = None, **award: Any) -> Self:
        return super().ruled(kind, deal, award=Award(**award) if award else None)

    def shaped(self) -> Self:
        """Check that the log would accept the record, and return it."""
        so_far = TableValidator()
        for _, event in self.entries:
            so_far.take(event)
        return self


HANDS = {0: "SA HA DK C9", 1: "SK HK DQ CA", 2: "SQ S9 DJ CK", 3: "SJ ST DA CQ"}
STOCK = "HJ HQ HT H9 DT D9 CT CJ"
"""A deal of basic4: with hearts as trumps, the aces, kings and so on of one suit lie with one seat each trick."""


def playing(**options: Any) -> Table:
    """Return a deal of basic4, dealer 3, in which seat 0 has taken hearts."""
    return Table(**options).start(3).dealt(HANDS, STOCK).turned("HJ").calls("0 take")


def to_the_end(**options: Any) -> Table:
    """Return the same deal, played out: each seat but 2 wins a trick, and 0 also the last one."""
    table = playing(**options).trick(0, "SA SK SQ SJ").trick(0, "DK DQ DJ DA")
    return table.trick(3, "CQ C9 CA CK").trick(1, "HK S9 ST HA")
