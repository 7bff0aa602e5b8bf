"""The state of an Ombre deal and its transitions between phases (OMB sections 4, 5, 10).

It knows no rules: what is legal in a phase, and what is wrong, is in the `_rules` modules. Only this class writes these
fields; auction, exchange and play have their own.
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
"""The contract of each call. A favour call adds the duty to name the favourite suit (OMB-4.19)."""


@mypyc_attr(allow_interpreted_subclasses=True, acyclic=True)
class Auction(MatadorAuction):
    """The calls so far.

    `owed_pass`: the seat that made an illegal call and passes unless it calls again (OMB-11.16).
    """

    __slots__ = ("owed_pass",)

    def __init__(self, order: tuple[int, int, int], with_favourite: bool) -> None:
        super().__init__(order, COURSES[order].next_of, FAVOUR_CALLS if with_favourite else CONTRACT_CALLS)
        self.owed_pass: int | None = None

    @property
    def all_passed(self) -> bool:
        return self.turn is None and self.bidder is None

    def owe_pass(self, seat: int) -> None:
        """Note that this seat passes unless it makes a legal call (OMB-11.16)."""
        self.owed_pass = seat

    def take(self, seat: int, call: str) -> bool:
        """Accept a call and return whether the auction is over."""
        self.owed_pass = None
        return super().take(seat, call)


@mypyc_attr(allow_interpreted_subclasses=True, acyclic=True)
class Exchange:
    """The pending exchanges. `due`: the entitled seats that have not exchanged yet, in order (OMB-5.8, 5.9)."""

    __slots__ = ("due", "first_max", "is_first_of_solo", "left", "right", "yield_open")

    def __init__(self, ombre: int, right: int, left: int, is_solo: bool, solo_first_max: int, may_yield: bool) -> None:
        self.right, self.left = right, left
        self.due = [right, left] if is_solo else [ombre, right, left]
        self.first_max = solo_first_max
        self.is_first_of_solo = is_solo
        self.yield_open = may_yield

    def copy(self) -> Exchange:
        """Return an independent copy."""
        return twin_of(self)

    @property
    def turn(self) -> int | None:
        return self.due[0] if self.due else None

    def limit(self, stock_left: int) -> int:
        """Return the largest number of cards for the next exchange (OMB-5.13, 5.14)."""
        most = min(HAND, stock_left)
        return min(most, self.first_max) if self.is_first_of_solo else most

    def may_yield(self) -> bool:
        """Return whether the right neighbour may let the left one exchange first (OMB-5.10, 5.11)."""
        return self.yield_open and self.due == [self.right, self.left]

    def give_way(self) -> None:
        """Let the left neighbour exchange first."""
        self.due.reverse()
        self.yield_open = False

    def forgo(self) -> None:
        """Forfeit the pending exchanges."""
        self.due.clear()


Phase: TypeAlias = Literal["deal", "auction", "trump", "exchange", "play", "settled", "unscorable", "voided"]


@mypyc_attr(allow_interpreted_subclasses=True)
class OmbreState(TrickDeal):
    """The state of one deal. `active`: the seats that play, starting with forehand. `stock`: the rest of the stock, top
    first.

    `forced_by_record`: three passes have made the unknown holder of SA the Ombre (OMB-4.21).
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
        """Return an independent copy."""
        twin = twin_of(self)
        twin.holdings, twin.auction = self.holdings.copy(), self.auction.copy()
        twin.exchange = None if self.exchange is None else self.exchange.copy()
        twin.play = None if self.play is None else self.play.copy(twin.holdings, twin.end_play)
        return twin

    def begin_auction(self, stock: Cards) -> None:
        """Begin the auction once the hands are dealt; `stock` is the rest."""
        self.stock = stock
        self.phase = "auction"

    def begin_trump(self, ombre: int | None, contract: str) -> None:
        """Begin the naming of trumps. `ombre` is None if the unknown holder of SA must play (OMB-4.21)."""
        self.ombre, self.contract = ombre, contract
        self.forced_by_record = ombre is None
        self.phase = "trump"

    def force(self, seat: int | None) -> None:
        """Make the seat that was dealt SA the Ombre (OMB-4.21); None: the seat stays unknown."""
        self.forced_by_record = False
        if seat is not None:
            self.ombre = seat
            self.holdings.remove(seat, SPADILLE)
            self.holdings.give_known(seat, SPADILLE)

    def turn_up(self, card: str) -> None:
        """Turn up the top card of the stock for all to see (OMB-5.4)."""
        if self.stock[0] == UNKNOWN:
            self.stock = (card, *self.stock[1:])
            self.holdings.place(BIT[card])
        self.turned = card

    def begin_exchange(self, trump: str) -> None:
        """Begin the exchange with these trumps."""
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
        """Finish the seat's exchange with this rest of the stock. After the last exchange, the play begins."""
        assert self.exchange is not None
        self.stock = stock
        self.exchange.due.remove(seat)
        self.exchange.is_first_of_solo = False
        if not self.exchange.due:
            self.begin_play()

    def begin_play(self) -> None:
        """Begin the play."""
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

    def end_play(self) -> None:
        """End the deal as the play has ended."""
        assert self.play is not None
        self.phase = "unscorable" if self.play.is_halted else "settled"

    def pass_out(self) -> None:
        """Complete the deal without play (OMB-4.20, 4.22)."""
        self.ombre = self.contract = None
        self.forced_by_record = False
        self.phase = "settled"

    def record(self, outcome: OmbreOutcome) -> None:
        """Record a result written down in place of calls and cards."""
        self.recorded = outcome
        self.ombre, self.contract, self.trump = outcome.ombre, outcome.contract, outcome.trump
        self.phase = "settled"

    def halt(self) -> None:
        """Halt the deal: the rest is not audited, and there is no computed result."""
        self.phase = "unscorable"

    def annul(self) -> None:
        """Void the deal with all that is pending."""
        self.phase = "voided"
        self.forced_by_record = False
        self.auction.owed_pass = None
        if self.play is not None:
            self.play.break_off()
