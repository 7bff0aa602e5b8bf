"""The four tricks of one deal, with stop and concession (KOP section 6)."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Final

from mypy_extensions import mypyc_attr

from ledger.cards import INDEX, cards_in, texts_in
from ledger.events import CardPlayed, Event
from ledger.games.kernel.card_order import course_of
from ledger.games.kernel.copying import twin_of
from ledger.games.kernel.tricks import NOTHING, RuleIds, Tricks, Violations
from ledger.games.kop.hands import KopHands
from ledger.games.kop.irregularities import violation
from ledger.games.kop.options import KopOptions
from ledger.games.kop.pack import PACK_MASK, POINTS, SEATS, TRICKS, Scheme

COURSE: Final = course_of(tuple(range(SEATS)), TRICKS)

_FOLLOWING: Final = {
    "revoke": "KOP-6.6",
    "failure_to_trump": "KOP-6.7",
    "failure_to_overtake": "KOP-6.8",
}


@mypyc_attr(allow_interpreted_subclasses=True)
class KopPlay(Tricks):
    """The tricks of a deal. `log` takes every card played, with its version.

    `is_unscorable`: a card makes the deal unscorable (KOP-11.6); `on_change` is called then, too.
    """

    __slots__ = ("hands", "is_unscorable", "log", "must_beat", "must_trump", "scheme")

    rule_ids: ClassVar[RuleIds] = RuleIds(
        violation=violation,
        first_lead="KOP-6.1",
        lead="KOP-6.12",
        turn="KOP-6.2",
        hold="KOP-6.2",
        follow="KOP-6.6",
        end="KOP-6.13",
        gather="KOP-6.11",
    )
    owes_more: ClassVar[bool] = True  # KOP-6.7, 6.8

    def __init__(
        self,
        hands: KopHands,
        scheme: Scheme,
        leader: int,
        options: KopOptions,
        log: list[tuple[int, Event]],
        on_change: Callable[[], None],
    ) -> None:
        super().__init__(hands.held, scheme, COURSE, leader, on_change)
        self.hands = hands
        self.scheme = scheme
        self.must_trump = options.must_trump
        self.must_beat = options.must_beat
        self.log = log
        self.is_unscorable = False

    def copy(self, hands: KopHands, log: list[tuple[int, Event]], on_change: Callable[[], None]) -> KopPlay:
        """Return a copy with these hands and log that calls `on_change`."""
        twin = twin_of(self)
        twin.hands, twin.known, twin.log, twin.on_end = hands, hands.held, log, on_change
        return twin

    def is_plain(self) -> bool:
        """Return whether cards may be taken in runs: all hands are known, and the play goes on."""
        return not (self.hands.has_unknown or self.is_unscorable or self.is_over)

    def permitted(self, hand: int, led: int, winning: int) -> int:
        """Return the cards of a known hand that may be played to a trick (KOP-6.6 to 6.10)."""
        return self.scheme.permitted(hand, led, winning, self.must_trump, self.must_beat)

    def take_run(self, entries: list[tuple[int, Event]], start: int) -> int:
        """Play the cards from index `start` on while they are in order; return the index of the first entry left."""
        end = super().take_run(entries, start)
        self.log.extend(entries[start:end])
        return end

    def judge(self, event: CardPlayed, card: int, version: int) -> Violations:
        """Lay a card that is not plainly in order and return the rows of section 11 that it fits."""
        self.log.append((version, event))
        seat, hands = event.seat, self.hands
        bit = 1 << card if card >= 0 else 0
        if self.is_over:
            hands.show(seat, bit)
            return (violation("play_after_end", self.rule_of_end(), version, seat, card=event.card),)
        if not self.on_table and self.turn is None:
            self.believe(seat)  # only the present lead shows who won the last trick
        violations = self.order_faults(event, version)
        if bit and not hands.may_hold(seat, bit):
            name = "card_played_twice" if hands.has(seat, bit) else "card_not_held"
            violations.append(violation(name, "KOP-6.2", version, seat, tuple(self.playable(seat)), card=event.card))
            self._become_unscorable()  # KOP-11.6
        else:
            violations.extend(self._following_fault(event, card, version))
            hands.take(seat, bit)
        if seat in self.seats_on_table():
            self._become_unscorable()  # KOP-11.6: one seat plays twice to a trick
        self.lay(seat, card)
        return violations

    def _become_unscorable(self) -> None:
        self.is_unscorable = True
        self.on_end()

    def due(self) -> int | None:
        """Return the next seat around the table, no matter who has played (KOP-11.5)."""
        return (self.seats_on_table()[0] + self.on_table) % SEATS if self.on_table else self.turn

    def next_in_trick(self) -> int | None:
        """Return the seat due, or None if it has a card in the trick already."""
        due = self.due()
        return None if due in self.seats_on_table() else due

    def _following_fault(self, event: CardPlayed, card: int, version: int) -> Violations:
        """Return the first fault of KOP-11.44 to 11.46 (KOP-11.73), judged by the cards that the seat certainly holds.

        More cards in the hand excuse none of these faults, so a partly known hand is proof enough.
        """
        if not self.on_table or card < 0 or self.led < 0:
            return NOTHING
        scheme, bit, hand = self.scheme, 1 << card, self.hands.certain(event.seat) | 1 << card
        follows = scheme.follows[self.led]
        if hand & follows:
            name = "failure_to_overtake" if bit & follows else "revoke"
        else:
            name = "failure_to_overtake" if bit & scheme.trumps else "failure_to_trump"
        if self.winning < 0:  # nothing is known to overtake an unrecorded card
            is_at_fault = name != "failure_to_overtake" and not bit & scheme.permitted(
                hand, self.led, self.led, self.must_trump, False
            )
        else:
            is_at_fault = not bit & scheme.permitted(hand, self.led, self.winning, self.must_trump, self.must_beat)
        if not is_at_fault:
            return NOTHING
        legal = tuple(self.playable(event.seat))
        return (violation(name, _FOLLOWING[name], version, event.seat, legal, card=event.card),)

    def after_trick(self) -> None:
        """End the play with the last trick, even if its winner is unknown (KOP-6.13)."""
        if len(self.winners) == TRICKS and not self.is_over:
            self.end("played")

    def rule_of_end(self) -> str:
        """Return the rule by which the play is over: all tricks played or conceded, or a du contract stopped."""
        return "KOP-6.15" if self.ending == "stopped" else "KOP-6.13"

    def unseen(self) -> int:
        """Return the cards that have not been played."""
        return PACK_MASK & ~self.played()

    def can_have_played(self, seat: int, mask: int) -> bool:
        """Return whether the seat can have been dealt one of these cards."""
        return any(self.hands.may_have(seat, 1 << card) for card in cards_in(mask))

    def playable(self, seat: int) -> list[str]:
        """Return the cards that the seat may play now, sorted; of a hidden hand, those that nothing known excludes."""
        possible, certain = self.hands.possible(seat), self.hands.certain(seat)
        if not self.on_table or self.led < 0:
            return sorted(texts_in(possible))
        must_beat = self.must_beat and self.winning >= 0
        best = self.winning if self.winning >= 0 else self.led
        if possible == certain:
            return sorted(texts_in(self.scheme.permitted(certain, self.led, best, self.must_trump, must_beat)))
        return sorted(
            text
            for text in texts_in(possible)
            if self.scheme.permitted(certain | 1 << INDEX[text], self.led, best, self.must_trump, must_beat)
            >> INDEX[text]
            & 1
        )

    def card_points(self) -> list[int]:
        """Return the card points won so far by each seat; unknown cards do not count yet."""
        return self.card_points_by_seat(POINTS)
