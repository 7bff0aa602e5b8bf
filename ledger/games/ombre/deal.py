"""The state machine of one Ombre deal: what may be done, what an event does and breaks (OMB sections 3 to 6, 11).

Scoring is not here: `outcome()` hands over the facts. Play itself, the hot path, stands in `play.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, cast

import msgspec

from ledger.cards import BIT, UNKNOWN, mask_of_known
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
    Suit,
    TrickGathered,
    TrumpNamed,
)
from ledger.games.copying import twin_of
from ledger.games.holdings import Holdings
from ledger.games.matadors import PACK_MASK, SPADILLE, TRUMP_TABLES
from ledger.games.ombre.auction import CONTRACTS, PASS, Auction
from ledger.games.ombre.dealing import deal_faults, deal_in_full, hands_and_stock
from ledger.games.ombre.exchange import (
    HAND,
    UNKNOWN_STOCK,
    Exchange,
    carry_out,
    exchange_fault,
    exchange_plainly,
)
from ledger.games.ombre.irregularities import violation
from ledger.games.ombre.options import OmbreOptions
from ledger.games.ombre.outcome import (
    TRICKS,
    Contract,
    Ending,
    OmbreOutcome,
    active_seats,
    checked_outcome,
    neighbours,
    result_of,
)
from ledger.games.ombre.play import Play
from ledger.games.ombre.view import legal_of, turn_of, view_of
from ledger.games.protocol import DealStatus, DealView, Legal
from ledger.games.tricks import NOTHING, Violations


class OmbreDeal:
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
        "status",
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
        self.stock: Sequence[str] = UNKNOWN_STOCK  # what is left of it, top first
        self.auction = Auction(self.active, options.favourite is not None)
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

    def apply(self, event: Event, mark: int) -> Violations:
        """Moves the state by one event and answers what it broke; after a fatal fault nothing is judged (OMB-11.5)."""
        kind = type(event)  # isinstance costs ten times as much on Structs
        if self.phase == "unscorable":
            return NOTHING
        if self.phase == "deal":
            if kind is CardsDealt:
                return self._deal_cards(cast(CardsDealt, event), mark)
            if kind is ScoreClaimed:
                return self._claim(cast(ScoreClaimed, event), mark)
            if kind is not ResultRecorded:
                self._begin_auction()  # a club often writes down only the calls and the play
        if self.phase == "auction" and kind is not BidMade and kind is not ResultRecorded:
            if self.owed_pass is not None:
                self._settle_owed_pass()
            if self.phase == "auction":
                return self._fatal("auction_unfinished", "OMB-4.16", mark, getattr(event, "seat", None))
        handler = _HANDLERS.get(kind)
        return NOTHING if handler is None else handler(self, event, mark)

    def take_run(self, entries: Sequence[tuple[int, Event]], start: int) -> int:
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

    def leave(self, last_mark: int, last_seat: int | None) -> Violations:
        """The next deal starts or the table closes: unfinished play makes the deal unscorable (OMB-11.43)."""
        self._settle_owed_pass()
        if self.forced_by_record:
            self._pass_out()  # nobody turned out to hold SA: it lay in the stock (OMB-4.22)
        if self.status != "open":
            return NOTHING
        if self.play is not None and len(self.play.winners) == TRICKS:
            self.status = self.phase = "unscorable"  # who won the last trick cannot be known from this record
            return NOTHING
        return self._fatal("incomplete_play", "OMB-6.16", last_mark, last_seat)

    def void(self, mark: int) -> Violations:
        """The director voids the deal (OMB-3.12)."""
        was_fatal = self.status == "unscorable"
        self.status = self.phase = "voided"
        self.owed_pass, self.forced_by_record = None, False
        if self.play is not None:
            self.play.break_off()
        return NOTHING if was_fatal else (violation("deal_voided", "OMB-3.12", mark),)

    def late_violations(self) -> Violations:
        """Revokes and exemptions that cards from hidden hands have proven since."""
        if self.play is None:
            return NOTHING
        return self.play.late_violations()

    def outcome(self) -> OmbreOutcome | None:
        """The facts for scoring; null while the deal is open, and where the record does not tell them."""
        if self.recorded is not None or self.status != "complete":
            return self.recorded
        if self.ombre is None:
            return OmbreOutcome(result="ALL_PASS", tricks=(0,) * self.seats)
        play = self.play
        assert play is not None
        ending = cast(Ending, play.ending)
        estuches = play.estuches()
        if estuches is None or None in play.winners:
            return None
        tricks = tuple(play.counts)
        primeras = play.defender is None and play.has_primeras()  # OMB-6.31
        return OmbreOutcome(
            result=result_of(self.active, self.ombre, tricks, ending, primeras, play.defender),
            ombre=self.ombre,
            contract=cast(Contract, self.contract),
            trump=cast(Suit, self.trump),
            tricks=tricks,
            estuches=estuches,
            primeras=primeras,
            ending=ending,
            defender=play.defender,
        )

    # --- one event ----------------------------------------------------------------------------------------------------

    def _fatal(self, name: str, rule: str, mark: int, seat: int | None = None, **values: Any) -> Violations:
        """A fault after which the deal is not audited and has no computed result (OMB-11.5)."""
        self.status = self.phase = "unscorable"
        return (violation(name, rule, mark, seat, **values),)

    def _record_result(self, event: ResultRecorded, mark: int) -> Violations:
        if self.status == "voided":
            return NOTHING
        outcome = msgspec.convert(event.outcome, OmbreOutcome)
        self.recorded = checked_outcome(outcome, self.seats, self.dealer)
        self.ombre, self.contract, self.trump = outcome.ombre, outcome.contract, outcome.trump
        self.phase, self.status = "settled", "complete"
        return NOTHING

    # --- deal ---------------------------------------------------------------------------------------------------------

    def _deal_cards(self, event: CardsDealt, mark: int) -> Violations:
        hands, stock = hands_and_stock(event, self.active)
        if not deal_in_full(self.holdings, hands, stock, self.active):
            faults = deal_faults(hands, stock, self.active, mark)
            if faults:
                self.status = self.phase = "unscorable"
                return faults
            self.holdings.placed |= mask_of_known(stock or ())
            for seat in self.active:
                self.holdings.give(seat, hands[seat] or (UNKNOWN,) * HAND)
        self.stock = stock or UNKNOWN_STOCK
        self.phase = "auction"
        return NOTHING

    def _deal_again(self, event: CardsDealt, mark: int) -> Violations:
        """Cards dealt a second time in one deal leave no 40 different cards (OMB-11.10)."""
        if self.status != "open":
            return NOTHING
        return self._fatal("bad_deal", "OMB-3.6", mark, found="again", count=len(event.hands))

    def _begin_auction(self) -> None:
        for seat in self.active:
            self.holdings.give_hidden(seat, HAND)
        self.phase = "auction"

    # --- auction ------------------------------------------------------------------------------------------------------

    def _bid(self, event: BidMade, mark: int) -> Violations:
        auction, seat = self.auction, event.seat
        if self.owed_pass is not None and seat != self.owed_pass:
            self._settle_owed_pass()  # OMB-11.16
        if auction.is_over or self.phase != "auction":
            return (violation("call_after_end", "OMB-4.16", mark, seat, call=event.call),)
        if seat in auction.passed:
            return (violation("call_after_pass", "OMB-4.9", mark, seat, call=event.call),)
        if seat != auction.turn:
            rule = "OMB-4.8" if seat in self.active else "OMB-2.7"
            return (violation("call_out_of_turn", rule, mark, seat, call=event.call, due=auction.turn),)
        if not auction.is_allowed(seat, event.call):
            self.owed_pass = seat
            rule = "OMB-4.15" if event.call in auction.ranks else "OMB-4.2"
            legal = tuple(auction.legal())
            return (violation("illegal_call", rule, mark, seat, legal, call=event.call, standing=auction.standing),)
        self.owed_pass = None
        if auction.take(seat, event.call):
            self._end_auction()
        return NOTHING

    def _settle_owed_pass(self) -> None:
        """Who made an illegal call and nothing else afterwards has passed (OMB-11.16)."""
        if self.owed_pass is None:
            return
        seat, self.owed_pass = self.owed_pass, None
        if self.auction.take(seat, PASS):
            self._end_auction()

    def _end_auction(self) -> None:
        auction = self.auction
        if not auction.all_passed:
            assert auction.standing is not None
            self.ombre, self.contract = auction.bidder, CONTRACTS[auction.standing]
            self.phase = "trump"
        elif self.options.all_pass == "redeal":
            self._pass_out()  # OMB-4.20
        else:
            self._force_spadille()

    def _force_spadille(self) -> None:
        """The seat that was dealt SA becomes Ombre (OMB-4.21); if SA is in the stock the deal is passed out (4.22)."""
        spadille = 1 << SPADILLE
        holder = next((seat for seat in self.active if self.holdings.known[seat] & spadille), None)
        if holder is None and self.holdings.placed & spadille:
            self._pass_out()
            return
        self.phase, self.contract = "trump", "entrada"
        self.ombre = holder
        self.forced_by_record = holder is None

    def _pass_out(self) -> None:
        self.ombre = self.contract = None
        self.forced_by_record = False
        self.phase, self.status = "settled", "complete"

    # --- trump --------------------------------------------------------------------------------------------------------

    def _name_trump(self, event: TrumpNamed, mark: int) -> Violations:
        seat, suit = event.seat, event.suit
        if self.phase != "trump" or self.contract == "vuelta":
            rule = "OMB-5.4" if self.contract == "vuelta" else "OMB-5.7" if self.trump else "OMB-5.1"
            return (violation("trump_not_allowed", rule, mark, seat, suit=suit),)
        standing = self.auction.standing or ""
        if standing.endswith("_favour") and suit != self.options.favourite:
            return (violation("trump_not_allowed", "OMB-5.2", mark, seat, suit=suit),)
        found: Violations = NOTHING
        if self.forced_by_record:
            self._take_as_forced(seat)
        if seat != self.ombre:
            found = (violation("trump_by_wrong_seat", "OMB-5.1", mark, seat, suit=suit, due=self.ombre),)
        if self.ombre is None:
            self.status = self.phase = "unscorable"  # who was forced cannot be known
        else:
            self._fix_trump(suit)
        return found

    def _take_as_forced(self, seat: int) -> None:
        """That trumps are named shows that somebody held SA (OMB-4.21): this seat, if it can have been this one."""
        spadille = 1 << SPADILLE
        able = [other for other in self.active if self.holdings.may_hold(other, spadille)]
        if seat in able or len(able) == 1:
            self.ombre = seat if seat in able else able[0]
            self.holdings.remove(self.ombre, spadille)
            self.holdings.give_known(self.ombre, spadille)
        self.forced_by_record = False

    def _turn_card(self, event: CardTurned, mark: int) -> Violations:
        if self.phase != "trump" or self.contract != "vuelta":
            rule = "OMB-5.7" if self.trump else "OMB-5.1"
            return (violation("trump_not_allowed", rule, mark, suit=event.card[0]),)
        card, top = event.card, self.stock[0]
        found: Violations = NOTHING
        if top not in (card, UNKNOWN) or (top == UNKNOWN and self.holdings.placed & BIT[card]):
            legal = None if top == UNKNOWN else (top,)
            found = (violation("wrong_upcard", "OMB-5.4", mark, None, legal, card=card),)
        if top == UNKNOWN:
            top = card
            self.stock = (card, *self.stock[1:])
            self.holdings.placed |= BIT[card]
        self.turned = top
        self._fix_trump(top[0])  # OMB-5.4, 5.5: the printed suit, also of a black ace
        return found

    def _fix_trump(self, suit: str) -> None:
        assert self.ombre is not None
        self.trump = suit
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

    def _miss_trump(self, mark: int, seat: int | None) -> Violations:
        """An exchange, a yield or a play comes before trumps (OMB-11.19)."""
        return self._fatal("trump_missing", "OMB-5.4" if self.contract == "vuelta" else "OMB-5.1", mark, seat)

    # --- exchange -----------------------------------------------------------------------------------------------------

    def _yield(self, event: Announced, mark: int) -> Violations:
        if self.phase == "trump":
            return self._miss_trump(mark, event.seat)
        exchange = self.exchange
        is_open = self.phase == "exchange" and exchange is not None
        if not is_open or exchange is None or event.seat != exchange.right or not exchange.may_yield():
            return (violation("illegal_yield", "OMB-5.10", mark, event.seat),)
        exchange.give_way()
        return NOTHING

    def _exchange(self, event: CardsExchanged, mark: int) -> Violations:
        seat, exchange = event.seat, self.exchange
        if self.phase == "trump":
            return self._miss_trump(mark, seat)
        if self.phase != "exchange" or exchange is None or seat not in exchange.due:
            rule = "OMB-5.9" if seat == self.ombre and self.contract == "solo" else "OMB-5.15"
            return (violation("exchange_not_entitled", rule, mark, seat),)
        if seat == exchange.due[0]:
            left = exchange_plainly(event, exchange.limit(len(self.stock)), self.holdings, self.stock)
            if left is not None:
                return self._end_exchange_of(seat, left, NOTHING)
        found = []
        if seat != exchange.turn:
            found.append(violation("exchange_out_of_order", "OMB-5.8", mark, seat, due=exchange.turn))
        fault = exchange_fault(event, exchange.limit(len(self.stock)), self.holdings, self.stock)
        if fault is not None and not found:
            if fault.is_fatal:
                return self._fatal(fault.name, fault.rule, mark, seat, **fault.values)
            found.append(violation(fault.name, fault.rule, mark, seat, **fault.values))
        elif fault is not None and fault.is_fatal:
            self.status = self.phase = "unscorable"  # cannot be carried out, though only its order is reported
            return found
        return self._end_exchange_of(seat, carry_out(event, self.holdings, self.stock), found)

    def _end_exchange_of(self, seat: int, stock: Sequence[str], found: Violations) -> Violations:
        assert self.exchange is not None
        self.stock = stock
        self.exchange.done(seat)
        if not self.exchange.due:
            self._begin_play()
        return found

    # --- play ---------------------------------------------------------------------------------------------------------

    def _begin_play(self) -> None:
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

    def _play_card(self, event: CardPlayed, mark: int) -> Violations:
        """A card; the first one may come before the exchanges are complete, the last ones after the end."""
        seat = event.seat
        if self.phase == "play" and self.play is not None:
            return self.play.take_card(event, mark)
        if self.phase == "trump":
            return self._miss_trump(mark, seat)
        if self.phase != "exchange":
            rule = "OMB-6.16" if self.play is None else self.play.rule_of_end()
            return (violation("play_after_end", rule, mark, seat, card=event.card),)
        assert self.exchange is not None
        missing = [
            violation("exchange_missing", "OMB-5.15", mark, due, due=due) for due in self.exchange.due
        ]  # OMB-11.29
        self.exchange.due.clear()
        self._begin_play()
        assert self.play is not None
        return [*missing, *self.play.take_card(event, mark)]

    def _gather(self, event: TrickGathered, mark: int) -> Violations:
        if self.play is None:
            return (violation("wrong_gather", "OMB-6.14", mark, event.seat, winner=None),)
        return self.play.gather(event, mark)

    def _announce(self, event: Announced, mark: int) -> Violations:
        assert event.seat is not None
        if event.what == "yield_exchange":
            return self._yield(event, mark)
        if self.play is None or self.phase != "play":
            name, rule = _OUTSIDE_PLAY[event.what]
            return (violation(name, rule, mark, event.seat),)
        return self.play.announce(event.what, event.seat, mark)

    def _claim(self, event: ScoreClaimed, mark: int) -> Violations:
        """A score sheet before the play has ended (OMB-11.43); its figures are compared elsewhere."""
        if self.forced_by_record:
            self._pass_out()  # as in `leave`
        if self.status != "open":
            return NOTHING
        if self.play is not None and self.play.asked:
            return self._fatal("defence_unanswered", "OMB-6.26", mark)
        return self._fatal("incomplete_play", "OMB-6.16", mark)

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
    BidMade: OmbreDeal._bid,
    TrumpNamed: OmbreDeal._name_trump,
    CardTurned: OmbreDeal._turn_card,
    CardsExchanged: OmbreDeal._exchange,
    CardPlayed: OmbreDeal._play_card,
    TrickGathered: OmbreDeal._gather,
    Announced: OmbreDeal._announce,
    ScoreClaimed: OmbreDeal._claim,
    ResultRecorded: OmbreDeal._record_result,
}
