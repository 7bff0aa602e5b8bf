"""The state machine of one deal: what may be done, what an event does and what it breaks (KOP sections 3 to 6, 11).

Scoring is not here: `outcome()` hands over the facts. Where hands are not recorded, the deal is judged once as it
happens and once more in hindsight, with the hands that the cards have shown since.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, cast

import msgspec
from mypy_extensions import mypyc_attr

from ledger.cards import BIT
from ledger.events import (
    Announced,
    BidMade,
    CardPlayed,
    CardsDealt,
    Event,
    ResultRecorded,
    TrickGathered,
)
from ledger.games.kernel.copying import twin_of
from ledger.games.kernel.deal import Deal
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.tricks import NOTHING, Violations
from ledger.games.kernel.views import DealStatus, DealView, Legal
from ledger.games.kop.auction import PASS, Auction
from ledger.games.kop.dealing import deal_in_full, dealing_faults, dealt_hands
from ledger.games.kop.facts import facts_of
from ledger.games.kop.hands import Hands
from ledger.games.kop.hindsight import in_hindsight, late_violations, refuted_violations
from ledger.games.kop.irregularities import violation
from ledger.games.kop.options import KopOptions
from ledger.games.kop.outcome import KopOutcome, checked_outcome
from ledger.games.kop.pack import SEATS
from ledger.games.kop.play import Play
from ledger.games.kop.play_rules import concede, stop
from ledger.games.kop.schemes import scheme_of
from ledger.games.kop.view import legal_of, turn_of, view_of

_BID_MADE: Final = BidMade  # as in `kernel.tricks`: calls are frequent, and through the table they take longer


@mypyc_attr(allow_interpreted_subclasses=True)
class KopDeal(Deal):
    """One deal. `phase`: deal, auction, play, settled, unscorable (left unfinished), voided.

    `log`: every event, after its version. `conceded`: the seats that gave up. `left`: where the record of the deal
    ended. `is_hindsight`: this is the second reading of a deal whose hands were not recorded.
    """

    __slots__ = (
        "auction",
        "conceded",
        "dealer",
        "hands",
        "is_hindsight",
        "left",
        "log",
        "options",
        "phase",
        "play",
        "recorded",
        "stopped",
    )

    def __init__(self, options: KopOptions, dealer: int) -> None:
        self.options = options
        self.dealer = dealer
        self.status: DealStatus = "open"
        self.phase = "deal"
        self.hands = Hands()
        self.auction = Auction(options, self.leader, self.hands)
        self.play: Play | None = None
        self.conceded: frozenset[int] | None = None
        self.stopped = False
        self.recorded: KopOutcome | None = None
        self.log: list[tuple[int, Event]] = []
        self.left: tuple[int, int | None] | None = None
        self.is_hindsight = False

    @property
    def leader(self) -> int:
        """L (KOP-3.8)."""
        return (self.dealer + 1) % SEATS

    def copy(self) -> KopDeal:
        twin = twin_of(self)
        twin.hands = self.hands.copy()
        twin.auction = self.auction.copy(twin.hands)
        twin.play = None if self.play is None else self.play.copy(twin.hands, twin.log, twin._after_play)
        return twin

    # --- the protocol -------------------------------------------------------------------------------------------------

    def apply(self, event: Event, version: int) -> Violations:
        """Moves the state by one event and answers what it broke; what follows a void deal is not judged."""
        kind = type(event)  # isinstance costs ten times as much on Structs
        if self.phase == "auction" and kind is _BID_MADE:
            self.log.append((version, event))
            return self._bid(cast(BidMade, event), version)
        handler = _HANDLERS.get(kind)
        if handler is None or self.phase == "voided":
            return NOTHING
        if self.phase == "deal" and kind is not CardsDealt and kind is not ResultRecorded:
            self._deal_hidden()  # a club often writes down only the calls and the play
        if kind is not CardPlayed:
            self.log.append((version, event))
        return handler(self, event, version)

    def take_run(self, entries: list[tuple[int, Event]], start: int) -> int:
        """Takes the cards from `start` on that are plainly in order; answers the index of the first entry left."""
        return start if self.play is None or self.phase != "play" else self.play.take_run(entries, start)

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
        """The next deal starts or the table closes: missing plays make the deal unscorable (KOP-11.48)."""
        self.left = (last_version, last_seat)
        if self.phase in ("settled", "voided"):
            return NOTHING
        self.status = self.phase = "unscorable"
        self.status = in_hindsight(self).status
        return (violation("play_missing", "KOP-6.13", last_version, last_seat),)

    def void(self, version: int) -> Violations:
        """The deal does not count (KOP-8.4)."""
        self.status = self.phase = "voided"
        if self.play is not None:
            self.play.break_off()
        return NOTHING

    def late_violations(self) -> Violations:
        return late_violations(self)

    def refuted_violations(self) -> Violations:
        return refuted_violations(self)

    def outcome(self) -> KopOutcome | None:
        """The facts for scoring; null while the deal is open, and where the record does not tell them."""
        if self.recorded is not None or self.status != "complete":
            return self.recorded
        return facts_of(in_hindsight(self))

    def bidder(self) -> int | None:
        """Who bid the final contract; null where nobody did and where the record does not tell."""
        return None if self.recorded is not None else in_hindsight(self).auction.bidder

    # --- deal ---------------------------------------------------------------------------------------------------------

    def _deal_hidden(self) -> None:
        self.hands.has_unknown = True
        self.phase = "auction"

    def _deal_cards(self, event: CardsDealt, version: int) -> Violations:
        if self.phase != "deal":
            return self._deal_late(event, version)
        if event.deck is None and event.cut_by is None and not event.stock and deal_in_full(event, self.hands):
            self.phase = "auction"
            return NOTHING
        faults, is_void = dealing_faults(event, self.dealer, version)
        if is_void:
            self.status = self.phase = "voided"  # KOP-11.6
            return faults
        for seat, hand in enumerate(dealt_hands(event, self.dealer)):
            self.hands.give(seat, hand)
        self.hands.give_rest()
        self.phase = "auction"
        return faults

    def _deal_late(self, event: CardsDealt, version: int) -> Violations:
        """Cards written down after calls or plays were dealt before them; what they show is judged in hindsight.

        Cards dealt a second time in one deal are not each of the 16 exactly once (KOP-11.10).
        """
        if self.recorded is not None:
            return NOTHING
        if sum(type(other) is CardsDealt for _, other in self.log) > 1:
            if self.status == "complete":
                return NOTHING
            self.void(version)
            return (violation("wrong_pack", "KOP-2.3", version, found="again"),)
        faults, is_void = dealing_faults(event, self.dealer, version)
        if is_void:
            self.void(version)  # KOP-11.6
        else:
            self.hands.learn(dealt_hands(event, self.dealer), [other for _, other in self.log])
        return faults

    def _record_result(self, event: ResultRecorded, version: int) -> Violations:
        outcome = msgspec.convert(event.outcome, KopOutcome)
        self.recorded = checked_outcome(outcome, self.options)
        self.auction.end()
        self.phase, self.status = "settled", "complete"
        return NOTHING

    # --- auction ------------------------------------------------------------------------------------------------------

    def _bid(self, event: BidMade, version: int) -> Violations:
        auction, seat, call = self.auction, event.seat, event.call
        turn = auction.turn
        if auction.is_over:
            is_led = self.play is not None and self.play.cards
            rule = "KOP-6.14" if is_led or self.recorded is not None else auction.rule_of_end()
            return (violation("call_after_end", rule, version, seat, call=call),)  # KOP-11.4
        if not auction.is_free and (turn is None or seat != turn):
            return (violation("call_out_of_turn", "KOP-4.20", version, seat, call=call, due=turn),)  # KOP-11.4
        found: Violations = NOTHING
        fault = auction.fault(seat, call)
        if fault is not None:
            legal = tuple(auction.admissible(seat))
            found = (violation(fault.name, fault.rule, version, seat, legal, call=call, standing=auction.contract),)
            if auction.is_free:
                return found  # KOP-11.2
            is_over = auction.take(seat, PASS, None, version)  # KOP-11.2
        else:
            card = event.card
            if call == "wesele" and self.options.announce_wesele_jack and auction.jack_is_wrong(seat, card):
                found = (violation("wrong_jack", "KOP-5.7", version, seat, auction.jacks_due(seat), card=card),)
            is_over = auction.take(seat, call, card, version)
        return [*found, *self._end_auction()] if is_over else found

    def _end_auction(self) -> Violations:
        """The play begins, or is won at once (KOP-6.16); void doublings show now that the contract is final."""
        auction = self.auction
        auction.end()
        found = []
        for place, is_effective in enumerate(auction.effects()):
            if is_effective is False:
                seat, version = auction.doublings[place]
                found.append(violation("own_side_doubled", "KOP-4.29", version, seat))
        if auction.contract == "baska":
            self.phase, self.status = "settled", "complete"
            return found
        scheme = scheme_of(auction.contract, self.options.new_trumps)
        self.play = Play(self.hands, scheme, self.leader, self.options, self.log, self._after_play)
        self.phase = "play"
        return found

    def _ask(self, event: Announced, version: int) -> Violations:
        return self._speak_as_leader(event, version, "KOP-4.36")

    def _close(self, event: Announced, version: int) -> Violations:
        return self._speak_as_leader(event, version, "KOP-4.37")

    def _speak_as_leader(self, event: Announced, version: int, rule: str) -> Violations:
        """`ask` and `close_auction`: the leader's in the free auction, before its end (KOP-4.36, 4.37)."""
        if not self.auction.is_free or event.seat != self.leader:
            return (violation("unknown_call", rule, version, event.seat, call=event.what),)
        if self.auction.is_over:
            return (violation("call_after_end", "KOP-6.14", version, event.seat, call=event.what),)
        if event.what == "ask":
            self.auction.has_asked = True
            return NOTHING
        return self._end_auction()

    # --- play ---------------------------------------------------------------------------------------------------------

    def _play_card(self, event: CardPlayed, version: int) -> Violations:
        """A card; the first one ends the auction (KOP-4.37, 11.7)."""
        if self.play is not None:
            return self.play.take_card(event, version)
        if self.phase == "settled":
            self.log.append((version, event))
            self.hands.show(event.seat, BIT.get(event.card, 0))
            rule = "KOP-6.13" if self.recorded is not None else "KOP-6.16"
            return (violation("play_after_end", rule, version, event.seat, card=event.card),)
        found: list[Violation] = []
        if not self.auction.is_free:
            found.append(violation("auction_unfinished", self.auction.rule_of_end(), version, event.seat))
        found.extend(self._end_auction())
        return [*found, *self._take_card(event, version)]

    def _take_card(self, event: CardPlayed, version: int) -> Violations:
        assert self.play is not None
        return self.play.take_card(event, version)

    def _gather(self, event: TrickGathered, version: int) -> Violations:
        if self.recorded is not None:
            return NOTHING
        if self.play is None:
            return (violation("wrong_gather", "KOP-6.11", version, event.seat, winner=None),)
        return self.play.gather(event, version)

    def _announce(self, event: Announced, version: int) -> Violations:
        return _WORDS[event.what](self, event, version)

    def _show(self, event: Announced, version: int) -> Violations:
        return NOTHING  # KOP-6.16: the four queens of a baśka, which is won already

    def _after_play(self) -> None:
        """Takes over what the play has come to: its end, or that it cannot be scored."""
        assert self.play is not None
        if self.play.is_broken:
            self.status = "unscorable"
        if self.play.is_over:
            self.phase = "settled"
            if self.status == "open":
                self.status = "complete"


_WORDS: Final[dict[str, Callable[[KopDeal, Announced, int], Violations]]] = {
    "ask": KopDeal._ask,
    "close_auction": KopDeal._close,
    "show_baska": KopDeal._show,
    "stop": stop,
    "concede": concede,
}

_HANDLERS: Final[dict[type, Callable[[KopDeal, Any, int], Violations]]] = {
    CardsDealt: KopDeal._deal_cards,
    BidMade: KopDeal._bid,
    CardPlayed: KopDeal._play_card,
    TrickGathered: KopDeal._gather,
    Announced: KopDeal._announce,
    ResultRecorded: KopDeal._record_result,
}
