"""Records of tables of Kop and Baśka in few words: what the Ombre builder can do, with the words of this game.

`Table(new_trumps=True).deal_out(FOUR_HANDS).calls("0 zolo", "1 pass", "2 pass", "3 pass")`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ledger.cards import BIT
from ledger.events import Announced, BidMade, CardsDealt, TableOpened
from ledger.games.kop.hands import Hands
from ledger.games.kop.schemes import PACK
from ledger.table.answers import Finding
from ledger.table.audit import audit_answer
from tests.builders import NAMES, Record, cards
from tests.games.section_11 import assert_as_in_the_table

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
        self.players = 4
        self.entries = []
        self.deals = 0
        self.dealer = 0
        self.add(TableOpened(game=game, players=NAMES, options=options))

    def deal_out(
        self, hands: tuple[str | None, ...] | Mapping[int, str] | None = ORDINARY, dealer: int | None = 3, **fields: Any
    ) -> Table:
        """The next deal with these hands; null or left out where a hand is not known."""
        self.start(dealer)
        told = hands if isinstance(hands, tuple) else tuple((hands or {}).get(seat) for seat in range(4))
        dealt = tuple(None if hand is None else cards(hand) for hand in told)
        self.add(CardsDealt(hands=dealt, **fields))
        return self

    def passed_out(self) -> Table:
        """Four opening passes from the leader on."""
        first = (self.dealer + 1) % 4
        return self.calls(*(f"{(first + step) % 4} pass" for step in range(4)))

    def contract(self, seat: int, *bids: str) -> Table:
        """The leader to the bidder pass, the seat bids, the other three pass."""
        first = (self.dealer + 1) % 4
        before = [f"{(first + step) % 4} pass" for step in range((seat - first) % 4)]
        after = [f"{(seat + step) % 4} pass" for step in (1, 2, 3)]
        return self.calls(*before, *(f"{seat} {bid}" for bid in bids), *after)

    def named(self, seat: int, call: str, card: str) -> Table:
        """A call with a card: the jack of a wesele."""
        return self.add(BidMade(seat=seat, call=call, card=card))

    def conceded(self, *seats: int, by: int | None = None) -> Table:
        return self.add(Announced(seat=seats[0] if by is None else by, what="concede", seats=seats))

    def trick(self, leader: int, text: str) -> Table:
        """Cards played clockwise, from the leader on."""
        for step, card in enumerate(cards(text)):
            self.played((leader + step) % 4, card)
        return self

    def tricks(self, tricks: Any) -> Table:
        for leader, text in tricks:
            self.trick(leader, text)
        return self

    def findings(self) -> list[Finding]:
        """All findings in order; each can be said in both languages and agrees with the rulebook's table."""
        fold = self.fold()
        found = audit_answer("test", fold).findings
        assert [finding.code for finding in audit_answer("test", fold, "ja").findings] == [f.code for f in found]
        for finding in found:
            assert_as_in_the_table(finding)
        return found

    def finding(self) -> tuple[str, int, int | None, list[str] | None]:
        """The only finding: code, version, seat, legal."""
        (found,) = self.found()
        return found

    def found(self) -> list[tuple[str, int, int | None, list[str] | None]]:
        return [(f.code.removeprefix("KOP-"), f.version, f.seat, f.legal) for f in self.findings()]

    def codes(self) -> list[str]:
        return [finding.code.removeprefix("KOP-") for finding in self.findings()]

    def auction_of(self) -> list[str]:
        """The calls that count: `["0 pass"]`."""
        return [f"{call.seat} {call.call}" for call in self.state().auction]


def ordinary(**options: Any) -> Table:
    """The ordinary game of KOP-12.1 at its first lead."""
    table = Table(**options).deal_out()
    return table.passed_out()


def free(**options: Any) -> Table:
    """A free auction on the hands of KOP-12.1."""
    return Table(auction_order="free", **options).deal_out()


def hands_of(*texts: str) -> Hands:
    """Hands as the engine holds them; what a seat lacks to four cards it has played already."""
    given = [cards(text) for text in texts]
    played = iter(sorted(PACK - {card for hand in given for card in hand}))
    hands = Hands()
    for seat, hand in enumerate(given):
        gone = [next(played) for _ in range(4 - len(hand))]
        hands.give(seat, (*hand, *gone))
        for card in gone:
            hands.take(seat, BIT[card])
    return hands
