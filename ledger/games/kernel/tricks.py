"""The play of tricks that all games share: cards laid in turn, tricks and their winners, known or inferred.

A `TrumpTable` has the order of the cards; a game's subclass overrides a few hooks for rules of its own. Following suit
from hands that may be hidden is in `following.py`.

This is the hot path of replaying: masks and small integers. Cards that are in order, held and allowed pass through
`take_run`; all others are judged in `judge`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, Final, TypeAlias, cast

from mypy_extensions import i64, mypyc_attr

from ledger.cards import INDEX, UNKNOWN
from ledger.events import CardPlayed, Event, TrickGathered
from ledger.games.kernel.card_order import Course, TrumpTable
from ledger.games.kernel.findings import Violation, ViolationFactory
from ledger.games.kernel.laid_cards import NO_CARD, LaidCards


@mypyc_attr(allow_interpreted_subclasses=True)
@dataclass(frozen=True, kw_only=True)
class RuleIds:
    """The ids of the rules that every trick-taking game has, and `violation`, which makes a violation by its name.

    `first_lead`, `lead`: who leads to the first trick, and to the next ones. `turn`: who plays when. `hold`: only cards
    in hand may be played. `follow`: following suit. `end`: the number of tricks. `gather`: who gathers a trick.
    """

    violation: ViolationFactory
    first_lead: str
    lead: str
    turn: str
    hold: str
    follow: str
    end: str
    gather: str


Violations: TypeAlias = Sequence[Violation]
NOTHING: Final[Violations] = ()

_CARD_PLAYED: Final = CardPlayed
"""A name in this module: compiled code reads it without a dictionary, which saves a fourteenth of the loop."""

_NUMBERS: Final[dict[str, Any]] = INDEX | {UNKNOWN: len(INDEX)}
"""Card codes to numbers, boxed so that they go into lists as they are; the number of an unknown card is in no hand."""


def _nobody() -> None:
    """Do nothing: the callback of a play that has ended."""


_NOBODY: Final = _nobody


@mypyc_attr(allow_interpreted_subclasses=True)
class Tricks(LaidCards):
    """The play of a deal. `turn`: the seat that has to play; None if there is none, or if it is not known.

    Of the open trick, `led` is the card led, `winning` its best card, and `best` the seat that played it.
    `known[seat]`: the cards certainly in hand. `ending`: how the play has ended; `on_end` is called then.
    """

    __slots__ = ("best", "course", "ending", "is_over", "known", "led", "on_end", "turn", "winning")

    rule_ids: ClassVar[RuleIds]
    owes_more: ClassVar[bool] = False
    """Whether a card that follows, or one from a hand that cannot follow, may still break a rule; see `permitted`."""

    def __init__(
        self,
        known: list[int],
        table: TrumpTable,
        course: Course,
        leader: int,
        on_end: Callable[[], None],
    ) -> None:
        super().__init__(table, len(known), len(course.order))
        self.known = known
        self.course = course
        self.turn: int | None = leader
        self.on_end = on_end
        self.led = self.winning = NO_CARD
        self.best = leader
        self.ending: str | None = None
        self.is_over = False

    @abstractmethod
    def is_plain(self) -> bool:
        """Return whether cards may be taken in runs: all hands are known, and nothing but a card is due."""

    @abstractmethod
    def judge(self, event: CardPlayed, card: int, version: int) -> Violations:
        """Play a card that is not plainly in order, unless it is void, and return the violations."""

    def permitted(self, hand: int, led: int, winning: int) -> int:
        """Return the cards of a known hand that may be played to a trick."""
        return self.table.playable(hand, led)

    def after_trick(self) -> None:
        """End the play after its last trick.

        This is called when a trick is complete or its winner becomes known; in a run, only where `course` halts.
        """
        if len(self.winners) == self.course.length and self.winners[-1] is not None and not self.is_over:
            self.end("played")

    def take_card(self, event: CardPlayed, version: int) -> Violations:
        """Play a card and return the violations; a void play changes nothing."""
        return self.judge(event, INDEX.get(event.card, NO_CARD), version)

    def take_run(self, entries: list[tuple[int, Event]], start: int) -> int:
        """Play the cards from index `start` on while they are in order; return the index of the first entry left.

        One loop over local variables takes half the time of a call per card, and nine events in ten pass here. The
        compiler keeps `i64` values in registers; Python ignores the type.
        """
        if self.turn is None or not self.is_plain() or self.is_out_of_order():
            return start
        known = cast("list[i64]", self.known)
        played: i64 = self.played()
        held: i64 = 0
        mask: i64
        for mask in known:
            if mask & (held | played):
                return start  # a card is in two places
            held |= mask
        course, table, owes_more = self.course, self.table, self.owes_more
        follows = cast("tuple[i64, ...]", table.follows)
        serves = cast("tuple[i64, ...]", table.serves)
        beaten_by = cast("tuple[i64, ...]", table.beaten_by)
        next_of = cast("tuple[i64, ...]", course.next_of)
        seats, cards, winners, counts = self.seats, self.cards, self.winners, self.counts
        size: i64 = self.size
        turn: i64 = self.turn
        on_table: i64 = self.on_table
        led: i64 = self.led
        winning: i64 = self.winning
        best: i64 = self.best
        following: i64 = follows[led] if on_table else 0
        serving: i64 = serves[led] if on_table else 0
        beating: i64 = beaten_by[winning] if on_table else 0
        before = len(cards)
        halt = course.halts[len(winners)]
        # Cast to tuples of any length, so that the compiler unpacks only the event of an entry.
        for entry in cast("list[tuple[Any, ...]]", entries[start : start + self.size * halt - before]):
            event = entry[1]
            if type(event) is not _CARD_PLAYED:
                break
            play: Any = event
            player = play.seat
            seat: i64 = player
            if seat != turn:
                break
            number = _NUMBERS[play.card]
            card: i64 = number
            hand: i64 = known[seat]
            hand &= held
            is_held = hand >> card & 1
            if not is_held:
                break  # not held, or unknown
            bit = is_held << card  # not `1 << card`, which is compiled to 32 bits
            if not on_table:
                led = winning = card
                best = seat
                following, serving, beating = follows[card], serves[card], beaten_by[card]
            elif not bit & serving and hand & following:
                break  # a revoke, or an exemption that is noted
            elif bit & beating:
                winning = card
                best = seat
                beating = beaten_by[card]
            elif owes_more and not bit & self.permitted(hand, led, winning):
                break
            held ^= bit
            seats.append(player)
            cards.append(number)
            on_table += 1
            if on_table < size:
                turn = next_of[seat]
                continue
            on_table = 0
            winners.append(best)
            counts[best] += 1
            turn = best
        for place, mask in enumerate(known):
            known[place] = mask & held
        taken = len(cards) - before
        self.turn, self.on_table, self.led, self.winning, self.best = turn, on_table, led, winning, best
        if not taken or on_table or len(winners) < halt:
            return start + taken
        self.after_trick()
        return Tricks.take_run(self, entries, start + taken)

    def lay(self, seat: int, card: int) -> None:
        """Put a card of any seat on the table, and update the best card and the turn."""
        if not self.on_table:
            self.led = self.winning = card
            self.best = seat
        elif card < 0:
            self.winning = NO_CARD
        elif self.winning >= 0 and self.table.beaten_by[self.winning] >> card & 1:
            self.winning, self.best = card, seat
        self.seats.append(seat)
        self.cards.append(card)
        self.on_table += 1
        if self.on_table == self.size:
            self._complete_trick()
        else:
            self.turn = self.next_in_trick()

    def is_out_of_order(self) -> bool:
        """Return whether a seat was passed over in the open trick, so that the turn may skip seats."""
        if self.on_table < 2:
            return False
        next_of, played = self.course.next_of, self.seats_on_table()
        return any(next_of[seat] != after for seat, after in pairwise(played))

    def next_in_trick(self) -> int | None:
        """Return the first seat in order from the leader that has no card in the trick."""
        played = self.seats_on_table()
        seat = played[0]
        while seat in played:
            seat = self.course.next_of[seat]
        return seat

    def seats_on_table(self) -> Sequence[int]:
        """Return the seats that have played to the open trick, the leader first."""
        return self.seats[len(self.seats) - self.on_table :]

    def _complete_trick(self) -> None:
        self.on_table = 0
        self.winners.append(None)
        self.turn = None
        possible = [self.best] if self.winning >= 0 else self.possible_winners(self.trick(-1))
        if len(possible) == 1:
            self.credit(possible[0])
        self.after_trick()

    def credit(self, seat: int) -> None:
        """Give the last trick to this seat, which leads to the next one."""
        self.winners[-1] = seat
        self.counts[seat] += 1
        if not self.is_over:
            self.turn = seat

    def end(self, ending: str) -> None:
        """End the play."""
        self.ending = ending
        self.break_off()
        self.notify_end()

    def break_off(self) -> None:
        """Stop the play: no more cards can be played."""
        self.is_over = True
        self.turn = None

    def notify_end(self) -> None:
        """Call `on_end` and drop it: the reference cycle would cost the garbage collector 10 µs a deal."""
        on_end, self.on_end = self.on_end, _NOBODY
        on_end()

    def due(self) -> int | None:
        """Return the seat whose play would be in order."""
        return self.turn

    def order_faults(self, event: CardPlayed, version: int) -> list[Violation]:
        """Return the violation of a lead or play by the wrong seat."""
        seat, due, ids = event.seat, self.due(), self.rule_ids
        if seat == due:
            return []
        if self.on_table:
            return [ids.violation("play_out_of_turn", ids.turn, version, seat, card=event.card, due=due)]
        rule = ids.lead if self.winners else ids.first_lead
        return [ids.violation("wrong_lead", rule, version, seat, card=event.card, due=due)]

    def believe(self, seat: int) -> bool:
        """Give a last trick of unknown winner to this seat if it can have won it; return whether it did."""
        if not self.winners or self.winners[-1] is not None or seat not in self.possible_winners(self.trick(-1)):
            return False
        self.credit(seat)
        self.after_trick()
        return True

    def gather(self, event: TrickGathered, version: int) -> Violations:
        """Note who gathered the last trick, which shows the winner among unknown cards; return the violations."""
        seat, ids = event.seat, self.rule_ids
        is_open = bool(self.on_table) or not self.winners
        winner = None if is_open else self.winners[-1]
        if not is_open and (seat == winner or self.believe(seat)):
            return NOTHING
        return (ids.violation("wrong_gather", ids.gather, version, seat, winner=winner),)
