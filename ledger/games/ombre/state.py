"""The state of one Ombre deal, and how it passes from phase to phase (OMB sections 4, 5, 10).

It knows no rule: what may be done in a phase, and what is wrong with it, is in the `_rules` of that phase. Nobody else
writes these fields; auction, exchange and play keep their own.
"""

from __future__ import annotations

from typing import Final, Literal, Self, TypeAlias

from mypy_extensions import mypyc_attr

from ledger.cards import BIT, UNKNOWN
from ledger.games.kernel.copying import twin_of
from ledger.games.kernel.deal import TrickDeal
from ledger.games.kernel.holdings import Holdings
from ledger.games.kernel.matadors import PACK_MASK, PASS, TRUMP_TABLES, MatadorAuction
from ledger.games.ombre.options import OmbreOptions
from ledger.games.ombre.outcome import OmbreOutcome
from ledger.games.ombre.pack import HAND, SPADILLE, UNKNOWN_STOCK, Cards, active_seats, neighbours
from ledger.games.ombre.play import COURSES, Play

CONTRACT_CALLS: Final[tuple[str, ...]] = ("entrada", "vuelta", "solo")  # OMB-4.2, weakest first
FAVOUR_CALLS: Final[tuple[str, ...]] = ("entrada", "entrada_favour", "vuelta", "solo", "solo_favour")  # OMB-4.18
CALLS: Final = frozenset((PASS, *FAVOUR_CALLS))

CONTRACTS: Final = {call: call.removesuffix("_favour") for call in FAVOUR_CALLS}
"""A favour call is its contract with the duty to name the favourite suit (OMB-4.19)."""


@mypyc_attr(allow_interpreted_subclasses=True, acyclic=True)
class Auction(MatadorAuction):
    """The calls so far. `owed_pass`: who made an illegal call, and has passed if nothing else comes (OMB-11.16)."""

    __slots__ = ("owed_pass",)

    def __init__(self, order: tuple[int, int, int], with_favourite: bool) -> None:
        super().__init__(order, COURSES[order].next_of, FAVOUR_CALLS if with_favourite else CONTRACT_CALLS)
        self.owed_pass: int | None = None

    @property
    def all_passed(self) -> bool:
        return self.turn is None and self.bidder is None

    def owe_pass(self, seat: int) -> None:
        self.owed_pass = seat

    def take(self, seat: int, call: str) -> bool:
        self.owed_pass = None
        return super().take(seat, call)


@mypyc_attr(allow_interpreted_subclasses=True, acyclic=True)
class Exchange:
    """Whose exchange is due. `due` holds the entitled seats that have not exchanged, in order (OMB-5.8, 5.9)."""

    __slots__ = ("due", "first_max", "is_first_of_solo", "left", "right", "yield_open")

    def __init__(self, ombre: int, right: int, left: int, is_solo: bool, solo_first_max: int, may_yield: bool) -> None:
        self.right, self.left = right, left
        self.due = [right, left] if is_solo else [ombre, right, left]
        self.first_max = solo_first_max
        self.is_first_of_solo = is_solo
        self.yield_open = may_yield

    def copy(self) -> Exchange:
        return twin_of(self)

    @property
    def turn(self) -> int | None:
        return self.due[0] if self.due else None

    def limit(self, stock_left: int) -> int:
        """The most cards that the next exchange may have (OMB-5.13, 5.14)."""
        most = min(HAND, stock_left)
        return min(most, self.first_max) if self.is_first_of_solo else most

    def may_yield(self) -> bool:
        """Whether the right neighbour may let the left one exchange first (OMB-5.10, 5.11)."""
        return self.yield_open and self.due == [self.right, self.left]

    def give_way(self) -> None:
        self.due.reverse()
        self.yield_open = False

    def forgo(self) -> None:
        """What is due is not exchanged any more."""
        self.due.clear()


Phase: TypeAlias = Literal["deal", "auction", "trump", "exchange", "play", "settled", "unscorable", "voided"]


@mypyc_attr(allow_interpreted_subclasses=True)
class OmbreState(TrickDeal):
    """One deal. `active`: the seats that play, from forehand on. `stock`: what is left of it, top first.

    `forced_by_record` is true while three passes make the unknown holder of SA the Ombre (OMB-4.21).
    """

    __slots__ = (
        "active",
        "auction",
        "contract",
        "exchange",
        "forced_by_record",
        "holdings",
        "ombre",
        "options",
        "play",
        "recorded",
        "seats",
        "stock",
        "trump",
        "turned",
    )

    def __init__(self, options: OmbreOptions, seats: int, dealer: int) -> None:
        self.options = options
        self.seats = seats
        self.dealer = dealer
        self.active = active_seats(seats, dealer)
        self.phase: Phase = "deal"
        self.holdings = Holdings(seats, PACK_MASK)
        self.stock: Cards = UNKNOWN_STOCK
        self.auction = Auction(self.active, options.favourite_suit is not None)
        self.ombre: int | None = None
        self.forced_by_record = False
        self.contract: str | None = None
        self.trump: str | None = None
        self.turned: str | None = None
        self.exchange: Exchange | None = None
        self.play: Play | None = None
        self.recorded: OmbreOutcome | None = None

    def copy(self) -> Self:
        twin = twin_of(self)
        twin.holdings, twin.auction = self.holdings.copy(), self.auction.copy()
        twin.exchange = None if self.exchange is None else self.exchange.copy()
        twin.play = None if self.play is None else self.play.copy(twin.holdings, twin.end_play)
        return twin

    # --- from phase to phase ------------------------------------------------------------------------------------------

    def begin_auction(self, stock: Cards) -> None:
        """The hands are dealt, and this is left."""
        self.stock = stock
        self.phase = "auction"

    def begin_trump(self, ombre: int | None, contract: str) -> None:
        """There is an Ombre; None: whoever was dealt SA, which the record has not told yet (OMB-4.21)."""
        self.ombre, self.contract = ombre, contract
        self.forced_by_record = ombre is None
        self.phase = "trump"

    def force(self, seat: int | None) -> None:
        """It has shown who was dealt SA and must play (OMB-4.21); None: that somebody was, but not who."""
        self.forced_by_record = False
        if seat is not None:
            self.ombre = seat
            self.holdings.remove(seat, SPADILLE)
            self.holdings.give_known(seat, SPADILLE)

    def turn_up(self, card: str) -> None:
        """The top card of the stock is seen by all (OMB-5.4)."""
        if self.stock[0] == UNKNOWN:
            self.stock = (card, *self.stock[1:])
            self.holdings.place(BIT[card])
        self.turned = card

    def begin_exchange(self, trump: str) -> None:
        """Trumps are fixed."""
        assert self.ombre is not None
        self.trump = trump
        right, left = neighbours(self.active, self.ombre)
        self.exchange = Exchange(
            self.ombre,
            right,
            left,
            is_solo=self.contract == "solo",
            solo_first_max=self.options.solo_first_exchange_max,
            may_yield=self.options.exchange_yield,
        )
        self.phase = "exchange"

    def end_exchange_of(self, seat: int, stock: Cards) -> None:
        """The seat has its new cards, and this is left of the stock; after the last one the play begins."""
        assert self.exchange is not None
        self.stock = stock
        self.exchange.due.remove(seat)
        self.exchange.is_first_of_solo = False
        if not self.exchange.due:
            self.begin_play()

    def begin_play(self) -> None:
        assert self.trump is not None and self.ombre is not None and self.contract is not None
        self.play = Play(
            self.holdings,
            TRUMP_TABLES[self.trump],
            self.active,
            self.ombre,
            self.contract,
            self.options,
            self.seats,
            self.end_play,
        )
        self.phase = "play"

    # --- the end ------------------------------------------------------------------------------------------------------

    def end_play(self) -> None:
        """Takes over what the play has come to."""
        assert self.play is not None
        self.phase = "unscorable" if self.play.is_halted else "settled"

    def pass_out(self) -> None:
        """Nobody plays: the deal is complete (OMB-4.20, 4.22)."""
        self.ombre = self.contract = None
        self.forced_by_record = False
        self.phase = "settled"

    def record(self, outcome: OmbreOutcome) -> None:
        """The result is written down, in place of calls and cards."""
        self.recorded = outcome
        self.ombre, self.contract, self.trump = outcome.ombre, outcome.contract, outcome.trump
        self.phase = "settled"

    def halt(self) -> None:
        """What was done leaves nothing to go on from: the rest is not audited, and there is no computed result."""
        self.phase = "unscorable"

    def annul(self) -> None:
        """The deal does not count, and nothing of it is pending any more."""
        self.phase = "voided"
        self.forced_by_record = False
        self.auction.owed_pass = None
        if self.play is not None:
            self.play.break_off()
