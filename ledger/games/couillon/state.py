"""The parts of one deal, and the steps between its phases.

Only this class and its parts write a deal's fields. No rule is here: the effects and violations of events are in the
modules that take the state. The other reading of a deal is here, because it and the state contain each other.
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
from ledger.games.couillon.play import CouillonPlay
from ledger.games.kernel.copying import become, twin_of
from ledger.games.kernel.deal import TrickDeal
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.holdings import Holdings
from ledger.games.kernel.tricks import Violations
from ledger.games.kernel.views import DealStatus

Phase: TypeAlias = Literal["deal", "trump", "play", "settled", "voided"]
"""The phase of a deal: in `deal` no card is known to have been dealt, in `trump` trumps are made (COU section 4).

In `settled` the play is over, or the result was recorded without it.
"""

_STATUS: Final[dict[Phase, DealStatus]] = {"settled": "complete", "voided": "voided"}
_NOBODY: Final[frozenset[int]] = frozenset()
_NO_HANDS: Final[tuple[None, ...]] = (None,) * MOST_SEATS
_UNKNOWN_CARDS: Final[tuple[str, ...]] = (UNKNOWN,) * PACK_32.bit_count()


@mypyc_attr(allow_interpreted_subclasses=True)
class CouillonState(TrickDeal):
    """One deal. `was_dealt`: its cards are recorded (`has_cards`), or the play has shown that they were dealt.

    `is_halted`: no score follows from the cards, though the deal is audited to its end (COU-11.1, 11.4). `is_left`: the
    next one has begun. `recorded`: the outcome, if the record has only that.

    `raises`: the valid Mit', Kontra and Re in this order, each as seat and version. `void_mits`: void calls of `mit`
    made before it was known who holds SQ.

    `late`: violations that later events have proven; `refuted`: those that they have disproved. `doubt`: the other
    reading of a deal with a Mit' that may have been void; `without_mit_card`: the seats that do not hold SQ in this
    reading. `events`: every event but the cards played, each after the number of cards played before it, for the views
    of seats. `early`: the events before the cards in the record, with whether each was out of place in any case.
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
        self.play: CouillonPlay | None = None
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
        """Return a copy that shares nothing that can still change."""
        twin = twin_of(self)
        twin.holdings, twin.trumps = self.holdings.copy(), self.trumps.copy()
        twin.play = None if self.play is None else self.play.copy(twin.holdings, twin.settle)
        twin.doubt = None if self.doubt is None else self.doubt.copy()
        return twin

    @property
    def status(self) -> DealStatus:
        """The status that follows from the phase, unless the deal was halted or left before its end."""
        status = _STATUS.get(self.phase, "unscorable" if self.is_left else "open")
        return "unscorable" if self.is_halted and status != "voided" else status

    def deal_out(self, hands: Sequence[Sequence[str] | None], stock: Sequence[str]) -> None:
        """Deal the cards, each hand and the stock in the order of the record."""
        self.hands, self.stock = hands, stock
        self.has_cards = True
        self._note_dealt()

    def imply_deal(self) -> None:
        """Deal hidden hands, because an event implies a deal: clubs often record only the calls and the play."""
        if not self.was_dealt:
            for seat in range(self.seats):
                self.holdings.give_hidden(seat, self.form.hand)
            self._note_dealt()

    def _note_dealt(self) -> None:
        self.was_dealt = True
        if self.phase == "deal":
            self.phase = "trump"

    def forget_hands(self) -> None:
        """Undo an implied deal, because the cards come only now."""
        self.holdings = Holdings(self.seats, self.form.pack)
        self.stock = _UNKNOWN_CARDS[: self.form.stock]
        self.play = None
        if self.phase == "play":
            self.phase = "trump"

    def show_in_stock(self, place: int, card: str) -> None:
        """Show a card of the stock."""
        stock = list(self.stock)
        stock[place] = card
        self.stock = stock
        self.holdings.place(BIT[card])

    def judge_pack(self, is_bad: bool) -> None:
        """Note whether the pack is wrong, which is reported once."""
        self.pack_is_bad = is_bad

    def raise_by(self, seat: int, version: int) -> None:
        """Make a lawful call of the next of Mit', Kontra and Re."""
        self.raises += ((seat, version),)

    def remember_void(self, call: VoidMit) -> None:
        """Keep a void call, whose violations may show later."""
        self.void_mits += (call,)

    def forget_raises(self) -> None:
        """Drop all raises: they were made before the cards were dealt."""
        self.raises = self.void_mits = ()

    def deny_mit_card(self, seat: int) -> None:
        """Note that, in this reading of the deal, the seat does not hold SQ."""
        self.without_mit_card |= {seat}

    def begin_play(self) -> None:
        """Begin the play with forehand's lead, with or without trumps."""
        suit = self.trumps.suit
        table = NO_TRUMPS if suit is None else TRUMP_TABLES[suit]
        self.play = CouillonPlay(self.holdings, table, self.form.course, self.trumps.forehand, self.settle)
        self.phase = "play"

    def settle(self) -> None:
        """Settle the deal: the play is over."""
        self.phase = "settled"

    def record(self, outcome: CouillonOutcome) -> None:
        """Record the result in place of the play, or of the rest of it."""
        self.recorded = outcome
        self.trumps.suit, self.trumps.maker = outcome.trump, outcome.maker
        if self.play is not None:
            self.play.break_off()
        self.phase = "settled"

    def halt(self) -> None:
        """Note that no score follows from the cards any more."""
        self.is_halted = True

    def abandon(self) -> None:
        """Leave the deal: the next one has begun, or the table is closed."""
        self.is_left = True

    def annul(self, late: Violations, refuted: Violations) -> None:
        """Void the deal: it does not count, and no more evidence about it is taken."""
        self.phase = "voided"
        self.late, self.refuted, self.doubt = [*late], [*refuted], None
        self.void_mits = ()
        if self.play is not None:
            self.play.annul()

    def remember_early(self, event: Event, version: int, is_reported: bool) -> None:
        """Keep an event that may turn out to have come before the cards were dealt."""
        self.early.append((event, version, is_reported))

    def forget_early(self) -> None:
        """Drop the early events, which have been judged."""
        self.early = []

    def find_late(self, *violations: Violation) -> None:
        """Add violations that later events have proven."""
        self.late.extend(violations)

    def doubt_mit(self, caller: int, otherwise: CouillonState, denial: Violation) -> None:
        """Accept a Mit' whose caller may not hold SQ; in `otherwise` it was void, as the `denial` says."""
        self.doubt = DoubtfulMit(caller, otherwise, denial, self.late, self.refuted)
        self.late, self.refuted = [], []
        otherwise.late, otherwise.refuted = [], []

    def confirm_mit(self, doubt: DoubtfulMit) -> None:
        """End the doubt: the caller holds SQ, or the call was dropped."""
        self.doubt = None
        self._conclude(doubt)

    def take_back_mit(self, doubt: DoubtfulMit) -> None:
        """End the doubt: the caller does not hold SQ, so the other reading is the right one."""
        become(self, doubt.otherwise)
        if self.play is not None and not self.play.is_over:
            self.play.on_end = self.settle
        doubt.amend(
            [one for one in doubt.other_violations if one not in doubt.violations],
            [one for one in doubt.violations if one not in doubt.other_violations],
        )
        self._conclude(doubt)

    def _conclude(self, doubt: DoubtfulMit) -> None:
        """Move what is certain now to the deal, or to another doubt that remains."""
        rest = self if self.doubt is None else self.doubt
        doubt.amend(rest.late, rest.refuted)
        rest.late, rest.refuted = doubt.late, doubt.refuted


@mypyc_attr(allow_interpreted_subclasses=True)
class DoubtfulMit:
    """The other reading of a deal with a Mit': in `otherwise` its caller does not hold SQ, and it was void.

    The deal itself trusts the call: its violations are reported, and withdrawn if need be. `violations` and
    `other_violations`: those of either reading since. `late` and `refuted`: those of earlier events, shown before.
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
        """Return an independent copy."""
        twin = twin_of(self)
        twin.otherwise = self.otherwise.copy()
        return twin

    def take(self, event: Event, version: int, violations: Violations) -> None:
        """Apply an event to the other reading; `violations`: those in the deal."""
        self.violations.extend(violations)
        self.other_violations.extend(self.otherwise.apply(event, version))

    def amend(self, proven: Sequence[Violation], disproved: Sequence[Violation]) -> None:
        """Add violations that were proven or disproved later."""
        self.refuted = [*self.refuted, *(one for one in disproved if one not in self.late)]
        self.late = [one for one in self.late if one not in disproved]
        self.late = [*self.late, *(one for one in proven if one not in self.refuted)]
        self.refuted = [one for one in self.refuted if one not in proven]

    def late_violations(self, violations: Violations) -> list[Violation]:
        """Return those `violations` of earlier events that are certain in both readings."""
        return [*self.late, *_in_both(violations, self.otherwise.late_violations())]

    def refuted_violations(self, refuted: Violations) -> list[Violation]:
        """Return those `refuted` violations that are disproved in both readings."""
        return [*self.refuted, *_in_both(refuted, self.otherwise.refuted_violations())]


def _in_both(violations: Violations, otherwise: Sequence[Violation]) -> list[Violation]:
    """Return the violations that both readings have, in the words of the first."""
    others = {(one.code, one.version, one.seat) for one in otherwise}
    return [one for one in violations if (one.code, one.version, one.seat) in others]
