"""The state machine of one Couillon deal: what may be done, what an event does and breaks (COU sections 3 to 6, 11).

Scoring is not here: `outcome()` hands over the facts. Making trumps, the raises and the play have files of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, cast

import msgspec
from mypy_extensions import mypyc_attr

from ledger.cards import UNKNOWN, mask_of_known
from ledger.events import (
    Announced,
    BidMade,
    CardPlayed,
    CardsDealt,
    CardTurned,
    Event,
    ResultRecorded,
    Suit,
    TrickGathered,
    TrumpNamed,
)
from ledger.games.couillon.dealing import deal_faults, plainly_dealt, read_deal
from ledger.games.couillon.doubtful_mit import DoubtfulMit
from ledger.games.couillon.early import before_cards, judge_early
from ledger.games.couillon.irregularities import BLOCKING_CODES, violation
from ledger.games.couillon.mit_card import holds_mit_card, let_mit_stand
from ledger.games.couillon.options import CouillonOptions
from ledger.games.couillon.outcome import CouillonOutcome, checked_outcome
from ledger.games.couillon.pack import MIT_CARD, NO_TRUMPS, TRUMP_TABLES
from ledger.games.couillon.play import Play
from ledger.games.couillon.raises import Raises
from ledger.games.couillon.results import result_of, winner_of
from ledger.games.couillon.tally import points_and_tricks
from ledger.games.couillon.trumps import TrumpMaking
from ledger.games.couillon.turned_cards import bad_pack, turned_at_wrong_moment
from ledger.games.couillon.view import legal_of, turn_of, view_of
from ledger.games.kernel.copying import twin_of
from ledger.games.kernel.deal import Deal
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.holdings import Holdings
from ledger.games.kernel.tricks import NOTHING, Violations
from ledger.games.kernel.views import DealStatus, DealView, Legal

_BID_MADE: Final = BidMade  # as in `kernel.tricks`: calls are frequent, and through the table they take longer
_CARD_PLAYED: Final = CardPlayed
_NOBODY: Final[frozenset[int]] = frozenset()
_NO_HANDS: Final[tuple[None, ...]] = (None,) * 8
_UNKNOWN_CARDS: Final[tuple[str, ...]] = (UNKNOWN,) * 32


@mypyc_attr(allow_interpreted_subclasses=True)
class CouillonDeal(Deal):
    """One deal. `was_dealt`: its cards are recorded, or the play has shown that they were dealt.

    `late`: findings that later events have proven, `refuted` those that they have disproved. `doubt`: the other reading
    of a deal in which a Mit' stands that may have been void; `without_mit_card`: who does not hold SQ in this one.
    `told`: every event but the cards played, with the number of cards played before it: what a seat has seen is read
    from it. `early`: what came before the cards in the record, and whether it was found out of its place even without
    them.
    """

    __slots__ = (
        "blocked",
        "dealer",
        "doubt",
        "early",
        "form",
        "hands",
        "has_cards",
        "holdings",
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
        "told",
        "trumps",
        "was_dealt",
        "without_mit_card",
    )

    def __init__(self, options: CouillonOptions, seats: int, dealer: int) -> None:
        self.options = options
        self.form = options.form
        self.seats = seats
        self.dealer = dealer
        self.status: DealStatus = "open"
        self.holdings = Holdings(seats, self.form.pack)
        self.hands: Sequence[Sequence[str] | None] = _NO_HANDS[:seats]
        self.stock: Sequence[str] = _UNKNOWN_CARDS[: self.form.stock]
        self.trumps = TrumpMaking(self.form, dealer)
        self.raises = Raises()
        self.play: Play | None = None
        self.doubt: DoubtfulMit | None = None
        self.without_mit_card = _NOBODY
        self.recorded: CouillonOutcome | None = None
        self.was_dealt = False
        self.has_cards = False
        self.blocked = False
        self.is_left = False
        self.pack_is_bad = False
        self.late: list[Violation] = []
        self.refuted: list[Violation] = []
        self.early: list[tuple[Event, int, bool]] = []
        self.told: list[tuple[int, Event, int]] = []

    def copy(self) -> CouillonDeal:
        twin = twin_of(self)
        twin.holdings, twin.trumps, twin.raises = self.holdings.copy(), self.trumps.copy(), self.raises.copy()
        twin.play = None if self.play is None else self.play.copy(twin.holdings, twin.after_play)
        twin.doubt = None if self.doubt is None else self.doubt.copy()
        return twin

    # --- the protocol -------------------------------------------------------------------------------------------------

    def apply(self, event: Event, version: int) -> Violations:
        """Moves the state by one event and answers what it broke; a blocked deal is audited to its end (COU-11.1)."""
        if self.status == "voided":
            return NOTHING
        doubt = self.doubt
        found = self._take(event, version)
        if doubt is not None:
            doubt.take(self, event, version, found)
        return found

    def _take(self, event: Event, version: int) -> Violations:
        kind = type(event)  # isinstance costs ten times as much on Structs
        if kind is _CARD_PLAYED:
            return self._play_card(cast(CardPlayed, event), version)
        handler = None if kind is _BID_MADE else _HANDLERS.get(kind)
        if handler is None and kind is not _BID_MADE:
            return NOTHING
        self.told.append((0 if self.play is None else len(self.play.cards), event, version))
        found = self._bid(cast(BidMade, event), version) if handler is None else handler(self, event, version)
        if self.play is None and self.was_dealt and self.trumps.suit is not None and self.recorded is None:
            self._begin_play()
        self.block_if(found)
        return found

    def take_run(self, entries: list[tuple[int, Event]], start: int) -> int:
        """Takes the cards from `start` on that are plainly in order; answers the index of the first entry left."""
        if self.play is None or self.recorded is not None or self.doubt is not None:
            return start
        return self.play.take_run(entries, start)

    def check(self, event: Event) -> Violations:
        """What the event would break here; the state stays as it is."""
        return self.copy().apply(event, 0)

    def legal(self) -> Legal:
        return legal_of(self)

    def turn(self) -> int | None:
        return turn_of(self)

    def view(self, seat: int | None = None) -> DealView:
        return view_of(self, seat)

    def leave(self, last_version: int, last_seat: int | None) -> Violations:
        """The next deal starts or the table closes: unfinished play makes the deal unscorable (COU-11.37)."""
        self.is_left = True
        if self.status == "voided" or self.recorded is not None:
            return NOTHING
        play = self.play
        if play is not None and play.is_over:
            return NOTHING
        self.status = "unscorable"
        return (violation("unfinished_deal", "COU-6.14", last_version),)

    def void(self, version: int) -> Violations:
        """The director voids the deal (COU-10.2); nothing is broken by that."""
        self.status = "voided"
        self.late, self.refuted, self.doubt = [*self.late_violations()], [*self.refuted_violations()], None
        self.raises.void_mits = ()
        if self.play is not None:
            self.play.doubts = []
            self.play.break_off()
        return NOTHING

    def late_violations(self) -> Violations:
        """What later cards have proven: revokes from hands not recorded, and calls of a Mit' without the queen."""
        found: list[Violation] = []
        if self.late or self.raises.void_mits:
            refuted = self._refuted()
            found = [one for one in (*self.late, *self.raises.late_violations(self)) if one not in refuted]
        if self.play is not None and self.play.doubts:
            found.extend(self.play.late_violations())
        return found if self.doubt is None else self.doubt.late_violations(found)

    def refuted_violations(self) -> Violations:
        """What was found of a Mit', or while one was in doubt, and later cards have shown otherwise."""
        return self._refuted() if self.doubt is None else self.doubt.refuted_violations(self._refuted())

    def _refuted(self) -> list[Violation]:
        refuted = [*self.refuted, *self.raises.refuted_violations(self)]
        return refuted if self.play is None else [*refuted, *self.play.refuted_violations()]

    def outcome(self) -> CouillonOutcome | None:
        """The facts for scoring; null while the deal is open or blocked, and where the record does not tell them."""
        if self.status != "complete":
            return None
        if self.recorded is not None:
            return self.recorded
        if self.doubt is not None:
            return None
        counted = points_and_tricks(self)
        return None if counted is None else self.outcome_with(counted[0], counted[1])

    def outcome_with(self, points: tuple[int, int], tricks: tuple[int, int]) -> CouillonOutcome:
        """The outcome with these card points and tricks: the play's own, or those of a score sheet (COU-10.4)."""
        raises, maker = self.raises, self.trumps.maker
        winner = winner_of(points, maker, self.options)
        return CouillonOutcome(
            result=result_of(winner, tricks),
            winner=winner,
            card_points=points,
            tricks=tricks,
            maker=maker,
            trump=cast("Suit | None", self.trumps.suit),
            mit=raises.mit is not None,
            kontra=raises.kontra is not None,
            re=raises.re is not None,
        )

    def holder_of_mit_card(self) -> int | None:
        """The seat that certainly was dealt SQ."""
        dealt = self.holdings.known if self.play is None else self.play.origin
        return next((seat for seat, mask in enumerate(dealt) if mask & MIT_CARD), None)

    # --- one event ----------------------------------------------------------------------------------------------------

    def block_if(self, found: Violations) -> None:
        """A blocked deal is not scored without a ruling (COU-11.4)."""
        if found and any(one.code in BLOCKING_CODES for one in found):
            self.blocked = True
        if self.blocked and self.status != "voided":
            self.status = "unscorable"

    def after_play(self) -> None:
        """Takes over that the play has ended."""
        assert self.play is not None
        if self.status != "voided":
            self.status = "unscorable" if self.blocked else "complete"

    def _record_result(self, event: ResultRecorded, version: int) -> Violations:
        outcome = msgspec.convert(event.outcome, CouillonOutcome)
        self.recorded = checked_outcome(outcome, self.options, self.seats)
        self.trumps.suit, self.trumps.maker = outcome.trump, outcome.maker
        if self.play is not None:
            self.play.break_off()
        self.status = "complete"
        return NOTHING

    # --- deal ---------------------------------------------------------------------------------------------------------

    def _deal_cards(self, event: CardsDealt, version: int) -> Violations:
        if self.has_cards:
            return bad_pack(self, version, "again")  # every card is there twice
        if self.play is not None and self.play.cards:
            rule = self.form.order_rule  # nobody had been dealt a card at the first lead
            return (violation("wrong_number", rule, version, found="late", count=0, due_count=self.form.hand),)
        if self.was_dealt:
            self._forget_hands()
        plain = plainly_dealt(event, self.form, self.dealer)
        if plain is not None:
            self.holdings.known[:], self.holdings.placed = plain, self.form.pack
            self.hands, self.stock = event.hands, event.stock or ()
            self.was_dealt = self.has_cards = True
            judge_early(self)
            return NOTHING
        dealt = read_deal(event, self.form, self.dealer)
        found = deal_faults(event, dealt, self.form, self.dealer, version)
        self.pack_is_bad = any(one.code == "COU-11.11" for one in found)
        if dealt.stock is not None and len(dealt.stock) == self.form.stock:
            self.stock = dealt.stock
            self.holdings.placed |= mask_of_known(dealt.stock)
        for seat, hand in enumerate(dealt.hands):
            self.holdings.give(seat, (UNKNOWN,) * self.form.hand if hand is None else hand)
        self.holdings.give_rest()
        self.hands = dealt.hands
        self.was_dealt = self.has_cards = True
        judge_early(self)
        return found

    def _forget_hands(self) -> None:
        """The cards come after calls from which it only seemed that they had been dealt."""
        self.holdings = Holdings(self.seats, self.form.pack)
        self.stock = _UNKNOWN_CARDS[: self.form.stock]
        self.play = None

    def _imply_deal(self) -> None:
        """A club often writes down only the calls and the play."""
        if not self.was_dealt:
            for seat in range(self.seats):
                self.holdings.give_hidden(seat, self.form.hand)
            self.was_dealt = True

    # --- trumps -------------------------------------------------------------------------------------------------------

    def _bid(self, event: BidMade, version: int) -> Violations:
        if self.recorded is not None or self.play is not None:
            rule = "COU-4.17" if self.trumps.is_naming else "COU-4.4"
            return (violation("call_after_trumps", rule, version, event.seat, call=event.call),)
        return self.trumps.bid(event, self.stock[0] if self.stock else UNKNOWN, version)

    def _name_trump(self, event: TrumpNamed, version: int) -> Violations:
        if self.recorded is not None or self.play is not None:
            rule = "COU-4.17" if self.trumps.is_naming else "COU-4.4"
            return (violation("call_after_trumps", rule, version, event.seat, call=event.suit),)
        return self.trumps.name(event, version)

    def _turn_card(self, event: CardTurned, version: int) -> Violations:
        if self.recorded is not None:
            return (turned_at_wrong_moment(self, event, version),)
        self._imply_deal()
        found = self.trumps.turn(event, self, version)
        before_cards(self, event, version, found)
        return found

    # --- raises and concession ----------------------------------------------------------------------------------------

    def _announce(self, event: Announced, version: int) -> Violations:
        assert event.seat is not None
        if event.what == "concede":
            return self._concede(event.seat, version)
        if self.trumps.suit is not None and self.recorded is None:
            before_cards(self, event, version)
            self._imply_deal()
            self._begin_play()
        had_mit = self.raises.mit
        is_doubtful = event.what == "mit" and had_mit is None and holds_mit_card(self, event.seat) is None
        otherwise = self.copy() if is_doubtful else None
        found = self.raises.call(self, event.what, event.seat, version)
        if self.raises.mit is not None and had_mit is None:
            let_mit_stand(self)
            if otherwise is not None:
                self.doubt = DoubtfulMit(self, otherwise, event.seat, version)
        return found

    def _concede(self, seat: int, version: int) -> Violations:
        if self.options.concession == "none":
            return (violation("concession_not_allowed", "COU-6.15", version, seat),)
        if self.recorded is not None or self.play is None or not self.play.may_concede():
            return (violation("concession_not_allowed", "COU-6.16", version, seat),)
        self.play.concede(seat)
        return NOTHING

    # --- play ---------------------------------------------------------------------------------------------------------

    def _begin_play(self) -> None:
        if self.play is not None:
            return
        suit = self.trumps.suit
        table = NO_TRUMPS if suit is None else TRUMP_TABLES[suit]
        self.play = Play(self.holdings, table, self.form.course, self.trumps.forehand, self.after_play)

    def _play_card(self, event: CardPlayed, version: int) -> Violations:
        """A card; the first one may come before trumps were fixed, others after the end."""
        found: list[Violation] = []
        if self.recorded is not None:
            found.append(
                violation("card_played_twice", "COU-6.14", version, event.seat, (), card=event.card, found="all")
            )
            self.block_if(found)
            return found
        if self.play is None:
            if self.trumps.suit is None:
                found.append(violation("trumps_not_fixed", self._missing_rule(), version, event.seat))
            self._imply_deal()
            self._begin_play()
        assert self.play is not None
        found.extend(self.play.take_card(event, version))
        self.block_if(found)
        return found

    def _missing_rule(self) -> str:
        """By which rule trumps should have been fixed."""
        trumps = self.trumps
        if trumps.is_naming:
            return "COU-4.13" if trumps.is_deferred else "COU-4.12"
        return "COU-4.7" if trumps.caller() is None and not trumps.is_taken else "COU-4.3"

    def _gather(self, event: TrickGathered, version: int) -> Violations:
        if self.recorded is not None:
            return NOTHING
        if self.play is None:
            return (violation("wrong_gather", "COU-6.12", version, event.seat, winner=None),)
        return self.play.gather(event, version)


_HANDLERS: Final[dict[type, Callable[[CouillonDeal, Any, int], Violations]]] = {
    CardsDealt: CouillonDeal._deal_cards,
    TrumpNamed: CouillonDeal._name_trump,
    CardTurned: CouillonDeal._turn_card,
    TrickGathered: CouillonDeal._gather,
    Announced: CouillonDeal._announce,
    ResultRecorded: CouillonDeal._record_result,
}
