"""The state machine of one Whist deal: what may be done, what an event does and breaks (WHI sections 3 to 6, 11).

Scoring is not here: `outcome()` hands over the facts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any, Final

from msgspec import convert

from ledger.cards import BIT, PACK_52, SUIT_MASK, UNKNOWN, mask_of_known, texts_in
from ledger.events import CardPlayed, CardsDealt, CardTurned, Event, ResultRecorded, TrickGathered
from ledger.games.holdings import Holdings, repeated_cards
from ledger.games.protocol import DealStatus, DealView, Legal, TrickView, Violation
from trickledger_whist.irregularities import violation
from trickledger_whist.outcome import TRICKS, WhistOutcome, completed
from trickledger_whist.tricks import SEATS, Doubt, Trick

HAND: Final = 13  # WHI-3.1

Violations = Sequence[Violation]
NOTHING: Final[Violations] = ()


class WhistDeal:
    """One deal. `phase`: deal, turn, play, settled, unscorable, voided. Marks are the caller's names for events."""

    def __init__(self, dealer: int) -> None:
        self.dealer = dealer
        self.status: DealStatus = "open"
        self.phase = "deal"
        self.holdings = Holdings(SEATS, mask_of_known(PACK_52))
        self.last_card = UNKNOWN
        self.turned: str | None = None
        self.trump: str | None = None
        self.due: int | None = None
        self.tricks: list[Trick] = []
        self.played = 0  # a mask, as all sets of cards
        self.foreign = 0  # cards played by a seat that did not hold them
        self.doubts: list[Doubt] = []
        self.recorded: WhistOutcome | None = None

    # --- the protocol -------------------------------------------------------------------------------------------------

    def apply(self, event: Event, mark: int) -> Violations:
        """Moves the state by one event and answers what it broke; after a fatal fault nothing is judged (WHI-11.2)."""
        handler = _HANDLERS.get(type(event))
        if handler is None or self.phase in ("unscorable", "voided"):
            return NOTHING
        return handler(self, event, mark)

    def check(self, event: Event) -> Violations:
        return deepcopy(self).apply(event, 0)

    def turn(self) -> int | None:
        return self.due

    def legal(self) -> Legal:
        """What may come next; of a hand that was not recorded, every card that nothing known forbids."""
        if self.phase == "turn" and self.last_card != UNKNOWN:
            return {"card_turned": [self.last_card]}
        if self.phase == "play" and self.due is not None:
            return {"card_played": self._playable(self.due, self.holdings.candidates(self.due))}
        return {}

    def view(self, seat: int | None = None) -> DealView:
        return DealView(
            phase=self.phase,
            turn=self.due,
            dealer=self.dealer,
            hands=[self._hand_as_seen(other, seat) for other in range(SEATS)],
            stock=[],
            auction=[],
            trump=self.trump,
            contract=None,
            declarer=None,
            partner=None,
            tricks=[self._trick_view(trick) for trick in self.tricks],
            trick_counts=[sum(trick.winner == other for trick in self.tricks) for other in range(SEATS)],
            card_points=[0] * SEATS,
            legal=self.legal() if seat is None else self._legal_as_seen(seat),
        )

    def leave(self, last_mark: int, last_seat: int | None) -> Violations:
        """The next deal starts or the table closes; an unfinished deal is unscorable."""
        if self.status != "open":
            return NOTHING
        if len(self.tricks) == TRICKS and self.tricks[-1].is_full:
            self.status = self.phase = "unscorable"  # who won the last trick cannot be known from this record
            return NOTHING
        return self._fatal("incomplete_play", "WHI-6.7", last_mark, last_seat)

    def void(self, mark: int) -> Violations:
        self.status = self.phase = "voided"
        self.due = None
        return (violation("deal_voided", "WHI-3.5", mark),)

    def late_violations(self) -> Violations:
        """The revokes that cards from hidden hands have proven since."""
        return [
            violation("revoke", "WHI-6.3", doubt.mark, doubt.seat, card=doubt.card, found="unseen")
            for doubt in self.doubts
            if self._shown_after(doubt) & SUIT_MASK[doubt.led]
        ]

    def outcome(self) -> WhistOutcome | None:
        """The facts for scoring; null until the deal is complete."""
        if self.recorded is not None or self.status != "complete":
            return self.recorded
        tricks = [0, 0]
        for trick in self.tricks:
            assert trick.winner is not None
            tricks[trick.winner % 2] += 1  # WHI-2.2, 7.1
        suit: Any = self.trump
        return completed(WhistOutcome(tricks=(tricks[0], tricks[1]), trump=suit))

    # --- deal and trumps ----------------------------------------------------------------------------------------------

    def _fatal(self, name: str, rule: str, mark: int, seat: int | None = None, **values: Any) -> Violations:
        self.status = self.phase = "unscorable"
        self.due = None
        return (violation(name, rule, mark, seat, **values),)

    def _deal_cards(self, event: CardsDealt, mark: int) -> Violations:
        if self.phase == "settled":
            return NOTHING
        if self.phase != "deal":
            return self._fatal("bad_deal", "WHI-3.1", mark, found="again")
        if event.stock:
            return self._fatal("bad_deal", "WHI-3.1", mark, found="stock", count=len(event.stock))
        for seat, hand in enumerate(event.hands):
            if hand is not None and len(hand) != HAND:
                return self._fatal("bad_deal", "WHI-3.1", mark, seat, found="hand", count=len(hand))
        if twice := repeated_cards(event.hands):
            return self._fatal("bad_deal", "WHI-2.3", mark, found="repeated", cards=twice)
        for seat, hand in enumerate(event.hands):
            self.holdings.give(seat, hand or (UNKNOWN,) * HAND)
        self.last_card = (event.hands[self.dealer] or (UNKNOWN,))[-1]
        self.phase, self.due = "turn", self.dealer
        return NOTHING

    def _turn_card(self, event: CardTurned, mark: int) -> Violations:
        card, dealer = event.card, self.dealer
        if self.phase not in ("deal", "turn"):
            return (violation("wrong_turned_card", "WHI-3.2", mark, dealer, card=card, found="again"),)
        if self.phase == "deal":  # a club often writes down only trumps and play
            for seat in range(SEATS):
                self.holdings.give_hidden(seat, HAND)
        is_wrong = self.last_card not in (UNKNOWN, card) or not self.holdings.may_hold(dealer, BIT[card])
        if not is_wrong and not self.holdings.known[dealer] & BIT[card]:
            self.holdings.remove(dealer, BIT[card])
            self.holdings.give(dealer, [card])
        self.turned = card
        self.trump = card[0]  # WHI-5.1
        self.phase, self.due = "play", (dealer + 1) % SEATS  # WHI-6.1
        if is_wrong:
            return (violation("wrong_turned_card", "WHI-3.2", mark, dealer, card=card, found="other"),)
        return NOTHING

    def _record_result(self, event: ResultRecorded, mark: int) -> Violations:
        self.recorded = completed(convert(event.outcome, WhistOutcome))
        self.trump = self.recorded.trump
        self.phase, self.status = "settled", "complete"
        return NOTHING

    # --- play ---------------------------------------------------------------------------------------------------------

    def _play(self, event: CardPlayed, mark: int) -> Violations:
        seat, card = event.seat, event.card
        if self.phase in ("deal", "turn"):
            return self._fatal("trump_not_turned", "WHI-5.2", mark, seat, card=card)
        is_lead = not self.tricks or self.tricks[-1].is_full
        if self.phase == "settled" or (is_lead and len(self.tricks) == TRICKS):
            return (violation("play_after_end", "WHI-6.7", mark, seat, card=card),)
        if is_lead and self.due is None:
            self.tricks[-1].winner = self.due = seat  # WHI-11.3
        found = self._order_fault(event, mark, is_lead)
        if not is_lead and seat in self.tricks[-1].seats:
            return found
        found = found or self._card_fault(event, mark, is_lead)
        self._take_from_hand(seat, card)
        if is_lead:
            self.tricks.append(Trick())
        self._lay(seat, card)
        return found

    def _order_fault(self, event: CardPlayed, mark: int, is_lead: bool) -> Violations:
        if event.seat == self.due:
            return NOTHING
        if not is_lead:
            return (violation("play_out_of_turn", "WHI-6.2", mark, event.seat, card=event.card, due=self.due),)
        rule = "WHI-6.6" if self.tricks else "WHI-6.1"
        return (violation("wrong_lead", rule, mark, event.seat, card=event.card, due=self.due),)

    def _card_fault(self, event: CardPlayed, mark: int, is_lead: bool) -> Violations:
        """A card that the seat could not play, or should not have; of a card that nobody knows nothing can be said."""
        seat, card = event.seat, event.card
        if card == UNKNOWN:
            return NOTHING
        held, could_be = self.holdings.known[seat], self.holdings.candidates(seat)
        legal = tuple(self._playable(seat, could_be)) if seat == self.due else None
        if self.played & BIT[card]:
            return (violation("card_played_twice", "WHI-6.2", mark, seat, legal, card=card),)
        if not (held | could_be) & BIT[card]:
            return (violation("card_not_held", "WHI-6.2", mark, seat, legal, card=card),)
        led = None if is_lead else self.tricks[-1].led
        if led is None or card[0] == led:
            return NOTHING
        if held & SUIT_MASK[led]:
            return (violation("revoke", "WHI-6.3", mark, seat, legal, card=card),)
        if could_be & SUIT_MASK[led]:
            self.doubts.append(Doubt(mark, seat, card, led, len(self.tricks)))
        return NOTHING

    def _take_from_hand(self, seat: int, card: str) -> None:
        if card == UNKNOWN:
            self.holdings.remove_unknown(seat, 1)
        elif not self.played & BIT[card] and self.holdings.may_hold(seat, BIT[card]):
            self.holdings.remove(seat, BIT[card])
        else:
            self.foreign |= BIT[card]

    def _lay(self, seat: int, card: str) -> None:
        trick = self.tricks[-1]
        trick.seats.append(seat)
        trick.cards.append(card)
        self.played |= BIT.get(card, 0)
        self.holdings.placed |= BIT.get(card, 0)
        if trick.is_full:
            self._end_trick(trick, trick.best_seat(self.trump))
        else:
            after = ((seat + step) % SEATS for step in range(1, SEATS))
            self.due = next(other for other in after if other not in trick.seats)

    def _end_trick(self, trick: Trick, winner: int | None) -> None:
        trick.winner = self.due = winner  # WHI-6.6
        if len(self.tricks) == TRICKS and winner is not None:
            self.phase, self.status, self.due = "settled", "complete", None

    def _gather(self, event: TrickGathered, mark: int) -> Violations:
        if not self.tricks or not self.tricks[-1].is_full:
            return (violation("wrong_gather", "WHI-6.5", mark, event.seat, winner=None),)
        trick = self.tricks[-1]
        if trick.winner is None:
            self._end_trick(trick, event.seat)  # WHI-11.3
        elif trick.winner != event.seat:
            return (violation("wrong_gather", "WHI-6.5", mark, event.seat, winner=trick.winner),)
        return NOTHING

    def _playable(self, seat: int, could_be: int) -> list[str]:
        """The cards that the seat may play now (WHI-6.3, 6.4); `could_be`: what the hidden ones among them may be."""
        cards = self.holdings.known[seat] | could_be
        trick = self.tricks[-1] if self.tricks and not self.tricks[-1].is_full else None
        if trick is not None and trick.led is not None and self.holdings.known[seat] & SUIT_MASK[trick.led]:
            cards &= SUIT_MASK[trick.led]
        return sorted(texts_in(cards))

    def _shown_after(self, doubt: Doubt) -> int:
        """The cards that the seat of a doubt has shown to have held at that time."""
        later = [laid for trick in self.tricks[doubt.trick :] for laid in zip(trick.seats, trick.cards, strict=True)]
        played = mask_of_known(card for seat, card in later if seat == doubt.seat)
        return self.holdings.known[doubt.seat] | (played & ~self.foreign)

    # --- showing ------------------------------------------------------------------------------------------------------

    def _hand_as_seen(self, seat: int, viewer: int | None) -> list[str]:
        """A hand; to another seat all cards but the one turned up are hidden."""
        hand = self.holdings.shown(seat)
        if viewer in (None, seat):
            return hand
        return sorted((card if card == self.turned else UNKNOWN for card in hand), key=lambda card: card == UNKNOWN)

    def _legal_as_seen(self, seat: int) -> Legal:
        """As `legal`, from what the seat could know: its own cards, those played, and the one turned up."""
        if self.phase != "play" or seat != self.due:
            return {}
        elsewhere = self.played | (0 if seat == self.dealer else mask_of_known([self.turned or UNKNOWN]))
        hidden = self.holdings.possible[seat] & ~elsewhere if self.holdings.hidden[seat] else 0
        return {"card_played": self._playable(seat, hidden)}

    def _trick_view(self, trick: Trick) -> TrickView:
        won_by: Any = None
        if trick.winner is not None and UNKNOWN not in trick.cards:
            won_by = "trump" if any(card[0] == self.trump for card in trick.cards) else "led"
        return TrickView(trick.seats[0], trick.cards[:], trick.seats[:], trick.winner, won_by)


_HANDLERS: Final[dict[type, Callable[[WhistDeal, Any, int], Violations]]] = {
    CardsDealt: WhistDeal._deal_cards,
    CardTurned: WhistDeal._turn_card,
    CardPlayed: WhistDeal._play,
    TrickGathered: WhistDeal._gather,
    ResultRecorded: WhistDeal._record_result,
}
