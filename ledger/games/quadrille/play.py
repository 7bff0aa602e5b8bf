"""The ten tricks of one Quadrille deal: cards, tricks, winners (QUA-6.1 to 6.13).

This is the hot path of replaying: masks and small integers; cards in order, held and allowed take the short way through
`take_run`, everything else is judged at leisure in `_judge`. What is said during the play stands in `premiers.py` and
`claims.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from mypy_extensions import mypyc_attr

from ledger.cards import INDEX, cards_in, mask_of, texts_in
from ledger.events import CardPlayed, Event, TrickGathered
from ledger.games.copying import twin_of
from ledger.games.holdings import Holdings
from ledger.games.matadors import TrumpTable
from ledger.games.protocol import Violation
from ledger.games.quadrille import premiers
from ledger.games.quadrille.auction import SEATS
from ledger.games.quadrille.irregularities import violation
from ledger.games.quadrille.options import QuadrilleOptions
from ledger.games.quadrille.outcome import PREMIERS, TRICKS, Ending
from ledger.games.quadrille.outcome import Side as SideName
from ledger.games.quadrille.side import Dealt, Side

Violations: TypeAlias = Sequence[Violation]
NOTHING: Final[Violations] = ()
NO_CARD: Final = -1
"""Stands for a card that was played but is not known."""

Stage: TypeAlias = Literal["due", "asked", "doubtful"]


class Trick(NamedTuple):
    """A trick; `cards` and `seats` in the order of the record, `winner` null while it is open or cannot be known."""

    seats: Sequence[int]
    cards: Sequence[int]
    winner: int | None


class Doubt(NamedTuple):
    """A card not of the suit led, from a hand with hidden cards: later cards may prove that it was a revoke."""

    mark: int
    seat: int
    led: int
    trick: int


class Claim(NamedTuple):
    """A claim that is not decided yet (QUA-6.27); `accepted`: the seats that have accepted it."""

    mark: int
    seat: int
    side: SideName
    accepted: tuple[int, ...]


def _nobody() -> None:
    """Is told of the end of a play that has ended."""


@mypyc_attr(serializable=True)
class Play:
    """The play so far. `turn` is the seat due to play; null when nobody is.

    `cards` and `seats` hold all plays, four to a trick; `winners` one seat per complete trick (null: not known);
    `on_table` counts the cards of the open trick. `stage`: a choice after premiers is `due`, a question `asked` of the
    seat `asked` (null: not known which), or it is `doubtful` whether there were premiers. `is_declared`: the vole was
    declared (QUA-6.19). `on_end` is called when the play has ended or cannot be carried on.
    """

    __slots__ = (
        "after_sixth",
        "asked",
        "best",
        "best_power",
        "cards",
        "claim",
        "claimed_for",
        "contract",
        "counts",
        "doubtful_lead",
        "doubts",
        "ending",
        "holdings",
        "is_broken",
        "is_declared",
        "is_over",
        "is_reveal_missed",
        "known",
        "led",
        "on_end",
        "on_table",
        "options",
        "seats",
        "side",
        "stage",
        "table",
        "turn",
        "winners",
    )

    def __init__(
        self,
        holdings: Holdings,
        table: TrumpTable,
        leader: int,
        side: Side,
        contract: str,
        options: QuadrilleOptions,
        on_end: Callable[[], None],
    ) -> None:
        self.holdings = holdings
        self.known = holdings.known  # the same list, one attribute nearer
        self.table = table
        self.side = side
        self.contract = contract
        self.options = options
        self.on_end = on_end
        self.counts = [0] * SEATS
        self.winners: list[int | None] = []
        self.seats: list[int] = []
        self.cards: list[int] = []
        self.on_table = 0
        self.led = NO_CARD
        self.best = 0
        self.best_power = 0
        self.turn: int | None = leader  # QUA-6.1
        self.ending: Ending | None = None
        self.stage: Stage | None = None
        self.asked: int | None = None
        self.is_declared = False
        self.is_reveal_missed = False
        self.doubtful_lead: premiers.Lead | None = None
        self.after_sixth: list[tuple[int, int, str]] = []
        self.claim: Claim | None = None
        self.claimed_for: SideName | None = None
        self.doubts: list[Doubt] = []
        self.is_broken = False
        self.is_over = False

    def copy(self, holdings: Holdings, dealt: Dealt, on_end: Callable[[], None]) -> Play:
        twin = twin_of(self)
        twin.holdings, twin.known, twin.on_end = holdings, holdings.known, on_end
        twin.side = self.side.copy(dealt)
        return twin

    # --- cards --------------------------------------------------------------------------------------------------------

    def take_run(self, entries: Sequence[tuple[int, Event]], start: int) -> int:
        """Plays the cards from `start` on while each is plainly in order; answers the index of the first entry left.

        One loop over local variables. Hands that are not fully known, choices and claims are left to `_judge`.
        """
        if self.is_over or self.stage is not None or self.claim is not None or self.holdings.has_unknown:
            return start
        table, known, winners = self.table, self.known, self.winners
        power, follows, trumps = table.power, table.follows, table.trumps
        lay_seat, lay_card = self.seats.append, self.cards.append
        turn, on_table, led, best, best_power = self.turn, self.on_table, self.led, self.best, self.best_power
        index = start
        for index in range(start, len(entries)):
            event = entries[index][1]
            if type(event) is not CardPlayed:
                break
            seat = event.seat
            card = INDEX.get(event.card, NO_CARD)
            if seat != turn or card < 0:
                break
            hand = known[seat]
            bit = 1 << card
            if not hand & bit:
                break
            if not on_table:
                led, best, best_power = card, seat, power[card]
            elif bit & follows[led]:
                if power[card] > best_power:
                    best, best_power = seat, power[card]
            elif hand & follows[led]:
                break  # a revoke, or a lawful exemption to be noted
            elif bit & trumps and power[card] > best_power:
                best, best_power = seat, power[card]
            known[seat] = hand ^ bit
            lay_seat(seat)
            lay_card(card)
            if on_table < 3:
                on_table += 1
                turn = (seat + 1) % SEATS
                continue
            on_table = 0
            winners.append(best)
            self.counts[best] += 1
            turn = best  # QUA-6.11
            if len(winners) in (PREMIERS, TRICKS):
                self.turn, self.on_table = turn, 0
                self._after_trick()
                return index + 1
        else:
            index = len(entries)
        self.turn, self.on_table, self.led, self.best, self.best_power = turn, on_table, led, best, best_power
        return index

    def take_card(self, event: CardPlayed, mark: int) -> Violations:
        """Plays a card and answers what it broke; an ignored play changes nothing."""
        if self.take_run(((mark, event),), 0):
            return NOTHING
        return self._judge(event, INDEX.get(event.card, NO_CARD), mark)

    def _judge(self, event: CardPlayed, card: int, mark: int) -> Violations:
        """The rows of section 11 for a card that is not plainly in order, in their order (QUA-11.6)."""
        seat = event.seat
        if not self.on_table and self.turn is None and len(self.winners) < TRICKS:
            self.believe_leader(seat)  # who won the last trick shows only in who leads now
        if self.is_over or len(self.winners) == TRICKS:
            return (violation("play_after_end", self.rule_of_end(), mark, seat, card=event.card),)
        is_second = seat in self._seats_on_table()
        found = self._order_faults(event, mark, is_second)
        bit = 1 << card if card >= 0 else 0
        fault = self._card_fault(seat, bit)
        if fault is not None:
            legal = tuple(self.playable(seat))
            self.break_off(is_broken=True)
            return [*found, violation(fault[0], fault[1], mark, seat, legal, card=event.card)]
        if is_second:
            return found
        found.extend(self._following_faults(event, bit, mark))
        if not self.on_table and self.stage is not None:
            found.extend(premiers.lead_to_seventh(self, seat, mark))
        if self.claim is not None:
            self.claim = None  # QUA-11.45: playing on refuses the claim
            found.append(violation("claim_not_allowed", "QUA-6.27", mark, seat, found="played"))
        if self.stage == "doubtful" and self.contract == "forced":
            self.after_sixth.append((mark, seat, event.card))
        self._take_from_hand(seat, bit)
        if self.side.settle():
            premiers.refresh(self)
        if not self.is_over:  # the called card may show that a forced contract had ended by premiers
            self._lay(seat, card)
        return found

    def rule_of_end(self) -> str:
        """By which rule the play is over."""
        return {"premiers": "QUA-6.16", "stopped": "QUA-6.21"}.get(self.ending or "", "QUA-6.13")

    def _order_faults(self, event: CardPlayed, mark: int, is_second: bool) -> list[Violation]:
        """QUA-11.26 to 11.28: the wrong seat leads or plays."""
        seat = event.seat
        if is_second:
            return [violation("second_card_in_trick", "QUA-6.2", mark, seat, card=event.card)]
        if seat == self.turn:
            return []
        if not self.on_table:
            rule = "QUA-6.11" if self.winners else "QUA-6.1"
            return [violation("wrong_lead", rule, mark, seat, card=event.card, due=self.turn)]
        return [violation("play_out_of_turn", "QUA-6.2", mark, seat, card=event.card, due=self.turn)]

    def _card_fault(self, seat: int, bit: int) -> tuple[str, str] | None:
        """QUA-11.29 and 11.30, after which the deal cannot be replayed."""
        if not bit:
            return None
        if bit & self.played():
            return "card_played_twice", "QUA-2.4"
        if seat not in self.side.dealt.holders(bit) or not self.holdings.may_hold(seat, bit):
            return "card_not_held", "QUA-6.4" if self.on_table else "QUA-6.3"
        return None

    # --- following ----------------------------------------------------------------------------------------------------

    def _following_faults(self, event: CardPlayed, bit: int, mark: int) -> Violations:
        """QUA-11.31 to 11.33 for a card that the seat may hold."""
        seat = event.seat
        if not self.on_table or self.led < 0 or not bit or bit & self.table.follows[self.led]:
            return NOTHING  # a card nobody knows breaks nothing that could be shown
        hand = self.known[seat]
        if self.holdings.hidden[seat] and not self._is_proven_revoke(hand):
            self.doubts.append(Doubt(mark, seat, self.led, len(self.winners)))
            return NOTHING  # judged when the hand has shown itself, see late_violations
        return self._judge_following(hand, self.led, mark, seat, event.card)

    def _is_proven_revoke(self, hand: int) -> bool:
        """Whether the known part of a hand proves what was broken, whatever is hidden in it."""
        binding = hand & self.table.binds[self.led]
        return bool(binding & ~self.table.matadors)

    def _judge_following(self, hand: int, led: int, mark: int, seat: int, card: str | None) -> Violations:
        """What it breaks that `hand` did not serve `led`."""
        table = self.table
        trumps = hand & table.trumps
        is_trump_lead = bool(table.trumps >> led & 1)
        legal = tuple(sorted(texts_in(hand & table.follows[led])))
        values: dict[str, Any] = {"found": "unseen"} if card is None else {"card": card}
        if hand & table.binds[led]:
            if is_trump_lead and not trumps & ~table.matadors:
                return (violation("illegal_exemption", "QUA-6.8", mark, seat, legal, **values),)
            rule = "QUA-6.6" if is_trump_lead else "QUA-6.4"
            return (violation("revoke", rule, mark, seat, legal, **values),)
        if is_trump_lead and trumps:
            return (violation("exemption_used", "QUA-6.7", mark, seat, None, **values),)
        return NOTHING

    def late_violations(self) -> list[Violation]:
        """What hands that were hidden have shown since."""
        found: list[Violation] = []
        for doubt in self.doubts:
            hand = self._played_by(doubt.seat, doubt.trick) | self.known[doubt.seat]
            is_complete = not self.holdings.hidden[doubt.seat] and not self._has_unknown_of(doubt.seat, doubt.trick)
            binding = hand & self.table.binds[doubt.led]
            if binding & ~self.table.matadors or is_complete:
                found.extend(self._judge_following(hand, doubt.led, doubt.mark, doubt.seat, None))
            elif binding:
                values = {"found": "unseen"}  # a revoke or an illegal exemption: which of them, hidden cards decide
                legal = tuple(sorted(texts_in(hand & self.table.follows[doubt.led])))
                found.append(violation("illegal_exemption", "QUA-6.8", doubt.mark, doubt.seat, legal, **values))
        return [*found, *premiers.late_violations(self)]

    def _played_by(self, seat: int, after_trick: int) -> int:
        """The cards that the seat played in later tricks than `after_trick`."""
        start = SEATS * (after_trick + 1)
        plays = zip(self.seats[start:], self.cards[start:], strict=True)
        return mask_of(card for other, card in plays if other == seat and card >= 0)

    def _has_unknown_of(self, seat: int, after_trick: int) -> bool:
        """Whether the seat played cards in later tricks that nobody wrote down."""
        start = SEATS * (after_trick + 1)
        plays = zip(self.seats[start:], self.cards[start:], strict=True)
        return any(other == seat and card < 0 for other, card in plays)

    # --- tricks -------------------------------------------------------------------------------------------------------

    def _take_from_hand(self, seat: int, bit: int) -> None:
        if bit:
            self.holdings.remove(seat, bit)
            self.side.dealt.masks[seat] |= bit
        else:
            self.holdings.remove_hidden(seat, min(1, self.holdings.size(seat)))  # any card of the hand

    def _lay(self, seat: int, card: int) -> None:
        """Puts the card on the table and sees who is best and who is next (QUA-11.4, 11.5)."""
        table = self.table
        if not self.on_table:
            self.led = card
            self.best, self.best_power = seat, -1
        counts = self.led < 0 or card < 0 or table.counts[self.led] >> card & 1
        power = -1 if card < 0 or not counts else table.power[card]
        if power > self.best_power:
            self.best, self.best_power = seat, power
        self.seats.append(seat)
        self.cards.append(card)
        self.on_table += 1
        if self.on_table == SEATS:
            self._complete_trick()
            return
        played = self._seats_on_table()
        due = played[0]
        while due in played:
            due = (due + 1) % SEATS
        self.turn = due

    def _seats_on_table(self) -> Sequence[int]:
        return self.seats[SEATS * len(self.winners) :]

    def _complete_trick(self) -> None:
        self.on_table = 0
        if NO_CARD in self.cards[-SEATS:]:
            self.winners.append(None)
            self.turn = None
            possible = self._possible_winners(self.trick(-1))
            if len(possible) == 1:
                self._credit(possible[0])
            self._after_trick()
            return
        self.winners.append(None)
        self._credit(self.best)
        self._after_trick()

    def _credit(self, seat: int) -> None:
        """The last trick is this seat's, who leads to the next (QUA-6.10, 6.11)."""
        self.winners[-1] = seat
        self.counts[seat] += 1
        self.turn = seat

    def _after_trick(self) -> None:
        """What the end of a trick brings: premiers after the sixth, the end of the play after the tenth (QUA-6.13)."""
        if len(self.winners) == PREMIERS:
            premiers.after_sixth_trick(self)
        elif len(self.winners) == TRICKS and self.winners[-1] is not None:
            self.end("played")

    def trick(self, place: int) -> Trick:
        """A complete trick by its place, from 0, or from -1 backwards."""
        number = place % len(self.winners)
        start = SEATS * number
        return Trick(self.seats[start : start + SEATS], self.cards[start : start + SEATS], self.winners[number])

    def tricks(self) -> list[Trick]:
        """All tricks, the open one included."""
        shown = [self.trick(number) for number in range(len(self.winners))]
        if self.on_table:
            start = SEATS * len(self.winners)
            shown.append(Trick(self.seats[start:], self.cards[start:], None))
        return shown

    def end(self, ending: Ending) -> None:
        self.ending = ending
        self._tell_end()

    def break_off(self, *, is_broken: bool = False) -> None:
        """Nothing more can be played: the deal is voided, or cannot be carried on."""
        self.is_broken = is_broken
        self._tell_end()

    def _tell_end(self) -> None:
        """Tells the deal, and lets go of it: a circle of the two would be left to the garbage collector."""
        on_end, self.on_end = self.on_end, _nobody
        self.is_over = True
        self.turn = self.stage = self.claim = None
        on_end()

    # --- tricks with cards that are not known -------------------------------------------------------------------------

    def played(self) -> int:
        """The known cards played so far."""
        return mask_of(card for card in self.cards if card >= 0)

    def _possible_winners(self, trick: Trick) -> list[int]:
        """Who can have won a trick in which some cards are not known."""
        unseen = self.holdings.pack & ~self.holdings.placed & ~self.played()
        led = trick.cards[0]
        leads = (led,) if led >= 0 else tuple(cards_in(unseen))
        possible = {seat for lead in leads for seat in self._winners_if_led(trick, lead, unseen)}
        return [seat for seat in trick.seats if seat in possible]

    def _winners_if_led(self, trick: Trick, lead: int, unseen: int) -> Iterator[int]:
        """Who can have won the trick if `lead` was led; a card not known can be any that nobody has seen."""
        power, counts = self.table.power, self.table.counts[lead]
        shown = [lead, *trick.cards[1:]]
        plays = list(zip(trick.seats, shown, strict=True))
        known = {power[card]: seat for seat, card in plays if card >= 0 and counts >> card & 1}
        highest = max(known)
        yield known[highest]
        better = mask_of(card for card in cards_in(unseen & counts & ~(1 << lead)) if power[card] > highest)
        for seat, card in plays:
            if card < 0 and any(seat in self.side.dealt.holders(1 << held) for held in cards_in(better)):
                yield seat

    def believe_leader(self, seat: int) -> None:
        """Credits the last trick to this seat, if it can have won it."""
        if self.winners and self.winners[-1] is None and seat in self._possible_winners(self.trick(-1)):
            self._credit(seat)
            self._after_trick()

    def gather(self, event: TrickGathered, mark: int) -> Violations:
        """QUA-11.34; with unknown cards in the trick, who gathered it tells who won it."""
        seat = event.seat
        if self.on_table or not self.winners:
            return (violation("wrong_gather", "QUA-6.10", mark, seat, winner=None),)
        self.believe_leader(seat)
        winner = self.winners[-1]
        if seat != winner:
            return (violation("wrong_gather", "QUA-6.10", mark, seat, winner=winner),)
        return NOTHING

    # --- facts --------------------------------------------------------------------------------------------------------

    def is_public(self) -> bool:
        """Whether all know who the partner is, or that there is none (QUA-5.15)."""
        side = self.side
        return not side.called or side.is_revealed or bool(side.called & self.played())

    def may_be_public(self) -> bool:
        """Whether all may know the partner: the called card may be one that nobody wrote down."""
        plays = zip(self.seats, self.cards, strict=True)
        return self.is_public() or any(seat == self.side.partner and card < 0 for seat, card in plays)

    def playable(self, seat: int) -> list[str]:
        """The cards that the seat may play now, sorted; of a hidden hand, those that nothing known forbids."""
        return self._playable(seat, self.holdings.candidates(seat))

    def playable_as_seen(self, seat: int, elsewhere: int) -> list[str]:
        """As `playable`, for the seat itself: of a hidden hand only what was played or lies `elsewhere` is excluded."""
        hidden = self.holdings.possible[seat] if self.holdings.hidden[seat] else 0
        return self._playable(seat, hidden & ~self.played() & ~elsewhere)

    def _playable(self, seat: int, could_be: int) -> list[str]:
        known = self.known[seat]
        if not self.on_table or self.led < 0:
            return sorted(texts_in(known | could_be))
        if known & self.table.binds[self.led]:
            return sorted(texts_in((known | could_be) & self.table.follows[self.led]))
        return sorted(texts_in(self.table.playable(known, self.led) | could_be))
