"""What one Couillon deal is made of, and the steps from one of its phases to the next.

Nothing else writes a deal's fields but the objects that they hold. No rule is here: what an event does and breaks is in
the modules that take the state. The other reading of a deal is here too, for a state holds it and it holds a state.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, Self, TypeAlias

from mypy_extensions import mypyc_attr

from ledger.cards import BIT, UNKNOWN
from ledger.events import Event
from ledger.games.couillon.calls import TrumpMaking, VoidMit
from ledger.games.couillon.options import CouillonOptions
from ledger.games.couillon.outcome import CouillonOutcome
from ledger.games.couillon.pack import MOST_SEATS, NO_TRUMPS, PACK_32, TRUMP_TABLES
from ledger.games.couillon.play import Play
from ledger.games.kernel.copying import become, twin_of
from ledger.games.kernel.deal import TrickDeal
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.holdings import Holdings
from ledger.games.kernel.tricks import Violations
from ledger.games.kernel.views import DealStatus

Phase: TypeAlias = Literal["deal", "trump", "play", "settled", "voided"]
"""In `deal` no card is known to have been dealt, in `trump` trumps are made (COU section 4); in `settled` the play is
over, or the result was recorded without it.
"""

_STATUS: Final[dict[Phase, DealStatus]] = {"settled": "complete", "voided": "voided"}
_NOBODY: Final[frozenset[int]] = frozenset()
_NO_HANDS: Final[tuple[None, ...]] = (None,) * MOST_SEATS
_UNKNOWN_CARDS: Final[tuple[str, ...]] = (UNKNOWN,) * PACK_32.bit_count()


@mypyc_attr(allow_interpreted_subclasses=True)
class CouillonState(TrickDeal):
    """One deal. `was_dealt`: its cards are recorded (`has_cards`), or the play has shown that they were dealt.

    `is_halted`: no score follows from the cards, though the deal is audited to its end (COU-11.1, 11.4); `is_left`: the
    next one has begun. `recorded`: the outcome where the record has nothing else of it.

    `raises`: the Mit', Kontra and Re that stand, in this order, each as seat and version; `void_mits`: void calls of
    `mit` made before it was known who holds SQ.

    `late`: findings that later events have proven, `refuted` those that they have disproved. `doubt`: the other reading
    of a deal in which a Mit' stands that may have been void; `without_mit_card`: who does not hold SQ in this one.
    `events`: every event but the cards played, with the number of cards played before it: what a seat has seen is read
    from it. `early`: what came before the cards in the record, and whether it was found out of its place even without
    them.
    """

    __slots__ = (
        "doubt",
        "early",
        "events",
        "form",
        "hands",
        "has_cards",
        "holdings",
        "is_halted",
        "is_left",
        "late",
        "options",
        "pack_is_bad",
        "play",
        "raises",
        "recorded",
        "refuted",
        "seats",
        "stock",
        "trumps",
        "void_mits",
        "was_dealt",
        "without_mit_card",
    )

    def __init__(self, options: CouillonOptions, seats: int, dealer: int) -> None:
        self.options = options
        self.form = options.form
        self.seats = seats
        self.dealer = dealer
        self.phase: Phase = "deal"
        self.holdings = Holdings(seats, self.form.pack)
        self.hands: Sequence[Sequence[str] | None] = _NO_HANDS[:seats]
        self.stock: Sequence[str] = _UNKNOWN_CARDS[: self.form.stock]
        self.trumps = TrumpMaking(self.form, dealer)
        self.raises: tuple[tuple[int, int], ...] = ()
        self.void_mits: tuple[VoidMit, ...] = ()
        self.play: Play | None = None
        self.doubt: DoubtfulMit | None = None
        self.without_mit_card = _NOBODY
        self.recorded: CouillonOutcome | None = None
        self.was_dealt = False
        self.has_cards = False
        self.is_halted = False
        self.is_left = False
        self.pack_is_bad = False
        self.late: list[Violation] = []
        self.refuted: list[Violation] = []
        self.early: list[tuple[Event, int, bool]] = []
        self.events: list[tuple[int, Event, int]] = []

    def copy(self) -> Self:
        twin = twin_of(self)
        twin.holdings, twin.trumps = self.holdings.copy(), self.trumps.copy()
        twin.play = None if self.play is None else self.play.copy(twin.holdings, twin.settle)
        twin.doubt = None if self.doubt is None else self.doubt.copy()
        return twin

    @property
    def status(self) -> DealStatus:
        """What follows from the phase, unless the deal was halted or left before its end."""
        status = _STATUS.get(self.phase, "unscorable" if self.is_left else "open")
        return "unscorable" if self.is_halted and status != "voided" else status

    # --- the cards ----------------------------------------------------------------------------------------------------

    def deal_out(self, hands: Sequence[Sequence[str] | None], stock: Sequence[str]) -> None:
        """The cards are dealt, each hand and the stock in the order of the record."""
        self.hands, self.stock = hands, stock
        self.has_cards = True
        self._see_dealt()

    def imply_deal(self) -> None:
        """A club often writes down only the calls and the play: what comes shows that the cards were dealt."""
        if not self.was_dealt:
            for seat in range(self.seats):
                self.holdings.give_hidden(seat, self.form.hand)
            self._see_dealt()

    def _see_dealt(self) -> None:
        self.was_dealt = True
        if self.phase == "deal":
            self.phase = "trump"

    def forget_hands(self) -> None:
        """The cards come after calls from which it only seemed that they had been dealt."""
        self.holdings = Holdings(self.seats, self.form.pack)
        self.stock = _UNKNOWN_CARDS[: self.form.stock]
        self.play = None
        if self.phase == "play":
            self.phase = "trump"

    def show_in_stock(self, place: int, card: str) -> None:
        """A card that nobody gets has been seen."""
        stock = list(self.stock)
        stock[place] = card
        self.stock = stock
        self.holdings.place(BIT[card])

    def judge_pack(self, is_bad: bool) -> None:
        """Whether the pack is not what it must be; that is reported once."""
        self.pack_is_bad = is_bad

    def raise_by(self, seat: int, version: int) -> None:
        """A lawful call of the next of Mit', Kontra and Re."""
        self.raises += ((seat, version),)

    def remember_void(self, call: VoidMit) -> None:
        """It may show later what the call broke."""
        self.void_mits += (call,)

    def forget_raises(self) -> None:
        """No call stands: they were made before the cards were dealt."""
        self.raises = self.void_mits = ()

    def deny_mit_card(self, seat: int) -> None:
        """In this reading of the deal the seat does not hold SQ."""
        self.without_mit_card |= {seat}

    # --- from phase to phase ------------------------------------------------------------------------------------------

    def begin_play(self) -> None:
        """Forehand is to lead, whether or not a suit has been made trumps."""
        suit = self.trumps.suit
        table = NO_TRUMPS if suit is None else TRUMP_TABLES[suit]
        self.play = Play(self.holdings, table, self.form.course, self.trumps.forehand, self.settle)
        self.phase = "play"

    def settle(self) -> None:
        """The play is over."""
        self.phase = "settled"

    def record(self, outcome: CouillonOutcome) -> None:
        """The result is told instead of the play, or of what was left of it."""
        self.recorded = outcome
        self.trumps.suit, self.trumps.maker = outcome.trump, outcome.maker
        if self.play is not None:
            self.play.break_off()
        self.phase = "settled"

    def halt(self) -> None:
        """No score follows from the cards any more."""
        self.is_halted = True

    def abandon(self) -> None:
        """The next deal has begun, or the table is closed."""
        self.is_left = True

    def annul(self, late: Violations, refuted: Violations) -> None:
        """The deal does not count; nothing more comes out about it than has by now."""
        self.phase = "voided"
        self.late, self.refuted, self.doubt = [*late], [*refuted], None
        self.void_mits = ()
        if self.play is not None:
            self.play.annul()

    # --- what comes out later -----------------------------------------------------------------------------------------

    def remember_early(self, event: Event, version: int, is_reported: bool) -> None:
        """The event may turn out to have come before the cards were dealt."""
        self.early.append((event, version, is_reported))

    def forget_early(self) -> None:
        """All that had come before the cards has been judged."""
        self.early = []

    def find_late(self, *violations: Violation) -> None:
        """Later events have proven these."""
        self.late.extend(violations)

    def doubt_mit(self, caller: int, otherwise: CouillonState, denial: Violation) -> None:
        """A Mit' stands whose caller may hold SQ or not; in `otherwise` it was void, as the `denial` says."""
        self.doubt = DoubtfulMit(caller, otherwise, denial, self.late, self.refuted)
        self.late, self.refuted = [], []
        otherwise.late, otherwise.refuted = [], []

    def confirm_mit(self, doubt: DoubtfulMit) -> None:
        """The caller holds SQ, or the call has been forgotten."""
        self.doubt = None
        self._conclude(doubt)

    def take_back_mit(self, doubt: DoubtfulMit) -> None:
        """The caller does not hold SQ: the other reading was the right one."""
        become(self, doubt.otherwise)
        if self.play is not None and not self.play.is_over:
            self.play.on_end = self.settle
        doubt.amend(
            [one for one in doubt.other_violations if one not in doubt.violations],
            [one for one in doubt.violations if one not in doubt.other_violations],
        )
        self._conclude(doubt)

    def _conclude(self, doubt: DoubtfulMit) -> None:
        """What is certain now goes to the deal, or to another doubt that there is still."""
        rest = self if self.doubt is None else self.doubt
        doubt.amend(rest.late, rest.refuted)
        rest.late, rest.refuted = doubt.late, doubt.refuted


@mypyc_attr(allow_interpreted_subclasses=True)
class DoubtfulMit:
    """The other reading of a deal in which a Mit' stands: `otherwise` its caller does not hold SQ, and it was void.

    The call is believed: what the deal finds with it is reported, and taken back if need be. `violations` and
    `other_violations`: what either reading has broken since. `late` and `refuted`: what the deal had found out before
    about earlier events.
    """

    __slots__ = ("caller", "late", "other_violations", "otherwise", "refuted", "violations")

    def __init__(
        self,
        caller: int,
        otherwise: CouillonState,
        denial: Violation,
        late: list[Violation],
        refuted: list[Violation],
    ) -> None:
        self.caller = caller
        self.otherwise = otherwise
        self.violations: list[Violation] = []
        self.other_violations: list[Violation] = [denial]
        self.late, self.refuted = late, refuted

    def copy(self) -> DoubtfulMit:
        twin = twin_of(self)
        twin.otherwise = self.otherwise.copy()
        return twin

    def take(self, event: Event, version: int, violations: Violations) -> None:
        """Reads an event the other way, too, `found` being what the deal found in it."""
        self.violations.extend(violations)
        self.other_violations.extend(self.otherwise.apply(event, version))

    def amend(self, proven: Sequence[Violation], disproved: Sequence[Violation]) -> None:
        """Adds what came out after the rest."""
        self.refuted = [*self.refuted, *(one for one in disproved if one not in self.late)]
        self.late = [one for one in self.late if one not in disproved]
        self.late = [*self.late, *(one for one in proven if one not in self.refuted)]
        self.refuted = [one for one in self.refuted if one not in proven]

    def late_violations(self, violations: Violations) -> list[Violation]:
        """What is certain of what the deal has `found` of earlier events."""
        return [*self.late, *_in_both(violations, self.otherwise.late_violations())]

    def refuted_violations(self, refuted: Violations) -> list[Violation]:
        """What is certainly no fault of what the deal has `refuted`."""
        return [*self.refuted, *_in_both(refuted, self.otherwise.refuted_violations())]


def _in_both(violations: Violations, otherwise: Sequence[Violation]) -> list[Violation]:
    """The faults that both readings find, as the first one tells them."""
    others = {(one.code, one.version, one.seat) for one in otherwise}
    return [one for one in violations if (one.code, one.version, one.seat) in others]
