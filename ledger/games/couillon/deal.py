"""The state machine of one Couillon deal: what may be done, what an event does and breaks (COU sections 3 to 6, 11).

Scoring is not here: `outcome()` hands over the facts. Making trumps, the raises and the play have files of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, cast

import msgspec

from ledger.cards import BIT, INDEX, UNKNOWN, mask_of_known
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
from ledger.games.couillon.irregularities import BLOCKING_CODES, violation
from ledger.games.couillon.options import CouillonOptions
from ledger.games.couillon.outcome import CouillonOutcome, checked_outcome, completed
from ledger.games.couillon.pack import MIT_CARD, NO_TRUMPS, TRUMP_TABLES
from ledger.games.couillon.play import Play
from ledger.games.couillon.raises import Raises
from ledger.games.couillon.tally import points_and_tricks
from ledger.games.couillon.trumps import TrumpMaking, is_placed
from ledger.games.couillon.view import legal_of, turn_of, view_of
from ledger.games.holdings import Holdings
from ledger.games.protocol import DealStatus, DealView, Legal, Violation

Violations = Sequence[Violation]
NOTHING: Final[Violations] = ()

ORDER_DEPENDENT: Final = frozenset(("COU-11.28", "COU-11.33", "COU-11.34", "COU-11.35", "COU-11.36"))
"""Findings that depend on whether SQ is a trump."""


class CouillonDeal:
    """One deal. `was_dealt`: its cards are recorded, or the play has shown that they were dealt.

    `late`: findings that later events have proven. `told`: every event but the cards played, with the number of cards
    played before it: what a seat has seen is read from it. `early`: what came before the cards in the record, and
    whether it was found out of its place even without them.
    """

    __slots__ = (
        "blocked",
        "dealer",
        "deferred_findings",
        "early",
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
        "seats",
        "shape",
        "start",
        "status",
        "stock",
        "told",
        "trumps",
        "was_dealt",
    )

    def __init__(self, options: CouillonOptions, seats: int, dealer: int) -> None:
        self.options = options
        self.shape = options.shape
        self.seats = seats
        self.dealer = dealer
        self.status: DealStatus = "open"
        self.holdings = Holdings(seats, self.shape.pack)
        self.hands: Sequence[Sequence[str] | None] = (None,) * seats
        self.stock: Sequence[str] = (UNKNOWN,) * self.shape.stock
        self.trumps = TrumpMaking(self.shape, dealer)
        self.raises = Raises()
        self.play: Play | None = None
        self.start: Holdings | None = None  # the hands at the first lead, where a Mit' is in doubt
        self.recorded: CouillonOutcome | None = None
        self.was_dealt = False
        self.has_cards = False
        self.blocked = False
        self.is_left = False
        self.pack_is_bad = False
        self.late: list[Violation] = []
        self.deferred_findings: list[Violation] = []
        self.early: list[tuple[Event, int, bool]] = []
        self.told: list[tuple[int, Event, int]] = []

    def copy(self) -> CouillonDeal:
        twin = CouillonDeal.__new__(CouillonDeal)
        for name in CouillonDeal.__slots__:
            value = getattr(self, name)
            setattr(twin, name, value[:] if isinstance(value, list) else value)
        twin.holdings, twin.trumps, twin.raises = self.holdings.copy(), self.trumps.copy(), self.raises.copy()
        twin.start = None if self.start is None else self.start.copy()
        twin.play = None if self.play is None else self.play.copy(twin.holdings, twin._after_play)
        return twin

    # --- the protocol -------------------------------------------------------------------------------------------------

    def apply(self, event: Event, mark: int) -> Violations:
        """Moves the state by one event and answers what it broke; a blocked deal is audited to its end (COU-11.1)."""
        if self.status == "voided":
            return NOTHING
        kind = type(event)  # isinstance costs ten times as much on Structs
        if kind is CardPlayed:
            return self._play_card(cast(CardPlayed, event), mark)
        handler = _HANDLERS.get(kind)
        if handler is None:
            return NOTHING
        self.told.append((len(self.play.cards) if self.play is not None else 0, event, mark))
        found = handler(self, event, mark)
        if self.play is None and self.was_dealt and self.trumps.suit is not None and self.recorded is None:
            self._begin_play()
        self._block_if(found)
        return found

    def take_run(self, entries: Sequence[tuple[int, Event]], start: int) -> int:
        """Takes the cards from `start` on that are plainly in order; answers the index of the first entry left."""
        return start if self.play is None or self.recorded is not None else self.play.take_run(entries, start)

    def check(self, event: Event) -> Violations:
        """What the event would break here; the state stays as it is."""
        return self.copy().apply(event, 0)

    def legal(self) -> Legal:
        return legal_of(self)

    def turn(self) -> int | None:
        return turn_of(self)

    def view(self, seat: int | None = None) -> DealView:
        return view_of(self, seat)

    def leave(self, last_mark: int, last_seat: int | None) -> Violations:
        """The next deal starts or the table closes: unfinished play makes the deal unscorable (COU-11.37)."""
        self.is_left = True
        if self.status == "voided" or self.recorded is not None:
            return NOTHING
        play = self.play
        if play is not None and play.is_over:
            return NOTHING
        self.blocked = True
        self.status = "unscorable"
        return (violation("unfinished_deal", "COU-6.14", last_mark),)

    def void(self, mark: int) -> Violations:
        """The director voids the deal (COU-10.2); nothing is broken by that."""
        self.status = "voided"
        self.late, self.deferred_findings = [*self.late_violations()], []
        self.raises.is_doubtful, self.raises.unheld = False, ()
        if self.play is not None:
            self.play.doubts = []
            self.play.break_off()
        return NOTHING

    def late_violations(self) -> Violations:
        """What later cards have proven: revokes from hands not recorded, and calls of a Mit' without the queen."""
        found = [*self.late]
        for seat, mark in self.raises.unheld:
            if self.holds_mit_card(seat) is False:
                found.append(violation("mit_without_queen", "COU-5.2", mark, seat, found="unseen"))
        if self.play is not None and not self.raises.is_doubtful:
            found.extend(self.play.late_violations())
        return found

    def outcome(self) -> CouillonOutcome | None:
        """The facts for scoring; null while the deal is open or blocked, and where the record does not tell them."""
        if self.status != "complete":
            return None
        if self.recorded is not None:
            return self.recorded
        if self.raises.is_doubtful:
            return None
        counted = points_and_tricks(self)
        return None if counted is None else self.outcome_with(*counted)

    def outcome_with(self, points: tuple[int, int], tricks: tuple[int, int]) -> CouillonOutcome:
        """The outcome with these card points and tricks: the play's own, or those of a score sheet (COU-10.4)."""
        raises = self.raises
        facts = CouillonOutcome(
            card_points=points,
            tricks=tricks,
            maker=self.trumps.maker,
            trump=cast("Suit | None", self.trumps.suit),
            mit=raises.mit is not None,
            kontra=raises.kontra is not None,
            re=raises.re is not None,
        )
        return completed(facts, self.options)

    # --- what is known ------------------------------------------------------------------------------------------------

    def holds_mit_card(self, seat: int) -> bool | None:
        """Whether SQ was dealt to the seat; null where that is not known."""
        holder = self.holder_of_mit_card()
        if holder is not None:
            return holder == seat
        if not self.was_dealt:
            return None if self.recorded is None else False
        if self.holdings.candidates(seat) & MIT_CARD:
            return None
        could_be = self.play is not None and self.play.has_unknown_of(seat) and not self.holdings.placed & MIT_CARD
        return None if could_be else False

    def mit_card_is_out(self) -> bool:
        """Whether SQ certainly lies among the cards that nobody got."""
        return "SQ" in self.stock

    def holder_of_mit_card(self) -> int | None:
        """The seat that certainly was dealt SQ."""
        dealt = self.holdings.known if self.play is None else self.play.origin
        return next((seat for seat, mask in enumerate(dealt) if mask & MIT_CARD), None)

    # --- one event ----------------------------------------------------------------------------------------------------

    def _block_if(self, found: Violations) -> None:
        """A blocked deal is not scored without a ruling (COU-11.4)."""
        if any(one.code in BLOCKING_CODES for one in found):
            self.blocked = True
        if self.blocked and self.status != "voided":
            self.status = "unscorable"

    def _after_play(self) -> None:
        """Takes over what the play has come to: its end, or a card that blocks the deal."""
        assert self.play is not None
        self.blocked = self.blocked or self.play.is_blocked
        if self.status != "voided":
            self.status = "unscorable" if self.blocked else "complete" if self.play.is_over else "open"

    def _record_result(self, event: ResultRecorded, mark: int) -> Violations:
        outcome = msgspec.convert(event.outcome, CouillonOutcome)
        self.recorded = checked_outcome(outcome, self.options, self.seats)
        self.trumps.suit, self.trumps.maker = outcome.trump, outcome.maker
        if self.play is not None:
            self.play.break_off()
        self.status = "unscorable" if self.blocked else "complete"
        return NOTHING

    # --- deal ---------------------------------------------------------------------------------------------------------

    def _deal_cards(self, event: CardsDealt, mark: int) -> Violations:
        if self.has_cards:
            return self._bad_pack(mark, "again")  # every card is there twice
        if self.play is not None and self.play.cards:
            rule = self.shape.order_rule  # nobody had been dealt a card at the first lead
            return (violation("wrong_number", rule, mark, found="late", count=0, due_count=self.shape.hand),)
        self._forget_hands()
        plain = plainly_dealt(event, self.shape, self.dealer)
        if plain is not None:
            self.holdings.known[:], self.holdings.placed = plain, self.shape.pack
            self.hands, self.stock = event.hands, event.stock or ()
            self.was_dealt = self.has_cards = True
            self._judge_early()
            return NOTHING
        dealt = read_deal(event, self.shape, self.dealer)
        found = deal_faults(event, dealt, self.shape, self.dealer, mark)
        self.pack_is_bad = any(one.code == "COU-11.11" for one in found)
        if dealt.stock is not None and len(dealt.stock) == self.shape.stock:
            self.stock = dealt.stock
        self.holdings.placed |= mask_of_known(dealt.stock or ())
        for seat, hand in enumerate(dealt.hands):
            self.holdings.give(seat, (UNKNOWN,) * self.shape.hand if hand is None else hand)
        self.hands = dealt.hands
        self.was_dealt = self.has_cards = True
        self._judge_early()
        return found

    def _forget_hands(self) -> None:
        """The cards come after calls from which it only seemed that they had been dealt."""
        self.holdings = Holdings(self.seats, self.shape.pack)
        self.stock = (UNKNOWN,) * self.shape.stock
        self.play = None

    def _imply_deal(self) -> None:
        """A club often writes down only the calls and the play."""
        if not self.was_dealt:
            for seat in range(self.seats):
                self.holdings.give_hidden(seat, self.shape.hand)
            self.was_dealt = True

    def _before_cards(self, event: Event, mark: int, found: Violations = NOTHING) -> None:
        """Remembers what is out of its place if the cards are dealt only after it, and what it broke even so."""
        if not self.has_cards:
            self.early.append((event, mark, any(one.code == "COU-11.49" for one in found)))

    def _judge_early(self) -> None:
        """What was turned, called and said before the cards were dealt (COU-11.23, 11.49)."""
        for event, mark, is_reported in self.early:
            if isinstance(event, CardTurned):
                if not is_reported:
                    self.late.append(self._turned_at_wrong_moment(event, mark))
                self._place_again(event.card, mark)
            elif isinstance(event, Announced) and self.raises.mit == (event.seat, mark):
                self.late.append(violation("mit_not_allowed", "COU-5.1", mark, event.seat))
                if self.raises.kontra is not None:
                    seat, mark_of_kontra = self.raises.kontra
                    self.late.append(violation("kontra_not_allowed", "COU-5.8", mark_of_kontra, seat))
                if self.raises.re is not None:
                    seat, mark_of_re = self.raises.re
                    self.late.append(violation("re_not_allowed", "COU-5.10", mark_of_re, seat))
                self.raises = Raises()
        self.early = []

    def _place_again(self, card: str, mark: int) -> None:
        """Compares a card turned before the cards were dealt with the place that it must have come from."""
        if self.trumps.is_naming:
            found = self.place_forehands(card, mark)
        else:
            is_upcard = card == self.trumps.upcard
            rule = self.shape.turned_rule if is_upcard else "COU-4.7"
            found = self.place_turned(card, 0 if is_upcard else -1, rule, mark)
        self.late.extend(found)
        self._block_if(found)

    def _bad_pack(self, mark: int, how: str, cards: Sequence[str] = ()) -> Violations:
        """COU-11.11; the deal has one report of it."""
        if self.pack_is_bad:
            return NOTHING
        self.pack_is_bad = True
        return (violation("bad_pack", self.shape.pack_rule, mark, found=how, cards=list(cards)),)

    # --- trumps -------------------------------------------------------------------------------------------------------

    def _bid(self, event: BidMade, mark: int) -> Violations:
        if self.recorded is not None or self.play is not None:
            rule = "COU-4.17" if self.trumps.is_naming else "COU-4.4"
            return (violation("call_after_trumps", rule, mark, event.seat, call=event.call),)
        return self.trumps.bid(event, self.stock[0] if self.stock else UNKNOWN, mark)

    def _name_trump(self, event: TrumpNamed, mark: int) -> Violations:
        if self.recorded is not None or self.play is not None:
            rule = "COU-4.17" if self.trumps.is_naming else "COU-4.4"
            return (violation("call_after_trumps", rule, mark, event.seat, call=event.suit),)
        return self.trumps.name(event, mark)

    def _turn_card(self, event: CardTurned, mark: int) -> Violations:
        if self.recorded is not None:
            return (self._turned_at_wrong_moment(event, mark),)
        self._imply_deal()
        found = self.trumps.turn(event, self, mark)
        self._before_cards(event, mark, found)
        return found

    def _turned_at_wrong_moment(self, event: CardTurned, mark: int) -> Violation:
        rule = "COU-4.13" if self.trumps.is_naming else "COU-4.7"
        return violation("turned_at_wrong_moment", rule, mark, found="card", card=event.card)

    def place_turned(self, card: str, place: int, rule: str, mark: int) -> Violations:
        """A card of the stock is seen: it must be the one that lies there (COU-11.16)."""
        if not self.stock:
            return NOTHING
        there = self.stock[place]
        if there != UNKNOWN:
            return () if there == card else (violation("wrong_turned_card", rule, mark, None, (there,), card=card),)
        if is_placed(self, card):
            return self._bad_pack(mark, "turned", (card,))
        stock = list(self.stock)
        stock[place] = card
        self.stock = stock
        self.holdings.placed |= BIT[card]
        return NOTHING

    def place_forehands(self, card: str, mark: int) -> Violations:
        """The first card of forehand's second packet is seen, and goes into his hand (COU-4.13 to 4.15)."""
        seat, bit, holdings = self.trumps.forehand, BIT[card], self.holdings
        hand, place = self.hands[seat], self.shape.first
        there = UNKNOWN if hand is None or len(hand) <= place else hand[place]
        if there == card:
            return NOTHING
        if there != UNKNOWN or holdings.known[seat] & bit:
            legal = None if there == UNKNOWN else (there,)
            return (violation("wrong_turned_card", self.shape.turned_rule, mark, None, legal, card=card),)
        if not holdings.may_hold(seat, bit):
            return self._bad_pack(mark, "turned", (card,))
        holdings.remove(seat, bit)
        holdings.give_known(seat, bit)
        return NOTHING

    # --- raises and concession ----------------------------------------------------------------------------------------

    def _announce(self, event: Announced, mark: int) -> Violations:
        assert event.seat is not None
        if event.what == "concede":
            return self._concede(event.seat, mark)
        if self.trumps.suit is not None and self.recorded is None:
            self._before_cards(event, mark)
            self._imply_deal()
            self._begin_play()
        had_mit = self.raises.mit
        found = self.raises.call(self, event.what, event.seat, mark)
        if self.raises.mit is not None and had_mit is None:
            self._let_mit_stand()
        return found

    def _let_mit_stand(self) -> None:
        """From now on SQ is a trump, the cards of the first trick included (COU-5.6, 5.17): none of those can be SQ."""
        play, suit = self.play, self.trumps.suit
        assert play is not None and suit is not None
        play.table = TRUMP_TABLES[suit, True]

    def _concede(self, seat: int, mark: int) -> Violations:
        if self.options.concession == "none":
            return (violation("concession_not_allowed", "COU-6.15", mark, seat),)
        if self.recorded is not None or self.play is None or not self.play.may_concede():
            return (violation("concession_not_allowed", "COU-6.16", mark, seat),)
        self.play.concede(seat)
        return NOTHING

    # --- play ---------------------------------------------------------------------------------------------------------

    def _begin_play(self) -> None:
        if self.play is not None:
            return
        suit = self.trumps.suit
        self.start = self.holdings.copy() if self.holdings.has_unknown else None
        self.play = self._play_under(NO_TRUMPS if suit is None else TRUMP_TABLES[suit, False], self.holdings)

    def _play_under(self, table: Any, holdings: Holdings) -> Play:
        return Play(holdings, table, self.seats, self.shape.hand, self.trumps.forehand, self._after_play)

    def _play_card(self, event: CardPlayed, mark: int) -> Violations:
        """A card; the first one may come before trumps were fixed, others after the end."""
        found: list[Violation] = []
        if self.recorded is not None:
            found.append(violation("card_played_twice", "COU-6.14", mark, event.seat, (), card=event.card, found="all"))
            self._block_if(found)
            return found
        if self.play is None:
            if self.trumps.suit is None:
                found.append(violation("trumps_not_fixed", self._missing_rule(), mark, event.seat))
            self._imply_deal()
            self._begin_play()
        assert self.play is not None
        broken = self.play.take_card(event, mark)
        if self.raises.is_doubtful:
            broken = self._without_doubtful(broken)
            self._resolve_mit()
        found.extend(broken)
        self._block_if(found)
        return found

    def _missing_rule(self) -> str:
        """By which rule trumps should have been fixed."""
        trumps = self.trumps
        if trumps.is_naming:
            return "COU-4.13" if trumps.is_deferred else "COU-4.12"
        return "COU-4.7" if trumps.caller() is None and not trumps.is_taken else "COU-4.3"

    def _gather(self, event: TrickGathered, mark: int) -> Violations:
        if self.recorded is not None:
            return NOTHING
        if self.play is None:
            return (violation("wrong_gather", "COU-6.12", mark, event.seat, winner=None),)
        found = self.play.gather(event, mark)
        return self._without_doubtful(found) if self.raises.is_doubtful else found

    # --- a Mit' in doubt ----------------------------------------------------------------------------------------------

    def _without_doubtful(self, found: Violations) -> list[Violation]:
        """What is certain; the rest waits until SQ has shown itself."""
        self.deferred_findings.extend(one for one in found if one.code in ORDER_DEPENDENT)
        return [one for one in found if one.code not in ORDER_DEPENDENT]

    def _resolve_mit(self) -> None:
        """Sees whether the cards have shown by now if the caller of the Mit' holds SQ."""
        assert self.raises.mit is not None
        holds = self.holds_mit_card(self.raises.mit[0])
        if holds is None:
            return
        if holds:
            self.raises.is_doubtful = False
            self.late.extend(self.deferred_findings)
        else:
            self.late.extend(self.raises.disproved())
            self._play_again()
        self.deferred_findings = []

    def _play_again(self) -> None:
        """Reads the play anew without a Mit': other cards are trumps, other seats may have won."""
        before, suit = self.play, self.trumps.suit
        assert before is not None and suit is not None and self.start is not None
        holdings = self.start.copy()
        play = self._play_under(TRUMP_TABLES[suit, False], holdings)
        self.holdings, self.play = holdings, play
        gathered = [(after, event, mark) for after, event, mark in self.told if isinstance(event, TrickGathered)]
        found: list[Violation] = []
        for place, (seat, card, mark) in enumerate(zip(before.seats, before.cards, before.marks, strict=True)):
            for after, event, mark_of_gather in gathered:
                if after == place:
                    found.extend(play.gather(event, mark_of_gather))
            text = UNKNOWN if card < 0 else _TEXTS[card]
            found.extend(play.take_card(CardPlayed(seat=seat, card=text), mark))
        self.late.extend(one for one in found if one.code in ORDER_DEPENDENT)


_TEXTS: Final = {index: text for text, index in INDEX.items()}

_HANDLERS: Final[dict[type, Callable[[CouillonDeal, Any, int], Violations]]] = {
    CardsDealt: CouillonDeal._deal_cards,
    BidMade: CouillonDeal._bid,
    TrumpNamed: CouillonDeal._name_trump,
    CardTurned: CouillonDeal._turn_card,
    TrickGathered: CouillonDeal._gather,
    Announced: CouillonDeal._announce,
    ResultRecorded: CouillonDeal._record_result,
}
