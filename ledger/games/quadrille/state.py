"""The state of one Quadrille deal, and its ways from phase to phase (QUA-10.1).

Only this object and those it holds write their fields. It knows no rule: what may be done, and what an event breaks,
is in the modules that take it.
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
    """What is known of one deal.

    `dealt`, `holdings`: the cards as dealt, and where they are now. `is_spadille_shown`: the forced Ombre has shown SA
    (QUA-4.16). `called`: None before a card is called, and where none is. `doubtful_call`: the version of a call of
    which later cards may prove that it was not allowed. `ombre` is None in a forced contract while nobody knows who
    holds SA. `recorded`: the result that was told instead of the cards.
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
        twin = twin_of(self)
        twin.holdings, twin.auction = self.holdings.copy(), self.auction.copy()
        twin.play = None if self.play is None else self.play.copy(twin.holdings, twin.end_play)
        twin.dealt = self.dealt.copy() if twin.play is None else twin.play.side.dealt
        return twin

    # --- from phase to phase ------------------------------------------------------------------------------------------

    def begin_auction(self) -> None:
        self.phase = "auction"

    def begin_trump(self, ombre: int | None, contract: str) -> None:
        """The bidding is over; `ombre` is None while nobody knows who holds SA."""
        self.phase = "trump"
        self.ombre, self.contract = ombre, contract

    def begin_call(self, trump: str) -> None:
        """Trumps are named, and what comes next is a called card, or at once the play."""
        self.phase = "call"
        self.trump = trump

    def begin_play(self, called: str | None) -> None:
        """The first trick can be led; `called` is None where no card is called."""
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
        """Takes over what the play has come to: its end, or a fault that halts it."""
        assert self.play is not None
        if self.phase == "voided":
            return
        self.phase = "unscorable" if self.play.is_halted else "settled"

    def end(self) -> None:
        self.phase = "settled"

    def record(self, outcome: QuadrilleOutcome) -> None:
        """The deal came to what was told of it, whatever was known before."""
        self.recorded = outcome
        self.ombre, self.contract, self.trump = outcome.ombre, outcome.contract, outcome.trump
        self.phase = "settled"

    def halt(self) -> None:
        """The deal cannot be replayed any further and has no computed result (QUA-11.3)."""
        self.phase = "unscorable"

    def annul(self) -> None:
        """The deal does not count (QUA-3.11)."""
        self.phase = "voided"
        if self.play is not None and not self.play.is_over:
            self.play.break_off()

    # --- within a phase -----------------------------------------------------------------------------------------------

    def make_forced(self, seat: int) -> None:
        """This seat was dealt SA, as it has shown by what it did, and is the Ombre (QUA-4.15)."""
        self.ombre = seat
        self.dealt.add(seat, SPADILLE_BIT)

    def show_spadille(self) -> None:
        self.is_spadille_shown = True

    def doubt_call(self, version: int) -> None:
        """Hidden cards decide whether the call of this version was allowed."""
        self.doubtful_call = version
