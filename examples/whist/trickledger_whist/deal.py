"""The state machine of one Whist deal (WHI sections 3 to 6, 11).

The tricks are in `play.py`. Scoring is in `scoring.py`; it starts from `outcome()`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal, TypeAlias, cast

from msgspec import convert

from ledger.cards import BIT, PACK_52, UNKNOWN, mask_of_known
from ledger.events import CardPlayed, CardsDealt, CardTurned, Event, ResultRecorded, Suit, TrickGathered
from ledger.games.kernel.copying import twin_of
from ledger.games.kernel.deal import Deal
from ledger.games.kernel.holdings import Holdings, repeated_cards
from ledger.games.kernel.moves import plays
from ledger.games.kernel.tricks import NOTHING, Violations
from ledger.games.kernel.views import DealStatus, DealView, Moves
from trickledger_whist.irregularities import violation
from trickledger_whist.outcome import TRICKS, WhistOutcome, completed
from trickledger_whist.play import COURSE, SEATS, TABLES, Play

HAND: Final = 13  # WHI-3.1

Phase: TypeAlias = Literal["deal", "turn", "play", "settled", "unscorable", "voided"]

_STATUS: Final[dict[Phase, DealStatus]] = {
    "deal": "open",
    "turn": "open",
    "play": "open",
    "settled": "complete",
    "unscorable": "unscorable",
    "voided": "voided",
}


class WhistDeal(Deal):
    """One deal. `turned`: the turned-up card. `last_card`: the card that should be turned up, `??` if unknown."""

    def __init__(self, dealer: int) -> None:
        self.dealer = dealer
        self.phase: Phase = "deal"
        self.holdings = Holdings(SEATS, mask_of_known(PACK_52))
        self.last_card = UNKNOWN
        self.turned: str | None = None
        self.trump: str | None = None
        self.play: Play | None = None
        self.recorded: WhistOutcome | None = None

    def copy(self) -> WhistDeal:
        """Return an independent copy."""
        twin = twin_of(self)
        twin.holdings = self.holdings.copy()
        twin.play = None if self.play is None else self.play.copy(twin.holdings, twin._after_play)
        return twin

    @property
    def status(self) -> DealStatus:
        """The status, which follows from the phase."""
        return _STATUS[self.phase]

    def apply(self, event: Event, version: int) -> Violations:
        """Apply an event and return the rules it broke. After a halt, events are not judged (WHI-11.2)."""
        handler = _HANDLERS.get(type(event))
        if handler is None or self.phase in ("unscorable", "voided"):
            return NOTHING
        return handler(self, event, version)

    def take_run(self, entries: list[tuple[int, Event]], start: int) -> int:
        """Take the cards from `start` on that are plainly in order and return the index of the first entry left."""
        return start if self.play is None or self.phase != "play" else self.play.take_run(entries, start)

    def check(self, event: Event) -> Violations:
        """Return the rules that the event would break, without applying it."""
        return self.copy().apply(event, 0)

    def turn(self) -> int | None:
        """Return the seat that is due, if any."""
        if self.phase == "turn":
            return self.dealer
        return self.play.turn if self.phase == "play" and self.play is not None else None

    def legal(self, seat: int | None = None) -> Moves:
        """Return the legal moves; with `seat`, those that this seat can know."""
        if self.phase == "turn" and self.last_card != UNKNOWN:
            return () if seat is not None else (CardTurned(card=self.last_card),)
        if self.phase != "play" or self.play is None or self.play.turn is None or seat not in (None, self.play.turn):
            return ()
        if seat is None:
            return plays(self.play.turn, self.play.playable(self.play.turn))
        elsewhere = 0 if seat == self.dealer else mask_of_known([self.turned or UNKNOWN])
        return plays(seat, self.play.playable_as_seen(seat, elsewhere))

    def view(self, seat: int | None = None) -> DealView:
        """Return the state for display; with `seat`, only what this seat can know."""
        play = self.play
        return DealView(
            phase=self.phase,
            turn=self.turn(),
            dealer=self.dealer,
            hands=[self._hand_as_seen(other, seat) for other in range(SEATS)],
            stock=[],
            auction=[],
            trump=self.trump,
            contract=None,
            declarer=None,
            partner=None,
            tricks=[] if play is None else play.views(),
            trick_counts=[0] * SEATS if play is None else play.counts[:],
            card_points=[0] * SEATS,
            legal=self.legal(seat),
        )

    def leave(self, last_version: int, last_seat: int | None) -> Violations:
        """End the deal because the next one starts or the table closes; an unfinished deal is unscorable."""
        if self.status != "open":
            return NOTHING
        if self.play is not None and len(self.play.winners) == TRICKS:
            self.phase = "unscorable"  # the record cannot show who won the last trick
            return NOTHING
        return self._halt("incomplete_play", "WHI-6.7", last_version, last_seat)

    def void(self, version: int) -> Violations:
        """Void the deal (WHI-3.5)."""
        self.phase = "voided"
        return (violation("deal_voided", "WHI-3.5", version),)

    def late_violations(self) -> Violations:
        """Return the revokes that cards from hidden hands have proven since."""
        return NOTHING if self.play is None else self.play.late_violations()

    def laid(self) -> Play | None:
        """Return the cards played so far, with their ranking."""
        return self.play

    def outcome(self) -> WhistOutcome | None:
        """Return the facts for scoring, or None until the deal is complete."""
        if self.recorded is not None or self.status != "complete" or self.play is None:
            return self.recorded
        if None in self.play.winners:
            return None
        counts, suit = self.play.counts, cast("Suit | None", self.trump)
        tricks = (counts[0] + counts[2], counts[1] + counts[3])  # WHI-2.2, 7.1
        return completed(WhistOutcome(tricks=tricks, trump=suit))

    def _halt(self, name: str, rule: str, version: int, seat: int | None = None, **values: Any) -> Violations:
        """Halt the deal with this fault, after which it cannot be scored."""
        self.phase = "unscorable"
        return (violation(name, rule, version, seat, **values),)

    def _deal_cards(self, event: CardsDealt, version: int) -> Violations:
        if self.phase == "settled":
            return NOTHING
        if self.phase != "deal":
            return self._halt("bad_deal", "WHI-3.1", version, found="again")
        if event.stock:
            return self._halt("bad_deal", "WHI-3.1", version, found="stock", count=len(event.stock))
        for seat, hand in enumerate(event.hands):
            if hand is not None and len(hand) != HAND:
                return self._halt("bad_deal", "WHI-3.1", version, seat, found="hand", count=len(hand))
        if twice := repeated_cards(event.hands):
            return self._halt("bad_deal", "WHI-2.3", version, found="repeated", cards=twice)
        for seat, hand in enumerate(event.hands):
            self.holdings.give(seat, hand or (UNKNOWN,) * HAND)
        self.last_card = (event.hands[self.dealer] or (UNKNOWN,))[-1]
        self.phase = "turn"
        return NOTHING

    def _turn_card(self, event: CardTurned, version: int) -> Violations:
        card, dealer = event.card, self.dealer
        if self.phase not in ("deal", "turn"):
            return (violation("wrong_turned_card", "WHI-3.2", version, dealer, card=card, found="again"),)
        if self.phase == "deal":  # a club often records only trumps and play
            for seat in range(SEATS):
                self.holdings.give_hidden(seat, HAND)
        is_wrong = self.last_card not in (UNKNOWN, card) or not self.holdings.may_hold(dealer, BIT[card])
        if not is_wrong and not self.holdings.known[dealer] & BIT[card]:
            self.holdings.remove(dealer, BIT[card])
            self.holdings.give(dealer, [card])
        self.turned = card
        self.trump = card[0]  # WHI-5.1
        self.phase = "play"
        self.play = Play(self.holdings, TABLES[card[0]], COURSE, (dealer + 1) % SEATS, self._after_play)  # WHI-6.1
        if is_wrong:
            return (violation("wrong_turned_card", "WHI-3.2", version, dealer, card=card, found="other"),)
        return NOTHING

    def _record_result(self, event: ResultRecorded, version: int) -> Violations:
        self.recorded = completed(convert(event.outcome, WhistOutcome))
        self.trump = self.recorded.trump
        self.phase = "settled"
        return NOTHING

    def _play_card(self, event: CardPlayed, version: int) -> Violations:
        if self.phase in ("deal", "turn"):
            return self._halt("trump_not_turned", "WHI-5.2", version, event.seat, card=event.card)
        if self.play is None or self.phase == "settled":
            return (violation("play_after_end", "WHI-6.7", version, event.seat, card=event.card),)
        return self.play.take_card(event, version)

    def _gather(self, event: TrickGathered, version: int) -> Violations:
        if self.play is None:
            return (violation("wrong_gather", "WHI-6.5", version, event.seat, winner=None),)
        return self.play.gather(event, version)

    def _after_play(self) -> None:
        self.phase = "settled"

    def _hand_as_seen(self, seat: int, viewer: int | None) -> list[str]:
        """Return a hand; another seat sees only the turned-up card."""
        hand = self.holdings.shown(seat)
        if viewer in (None, seat):
            return hand
        return sorted((card if card == self.turned else UNKNOWN for card in hand), key=lambda card: card == UNKNOWN)


_HANDLERS: Final[dict[type, Callable[[WhistDeal, Any, int], Violations]]] = {
    CardsDealt: WhistDeal._deal_cards,
    CardTurned: WhistDeal._turn_card,
    CardPlayed: WhistDeal._play_card,
    TrickGathered: WhistDeal._gather,
    ResultRecorded: WhistDeal._record_result,
}
