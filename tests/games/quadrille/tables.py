"""Short records of Quadrille tables. `at_play("S", {0: "SA S2"})` is a deal at its first lead."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

from ledger.cards import INDEX
from ledger.events import PartnerCalled
from ledger.games.kernel.matadors import PACK, TRUMP_TABLES
from tests.builders import NAMES, Record, cards, trick_won_by, without_prefix

DEALER = 3
"""The dealer of these records: seat 0 calls and leads first."""

PLAIN_HANDS = {
    0: "SA S2 SK HK H2 H3 D2 D3 C2 C3",
    1: "CA SQ SJ HQ HJ DK D4 D5 C4 C5",
    2: "S7 S6 HA H4 H5 DQ DJ D6 CK C6",
    3: "S5 S4 S3 H6 H7 DA D7 CQ CJ C7",
}
"""An ordinary deal; with spades as trumps seat 0 may call DK or CK."""


class Table(Record):
    """The record of one Quadrille table; options are keywords."""

    def __init__(self, **options: Any) -> None:
        super().__init__("quadrille", NAMES, options)

    def bid_won_by(self, ombre: int, call: str = "alliance") -> Self:
        """Add an auction that `ombre` wins with this call, or four passes if the call is `forced`."""
        for step in range(1, 5):
            seat = (self.dealer + step) % 4
            self.calls(f"{seat} {call if seat == ombre and call != 'forced' else 'pass'}")
        return self

    def called(self, seat: int, card: str | None) -> Self:
        return self.add(PartnerCalled(seat=seat, card=card))

    def faults(self) -> list[str]:
        return [without_prefix(finding.code) for finding in self.findings() if finding.severity != "info"]


def dealt(hands: Mapping[int, str] | None = None, **options: Any) -> Table:
    """Return a deal before its first call."""
    return Table(**options).start(DEALER).dealt(PLAIN_HANDS if hands is None else hands)


def named(trump: str = "S", *, ombre: int = 0, call: str = "alliance", hands: Any = None, **options: Any) -> Table:
    """Return a deal with its trump suit named; in an alliance or a forced contract the call is due."""
    table = dealt(hands, **options).bid_won_by(ombre, call)
    if call == "forced":
        table.said(ombre, "show_spadille")
    return table.trump(ombre, trump)


def at_play(
    trump: str = "S",
    hands: Any = None,
    *,
    ombre: int = 0,
    call: str = "solo",
    called: str | None = None,
    **options: Any,
) -> Table:
    """Return a deal at its first lead."""
    table = named(trump, ombre=ombre, call=call, hands=hands, **options)
    return table.called(ombre, called) if call in ("alliance", "forced") else table


def tricks_for(winners: Sequence[int]) -> list[dict[int, str]]:
    """Return tricks of one plain suit each, which all follow; spades are trumps, and nobody holds or plays one.

    There are two of each plain suit; the winner plays the highest card.
    """
    order = sorted(PACK - {"SA", "CA"}, key=lambda card: -TRUMP_TABLES["S"].power[INDEX[card]])
    suits = {suit: [card for card in order if card[0] == suit] for suit in "HDC"}
    tricks = []
    for number, winner in enumerate(winners):
        of_suit = suits["HDC"[number % 3]]
        tricks.append(trick_won_by(winner, of_suit[number // 3 * 4 : number // 3 * 4 + 4], range(4)))
    return tricks


def with_six(
    winners: str = "000000",
    *,
    ombre: int = 0,
    call: str = "alliance",
    called: str | None = "trump",
    hands: Mapping[int, str] | None = None,
    **options: Any,
) -> Table:
    """Return a lawful deal, spades trumps, after its first six tricks, won by these seats.

    Each trick is of one plain suit. `hands` distributes the rest: ten trumps and cards of H, D and C.
    """
    tricks = tricks_for([int(winner) for winner in winners])
    full = {seat: [*(trick[seat] for trick in tricks), *cards((hands or {}).get(seat, ""))] for seat in range(4)}
    rest = sorted(PACK - {card for hand in full.values() for card in hand})
    for seat in range(4):
        while len(full[seat]) < 10:
            full[seat].append(rest.pop())
    table = at_play(
        "S", {seat: " ".join(hand) for seat, hand in full.items()}, ombre=ombre, call=call, called=called, **options
    )
    return table.tricks_by_seat(tricks, map(int, winners), 0)
