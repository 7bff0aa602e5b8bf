"""The four tricks of one deal, with stop and concession (KOP section 6).

This is the hot path of replaying: a card in order, held and permitted takes the short way through `take_card`,
everything else is judged at leisure in `_judge`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from mypy_extensions import mypyc_attr

from ledger.cards import INDEX, cards_in, mask_of, texts_in
from ledger.events import CardPlayed, Event, TrickGathered
from ledger.games.copying import twin_of
from ledger.games.kop.hands import Hands
from ledger.games.kop.irregularities import violation
from ledger.games.kop.options import KopOptions
from ledger.games.kop.schemes import PACK_MASK, POINTS, SEATS, TRICKS, Scheme
from ledger.games.protocol import Violation

Violations = Sequence[Violation]
NOTHING: Final[Violations] = ()
NO_CARD: Final = -1
"""Stands for a card that was played but is not known."""

PLAYS: Final = SEATS * TRICKS
_FOLLOWING: Final = {
    "revoke": "KOP-6.6",
    "failure_to_trump": "KOP-6.7",
    "failure_to_overtake": "KOP-6.8",
}


class Trick(NamedTuple):
    """A trick; `cards` and `seats` in the order of the record, `winner` null while it is open or cannot be known."""

    seats: Sequence[int]
    cards: Sequence[int]
    winner: int | None


@mypyc_attr(serializable=True)
class Play:
    """The play so far. `turn` is the seat due to play; null when nobody is.

    `cards` and `seats` hold all plays, four to a trick in the order of the record (KOP-11.5); `winners` one seat per
    complete trick (null: not known). `is_broken`: the deal has become unscorable (KOP-11.6). `is_over`: the play has
    ended, by `rule_of_end`; `on_change` is called when one of the two has come true. `log` takes every card played.
    """

    __slots__ = (
        "best",
        "best_seat",
        "cards",
        "hands",
        "held",
        "is_broken",
        "is_over",
        "is_void",
        "leader",
        "led",
        "log",
        "must_beat",
        "must_trump",
        "on_change",
        "on_table",
        "rule_of_end",
        "scheme",
        "seats",
        "turn",
        "winners",
    )

    def __init__(
        self,
        hands: Hands,
        scheme: Scheme,
        leader: int,
        options: KopOptions,
        log: list[tuple[Event, int]],
        on_change: Callable[[], None],
    ) -> None:
        self.hands = hands
        self.held = hands.held  # the same list, one attribute nearer
        self.scheme = scheme
        self.must_trump = options.must_trump
        self.must_beat = options.must_beat
        self.log = log
        self.on_change = on_change
        self.leader = leader
        self.turn: int | None = leader  # KOP-6.1
        self.cards: list[int] = []
        self.seats: list[int] = []
        self.winners: list[int | None] = []
        self.on_table = 0
        self.led = NO_CARD
        self.best = NO_CARD
        self.best_seat = leader
        self.is_over = False
        self.is_broken = False
        self.is_void = False
        self.rule_of_end = "KOP-6.13"

    def copy(self, hands: Hands, log: list[tuple[Event, int]], on_change: Callable[[], None]) -> Play:
        twin = twin_of(self)
        twin.hands, twin.held, twin.log, twin.on_change = hands, hands.held, log, on_change
        return twin

    # --- cards --------------------------------------------------------------------------------------------------------

    def take_card(self, event: CardPlayed, mark: int) -> Violations:
        """Plays a card and answers what it broke."""
        self.log.append((event, mark))
        seat = event.seat
        card = INDEX.get(event.card, NO_CARD)
        hand = self.held[seat]
        if seat != self.turn or card < 0 or not hand >> card & 1 or self.hands.has_unknown or self.is_broken:
            return self._judge(event, card, mark)
        if self.on_table:
            if not self.scheme.permitted(hand, self.led, self.best, self.must_trump, self.must_beat) >> card & 1:
                return self._judge(event, card, mark)
            if self.scheme.beaten_by[self.best] >> card & 1:
                self.best, self.best_seat = card, seat
        else:
            self.led = self.best = card
            self.best_seat = self.leader = seat
        self.held[seat] = hand ^ 1 << card
        self.cards.append(card)
        self.seats.append(seat)
        self.on_table += 1
        if self.on_table < SEATS:
            self.turn = (seat + 1) % SEATS
        else:
            self._complete_trick()
        return NOTHING

    def _judge(self, event: CardPlayed, card: int, mark: int) -> Violations:
        """The rows of section 11 for a card that is not plainly in order; it lies on the table all the same."""
        seat, hands = event.seat, self.hands
        if self.is_void:
            return NOTHING
        if self.is_over or len(self.cards) == PLAYS:
            return (violation("play_after_end", self.rule_of_end, mark, seat, card=event.card),)
        if not self.on_table and self.turn is None:
            self._believe_leader(seat)  # who won the last trick shows only in who leads now
        found = self._order_faults(event, mark)
        bit = 1 << card if card >= 0 else 0
        if bit and not hands.may_hold(seat, bit):
            name = "card_played_twice" if hands.has(seat, bit) else "card_not_held"
            found.append(violation(name, "KOP-6.2", mark, seat, tuple(self.playable(seat)), card=event.card))
            self._break()  # KOP-11.6
        else:
            found.extend(self._following_fault(event, card, mark))
            hands.take(seat, bit)
        if seat in self._seats_on_table():
            self._break()  # KOP-11.6: one seat plays twice to a trick
        self._lay(seat, card)
        return found

    def _break(self) -> None:
        self.is_broken = True
        self.on_change()

    def _order_faults(self, event: CardPlayed, mark: int) -> list[Violation]:
        """KOP-11.40 and 11.41: the wrong seat leads or plays."""
        seat = event.seat
        if not self.on_table:
            if seat == self.turn:
                return []
            rule = "KOP-6.12" if self.winners else "KOP-6.1"
            return [violation("wrong_lead", rule, mark, seat, card=event.card, due=self.turn)]
        due = (self.leader + self.on_table) % SEATS  # KOP-11.5
        if seat == due:
            return []
        return [violation("play_out_of_turn", "KOP-6.2", mark, seat, card=event.card, due=due)]

    def _following_fault(self, event: CardPlayed, card: int, mark: int) -> Violations:
        """The first of KOP-11.44 to 11.46 that fits (KOP-11.73), judged on what the seat certainly holds.

        More cards in the hand excuse none of these faults, so a hand known in part proves what it proves.
        """
        if not self.on_table or card < 0 or self.led < 0:
            return NOTHING
        scheme, bit, hand = self.scheme, 1 << card, self.hands.certain(event.seat) | 1 << card
        follows = scheme.follows[self.led]
        if hand & follows:
            name = "failure_to_overtake" if bit & follows else "revoke"
        else:
            name = "failure_to_overtake" if bit & scheme.trumps else "failure_to_trump"
        if self.best < 0:  # with a card on the table that nobody wrote down, nothing proves what would overtake it
            is_at_fault = name != "failure_to_overtake" and not bit & scheme.permitted(
                hand, self.led, self.led, self.must_trump, False
            )
        else:
            is_at_fault = not bit & scheme.permitted(hand, self.led, self.best, self.must_trump, self.must_beat)
        if not is_at_fault:
            return NOTHING
        legal = tuple(self.playable(event.seat))
        return (violation(name, _FOLLOWING[name], mark, event.seat, legal, card=event.card),)

    def _lay(self, seat: int, card: int) -> None:
        """Puts the card on the table, whoever played it, and sees which is best and who is next."""
        if not self.on_table:
            self.led = self.best = card
            self.best_seat = self.leader = seat
        elif card < 0:
            self.best = NO_CARD
        elif self.best >= 0 and self.scheme.beaten_by[self.best] >> card & 1:
            self.best, self.best_seat = card, seat
        self.cards.append(card)
        self.seats.append(seat)
        self.on_table += 1
        if self.on_table == SEATS:
            self._complete_trick()
            return
        due = (self.leader + self.on_table) % SEATS
        self.turn = None if due in self._seats_on_table() else due

    def _seats_on_table(self) -> Sequence[int]:
        return self.seats[len(self.seats) - self.on_table :]

    def _complete_trick(self) -> None:
        self.on_table = 0
        if self.best < 0:
            self.winners.append(None)
            possible = self._possible_winners(self.trick(-1))
            self.turn = None
            if len(possible) == 1:
                self._believe(possible[0])
        else:
            self.winners.append(self.best_seat)  # KOP-6.11
            self.turn = self.best_seat  # KOP-6.12
        if len(self.winners) == TRICKS:
            self.end("KOP-6.13")

    def _believe(self, seat: int) -> None:
        """Credits the last trick, with cards that nobody wrote down, to the seat that must have won it."""
        self.winners[-1] = seat
        if not self.is_over:
            self.turn = seat

    def end(self, rule: str) -> None:
        """The play is over: nothing more can be played (KOP-6.13, 6.15, 6.16, 6.18)."""
        self.is_over = True
        self.turn = None
        self.rule_of_end = rule
        self.on_change()

    def void(self) -> None:
        """The deal does not count: what is played now is not judged."""
        self.is_over = self.is_void = True
        self.turn = None

    # --- tricks -------------------------------------------------------------------------------------------------------

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

    def gather(self, event: TrickGathered, mark: int) -> Violations:
        """KOP-11.49; with unknown cards in the trick, who gathered it tells who won it."""
        seat = event.seat
        if self.on_table or not self.winners:
            return (violation("wrong_gather", "KOP-6.11", mark, seat, winner=None),)
        winner = self.winners[-1]
        if winner is None and seat in self._possible_winners(self.trick(-1)):
            self._believe(seat)
        elif winner != seat:
            return (violation("wrong_gather", "KOP-6.11", mark, seat, winner=winner),)
        return NOTHING

    def _believe_leader(self, seat: int) -> None:
        if self.winners and self.winners[-1] is None and seat in self._possible_winners(self.trick(-1)):
            self._believe(seat)

    def _possible_winners(self, trick: Trick) -> list[int]:
        """Who can have won a trick in which some cards are not known."""
        unseen = PACK_MASK & ~mask_of(card for card in self.cards if card >= 0)
        led = trick.cards[0]
        leads = (led,) if led >= 0 else tuple(card for card in cards_in(unseen))
        possible = {seat for lead in leads for seat in self._winners_if_led(trick, lead, unseen & ~(1 << lead))}
        return [seat for seat in trick.seats if seat in possible]

    def _winners_if_led(self, trick: Trick, lead: int, unseen: int) -> Iterator[int]:
        """Who can have won the trick if `lead` was led; a card not known can be any that nobody has played."""
        best, best_seat = lead, trick.seats[0]
        for seat, card in zip(trick.seats[1:], trick.cards[1:], strict=True):
            if card >= 0 and self.scheme.beaten_by[best] >> card & 1:
                best, best_seat = card, seat
        yield best_seat
        better = unseen & self.scheme.beaten_by[best]
        for seat, card in zip(trick.seats[1:], trick.cards[1:], strict=True):
            if card < 0 and any(self.hands.may_have(seat, 1 << other) for other in cards_in(better)):
                yield seat

    # --- facts --------------------------------------------------------------------------------------------------------

    def playable(self, seat: int) -> list[str]:
        """The cards that the seat may play now, sorted; of a hidden hand, those that nothing known forbids."""
        possible, certain = self.hands.possible(seat), self.hands.certain(seat)
        if not self.on_table or self.led < 0:
            return sorted(texts_in(possible))
        must_beat = self.must_beat and self.best >= 0
        best = self.best if self.best >= 0 else self.led
        if possible == certain:
            return sorted(texts_in(self.scheme.permitted(certain, self.led, best, self.must_trump, must_beat)))
        return sorted(
            text
            for text in texts_in(possible)
            if self.scheme.permitted(certain | 1 << INDEX[text], self.led, best, self.must_trump, must_beat)
            >> INDEX[text]
            & 1
        )

    def trick_counts(self) -> list[int]:
        """The tricks won so far, per seat."""
        return [self.winners.count(seat) for seat in range(SEATS)]

    def points_of(self, trick: Trick) -> int | None:
        """The card points of a trick; null where it holds a card that is not known."""
        return None if NO_CARD in trick.cards else sum(POINTS[card] for card in trick.cards)

    def card_points(self) -> list[int]:
        """The card points won so far, per seat; a card that is not known counts nothing yet."""
        points = [0] * SEATS
        for place, winner in enumerate(self.winners):
            if winner is not None:
                points[winner] += sum(POINTS[card] for card in self.trick(place).cards if card >= 0)
        return points
