"""The state machine of one Ombre deal: what may be done, what an event does and breaks (OMB sections 3 to 6, 11).

Scoring is not here: `outcome()` hands over the facts. Each phase has a file of its own: `dealing_rules`,
`auction_rules`, `trump_rules`, `exchange_rules`, `play`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, cast

import msgspec
from mypy_extensions import mypyc_attr

from ledger.cards import UNKNOWN, mask_of_known
from ledger.events import (
    Announced,
    BidMade,
    CardPlayed,
    CardsDealt,
    CardsExchanged,
    CardTurned,
    Event,
    ResultRecorded,
    ScoreClaimed,
    TrickGathered,
    TrumpNamed,
)
from ledger.games.kernel.copying import twin_of
from ledger.games.kernel.deal import Deal
from ledger.games.kernel.holdings import Holdings
from ledger.games.kernel.matadors import PACK_MASK, TRUMP_TABLES
from ledger.games.kernel.tricks import NOTHING, Violations
from ledger.games.kernel.views import DealStatus, DealView, Legal
from ledger.games.ombre.auction import Auction
from ledger.games.ombre.auction_rules import bid, settle_forced, settle_owed_pass
from ledger.games.ombre.dealing_rules import deal_faults, deal_in_full, hands_and_stock
from ledger.games.ombre.exchange import Exchange
from ledger.games.ombre.exchange_rules import exchange_cards, yield_exchange
from ledger.games.ombre.facts import facts_of
from ledger.games.ombre.irregularities import violation
from ledger.games.ombre.options import OmbreOptions
from ledger.games.ombre.outcome import OmbreOutcome, checked_outcome
from ledger.games.ombre.pack import HAND, TRICKS, UNKNOWN_STOCK, Cards, active_seats
from ledger.games.ombre.play import Play
from ledger.games.ombre.trump_rules import miss_trump, name_trump, turn_card
from ledger.games.ombre.view import legal_of, turn_of, view_of

_BID_MADE: Final = BidMade  # as in `kernel.tricks`: calls are frequent, and through the table they take longer
_CARDS_EXCHANGED: Final = CardsExchanged


@mypyc_attr(allow_interpreted_subclasses=True)
class OmbreDeal(Deal):
    """One deal. `phase`: deal, auction, trump, exchange, play, settled (OMB section 10).

    `forced_by_record` is true while three passes make the unknown holder of SA the Ombre (OMB-4.21).
    """

    __slots__ = (
        "active",
        "auction",
        "contract",
        "dealer",
        "exchange",
        "forced_by_record",
        "holdings",
        "ombre",
        "options",
        "owed_pass",
        "phase",
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
        self.status: DealStatus = "open"
        self.phase = "deal"
        self.holdings = Holdings(seats, PACK_MASK)
        self.stock: Cards = UNKNOWN_STOCK  # what is left of it, top first
        self.auction = Auction(self.active, options.favourite_suit is not None)
        self.owed_pass: int | None = None
        self.ombre: int | None = None
        self.forced_by_record = False
        self.contract: str | None = None
        self.trump: str | None = None
        self.turned: str | None = None
        self.exchange: Exchange | None = None
        self.play: Play | None = None
        self.recorded: OmbreOutcome | None = None

    def copy(self) -> OmbreDeal:
        twin = twin_of(self)
        twin.holdings, twin.auction = self.holdings.copy(), self.auction.copy()
        twin.exchange = None if self.exchange is None else self.exchange.copy()
        twin.play = None if self.play is None else self.play.copy(twin.holdings, twin._after_play)
        return twin

    # --- the protocol -------------------------------------------------------------------------------------------------

    def apply(self, event: Event, version: int) -> Violations:
        """Moves the state by one event and answers what it broke; after a fatal fault nothing is judged (OMB-11.5)."""
        kind = type(event)  # isinstance costs ten times as much on Structs
        if self.phase == "auction" and kind is _BID_MADE:
            return bid(self, cast(BidMade, event), version)
        if self.phase == "exchange" and kind is _CARDS_EXCHANGED:
            return exchange_cards(self, cast(CardsExchanged, event), version)
        if self.phase == "unscorable":
            return NOTHING
        if self.phase == "deal":
            if kind is CardsDealt:
                return self._deal_cards(cast(CardsDealt, event), version)
            if kind is ScoreClaimed:
                return self._claim(cast(ScoreClaimed, event), version)
            if kind is not ResultRecorded:
                self._begin_auction()  # a club often writes down only the calls and the play
        if self.phase == "auction" and kind is not BidMade and kind is not ResultRecorded:
            if self.owed_pass is not None:
                settle_owed_pass(self)
            if self.phase == "auction":
                return self.fatal("auction_unfinished", "OMB-4.16", version, getattr(event, "seat", None))
        handler = _HANDLERS.get(kind)
        return NOTHING if handler is None else handler(self, event, version)

    def take_run(self, entries: list[tuple[int, Event]], start: int) -> int:
        """Takes the cards from `start` on that are plainly in order; answers the index of the first entry left."""
        return start if self.play is None or self.phase != "play" else self.play.take_run(entries, start)

    def check(self, event: Event) -> Violations:
        """What the event would break here; the state stays as it is."""
        return self.copy().apply(event, 0)

    def legal(self) -> Legal:
        return legal_of(self, None)

    def turn(self) -> int | None:
        return turn_of(self)

    def view(self, seat: int | None = None) -> DealView:
        return view_of(self, seat)

    def leave(self, last_version: int, last_seat: int | None) -> Violations:
        """The next deal starts or the table closes: unfinished play makes the deal unscorable (OMB-11.43)."""
        settle_owed_pass(self)
        settle_forced(self)
        if self.status != "open":
            return NOTHING
        if self.play is not None and len(self.play.winners) == TRICKS:
            self.status = self.phase = "unscorable"  # who won the last trick cannot be known from this record
            return NOTHING
        return self.fatal("incomplete_play", "OMB-6.16", last_version, last_seat)

    def void(self, version: int) -> Violations:
        """The director voids the deal (OMB-3.12)."""
        was_fatal = self.status == "unscorable"
        self.status = self.phase = "voided"
        self.owed_pass, self.forced_by_record = None, False
        if self.play is not None:
            self.play.break_off()
        return NOTHING if was_fatal else (violation("deal_voided", "OMB-3.12", version),)

    def late_violations(self) -> Violations:
        """Revokes and exemptions that cards from hidden hands have proven since."""
        if self.play is None:
            return NOTHING
        return self.play.late_violations()

    def refuted_violations(self) -> Violations:
        """Of what was found of a card at once, what later cards from a hidden hand have shown to be told amiss."""
        return NOTHING if self.play is None else self.play.refuted_violations()

    def outcome(self) -> OmbreOutcome | None:
        """The facts for scoring; null while the deal is open, and where the record does not tell them."""
        if self.recorded is not None or self.status != "complete":
            return self.recorded
        return facts_of(self)

    # --- one event ----------------------------------------------------------------------------------------------------

    def fatal(self, name: str, rule: str, version: int, seat: int | None = None, **values: Any) -> Violations:
        """A fault after which the deal is not audited and has no computed result (OMB-11.5)."""
        self.status = self.phase = "unscorable"
        return (violation(name, rule, version, seat, **values),)

    def _record_result(self, event: ResultRecorded, version: int) -> Violations:
        if self.status == "voided":
            return NOTHING
        outcome = msgspec.convert(event.outcome, OmbreOutcome)
        self.recorded = checked_outcome(outcome, self.seats, self.dealer)
        self.ombre, self.contract, self.trump = outcome.ombre, outcome.contract, outcome.trump
        self.phase, self.status = "settled", "complete"
        return NOTHING

    # --- deal ---------------------------------------------------------------------------------------------------------

    def _deal_cards(self, event: CardsDealt, version: int) -> Violations:
        hands, stock = hands_and_stock(event, self.active)
        if event.deck is not None or not deal_in_full(self.holdings, hands, stock, self.active):
            faults = deal_faults(hands, stock, event.deck, self.active, version)
            if faults:
                self.status = self.phase = "unscorable"
                return faults
            self.holdings.placed |= mask_of_known(stock or ())
            for seat in self.active:
                self.holdings.give(seat, hands[seat] or (UNKNOWN,) * HAND)
        self.stock = stock or UNKNOWN_STOCK
        self.phase = "auction"
        return NOTHING

    def _deal_again(self, event: CardsDealt, version: int) -> Violations:
        """Cards dealt a second time in one deal leave no 40 different cards (OMB-11.10)."""
        if self.status != "open":
            return NOTHING
        return self.fatal("bad_deal", "OMB-3.6", version, found="again", count=len(event.hands))

    def _begin_auction(self) -> None:
        for seat in self.active:
            self.holdings.give_hidden(seat, HAND)
        self.phase = "auction"

    # --- play ---------------------------------------------------------------------------------------------------------

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
            self._after_play,
        )
        self.phase = "play"

    def _play_card(self, event: CardPlayed, version: int) -> Violations:
        """A card; the first one may come before the exchanges are complete, the last ones after the end."""
        seat = event.seat
        if self.phase == "play" and self.play is not None:
            return self.play.take_card(event, version)
        if self.phase == "trump":
            return miss_trump(self, version, seat)
        if self.phase != "exchange":
            rule = "OMB-6.16" if self.play is None else self.play.rule_of_end()
            return (violation("play_after_end", rule, version, seat, card=event.card),)
        assert self.exchange is not None
        missing = [
            violation("exchange_missing", "OMB-5.15", version, due, due=due) for due in self.exchange.due
        ]  # OMB-11.29
        self.exchange.due.clear()
        self.begin_play()
        assert self.play is not None
        return [*missing, *self.play.take_card(event, version)]

    def _gather(self, event: TrickGathered, version: int) -> Violations:
        if self.play is None:
            return (violation("wrong_gather", "OMB-6.14", version, event.seat, winner=None),)
        return self.play.gather(event, version)

    def _announce(self, event: Announced, version: int) -> Violations:
        assert event.seat is not None
        if event.what == "yield_exchange":
            return yield_exchange(self, event, version)
        if self.play is None or self.phase != "play":
            name, rule = _OUTSIDE_PLAY[event.what]
            return (violation(name, rule, version, event.seat),)
        return self.play.announce(event.what, event.seat, version)

    def _claim(self, event: ScoreClaimed, version: int) -> Violations:
        """A score sheet before the play has ended (OMB-11.43); its figures are compared elsewhere."""
        settle_forced(self)
        if self.status != "open":
            return NOTHING
        if self.play is not None and self.play.asked:
            return self.fatal("defence_unanswered", "OMB-6.26", version)
        return self.fatal("incomplete_play", "OMB-6.16", version)

    def _after_play(self) -> None:
        """Takes over what the play has come to: its end, or a fatal fault."""
        assert self.play is not None
        if self.play.is_broken:
            self.status = self.phase = "unscorable"
        else:
            self.phase, self.status = "settled", "complete"


_OUTSIDE_PLAY: Final = {
    "stop": ("illegal_stop", "OMB-6.19"),
    "surrender": ("illegal_surrender", "OMB-6.23"),
    "defend": ("illegal_defence", "OMB-6.26"),
    "decline_defence": ("illegal_defence", "OMB-6.26"),
    "throw_in": ("illegal_throw_in", "OMB-6.33"),
}

_HANDLERS: Final[dict[type, Callable[[OmbreDeal, Any, int], Violations]]] = {
    CardsDealt: OmbreDeal._deal_again,
    BidMade: bid,
    TrumpNamed: name_trump,
    CardTurned: turn_card,
    CardsExchanged: exchange_cards,
    CardPlayed: OmbreDeal._play_card,
    TrickGathered: OmbreDeal._gather,
    Announced: OmbreDeal._announce,
    ScoreClaimed: OmbreDeal._claim,
    ResultRecorded: OmbreDeal._record_result,
}
