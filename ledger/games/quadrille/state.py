"""The state of a Quadrille deal and its transitions between phases (QUA-10.1).

It knows no rules: these are in `opening_rules` and `play_rules`. Only this object and its parts write their fields.
"""

from __future__ import annotations

from typing import Literal, Self, TypeAlias

from mypy_extensions import mypyc_attr

from ledger.cards import BIT
from ledger.games.kernel.copying import twin_of
from ledger.games.kernel.deal import TrickDeal
from ledger.games.kernel.holdings import Holdings
from ledger.games.kernel.matadors import PACK_MASK, TRUMP_TABLES, MatadorAuction
from ledger.games.quadrille.options import QuadrilleOptions
from ledger.games.quadrille.outcome import QuadrilleOutcome
from ledger.games.quadrille.pack import BIDS, COURSE, ORDERS, SEATS, SPADILLE_BIT, first_leader
from ledger.games.quadrille.play import Play
from ledger.games.quadrille.play_state import DealtCards, OmbreSide

Phase: TypeAlias = Literal["deal", "auction", "trump", "call", "play", "settled", "voided", "unscorable"]


@mypyc_attr(allow_interpreted_subclasses=True)
class QuadrilleState(TrickDeal):
    """The state of one deal.

    `dealt`, `holdings`: the cards as dealt, and where they are now. `is_spadille_shown`: the forced Ombre has shown SA
    (QUA-4.16). `called`: None before a card is called and in contracts without one. `doubtful_call`: the version of a
    call that later cards may prove wrong. `ombre`: None in a forced contract while the holder of SA is unknown.
    `recorded`: the result that was recorded in place of the cards.
    """

    __slots__ = (
        "auction",
        "called",
        "contract",
        "dealt",
        "doubtful_call",
        "holdings",
        "is_spadille_shown",
        "ombre",
        "options",
        "play",
        "recorded",
        "trump",
    )

    def __init__(self, options: QuadrilleOptions, dealer: int) -> None:
        self.options = options
        self.dealer = dealer
        self.phase: Phase = "deal"
        self.holdings = Holdings(SEATS, PACK_MASK)
        self.dealt = DealtCards([0] * SEATS)
        self.auction = MatadorAuction(ORDERS[dealer], COURSE.next_of, BIDS)
        self.ombre: int | None = None
        self.contract: str | None = None
        self.is_spadille_shown = False
        self.trump: str | None = None
        self.called: str | None = None
        self.doubtful_call: int | None = None
        self.play: Play | None = None
        self.recorded: QuadrilleOutcome | None = None

    def copy(self) -> Self:
        """Return an independent copy."""
        twin = twin_of(self)
        twin.holdings, twin.auction = self.holdings.copy(), self.auction.copy()
        twin.play = None if self.play is None else self.play.copy(twin.holdings, twin.end_play)
        twin.dealt = self.dealt.copy() if twin.play is None else twin.play.side.dealt
        return twin

    def begin_auction(self) -> None:
        """Begin the auction."""
        self.phase = "auction"

    def begin_trump(self, ombre: int | None, contract: str) -> None:
        """Begin the naming of trumps; `ombre` is None while the holder of SA is unknown."""
        self.phase = "trump"
        self.ombre, self.contract = ombre, contract

    def begin_call(self, trump: str) -> None:
        """Begin the call of a card; contracts without one go straight on to the play."""
        self.phase = "call"
        self.trump = trump

    def begin_play(self, called: str | None) -> None:
        """Begin the play; `called` is None if no card is called."""
        assert self.trump is not None and self.ombre is not None and self.contract is not None
        self.called = called
        self.play = Play(
            self.holdings,
            TRUMP_TABLES[self.trump],
            first_leader(self.dealer),
            OmbreSide(self.ombre, 0 if called is None else BIT[called], self.dealt),
            self.contract,
            self.options,
            self.end_play,
        )
        self.phase = "play"

    def end_play(self) -> None:
        """End the deal as the play has ended or halted."""
        assert self.play is not None
        if self.phase == "voided":
            return
        self.phase = "unscorable" if self.play.is_halted else "settled"

    def end(self) -> None:
        """Complete the deal without play."""
        self.phase = "settled"

    def record(self, outcome: QuadrilleOutcome) -> None:
        """Record a result written down in place of calls and cards."""
        self.recorded = outcome
        self.ombre, self.contract, self.trump = outcome.ombre, outcome.contract, outcome.trump
        self.phase = "settled"

    def halt(self) -> None:
        """Halt the deal, which has no computed result (QUA-11.3)."""
        self.phase = "unscorable"

    def annul(self) -> None:
        """Void the deal (QUA-3.11)."""
        self.phase = "voided"
        if self.play is not None and not self.play.is_over:
            self.play.break_off()

    def make_forced(self, seat: int) -> None:
        """Make the seat that was dealt SA the forced Ombre (QUA-4.15)."""
        self.ombre = seat
        self.dealt.add(seat, SPADILLE_BIT)

    def show_spadille(self) -> None:
        """Note that the forced Ombre has shown SA."""
        self.is_spadille_shown = True

    def doubt_call(self, version: int) -> None:
        """Note that hidden cards decide whether the call of this version was allowed."""
        self.doubtful_call = version
