"""Following suit as far as the hands are known: playable cards, violations, and violations that show only later."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Self

from mypy_extensions import mypyc_attr

from ledger.cards import PACK_52, texts_in
from ledger.events import CardPlayed
from ledger.games.kernel.card_order import Course, TrumpTable
from ledger.games.kernel.copying import twin_of
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.holdings import Holdings
from ledger.games.kernel.tricks import NOTHING, Tricks, Violations


class Doubt(NamedTuple):
    """A card from a partly hidden hand that did not serve the lead: later cards show more of what it broke.

    `place`: its number among the plays of the deal. `known`: the cards known to be in the hand then. `violations`:
    those proven at once.
    """

    version: int
    seat: int
    led: int
    place: int
    known: int
    violations: Violations


@mypyc_attr(allow_interpreted_subclasses=True)
class FollowingTricks(Tricks):
    """Tricks from hands that may be hidden in part. `foreign`: cards played by a seat that did not hold them."""

    __slots__ = ("doubts", "foreign", "holdings")

    def __init__(
        self, holdings: Holdings, table: TrumpTable, course: Course, leader: int, on_end: Callable[[], None]
    ) -> None:
        super().__init__(holdings.known, table, course, leader, on_end)
        self.holdings = holdings
        self.doubts: list[Doubt] = []
        self.foreign = 0

    def copy(self, holdings: Holdings, on_end: Callable[[], None]) -> Self:
        """Return a twin that plays from `holdings` and calls `on_end`."""
        twin = twin_of(self)
        twin.holdings, twin.known, twin.on_end = holdings, holdings.known, on_end
        return twin

    def is_plain(self) -> bool:
        """Return whether cards may be taken in runs: all hands are known, and the play goes on."""
        return not (self.holdings.has_unknown or self.foreign or self.is_over)

    def judge(self, event: CardPlayed, card: int, version: int) -> Violations:
        """Return the first row of section 11 that fits a card not plainly in order, and lay the card.

        A card is void, and not laid, after the end, from a seat that sits out, or as a second card to the trick.
        """
        seat, ids = event.seat, self.rule_ids
        if self.is_over or len(self.winners) == self.course.length:
            return (ids.violation("play_after_end", self.rule_of_end(), version, seat, card=event.card),)
        if not self.on_table and self.turn is None:
            self.believe(seat)  # only the present lead shows who won the last trick
        violations: Violations = self.order_faults(event, version)
        if violations and (seat not in self.course.order or seat in self.seats_on_table()):
            return violations
        bit = 1 << card if card >= 0 else 0
        if bit and bit & self.played():
            violations = violations or self._card_fault("card_played_twice", event, version)
            self.foreign |= bit
        elif bit and not self.holdings.may_hold(seat, bit):
            violations = violations or self._card_fault("card_not_held", event, version)
            self.foreign |= bit
        else:
            violations = violations or self.following_faults(event, bit, version)
            self.take_from_hand(seat, bit)
        self.holdings.place(bit)
        self.lay(seat, card)
        return violations

    def rule_of_end(self) -> str:
        """Return the rule by which the play is over."""
        return self.rule_ids.end

    def _card_fault(self, name: str, event: CardPlayed, version: int) -> Violations:
        legal = tuple(self.playable(event.seat))
        return (self.rule_ids.violation(name, self.rule_ids.hold, version, event.seat, legal, card=event.card),)

    def take_from_hand(self, seat: int, bit: int) -> None:
        """Remove a card that the seat may hold from its hand; 0: a card that was not recorded."""
        if bit:
            self.holdings.remove(seat, bit)
        else:
            self.holdings.remove_unknown(seat, 1)

    def unseen(self) -> int:
        """Return the cards that may be those not recorded."""
        return self.holdings.pack & ~self.holdings.placed & ~self.played()

    def can_have_played(self, seat: int, mask: int) -> bool:
        """Return whether an unrecorded card of the seat can have been one of these."""
        return bool(mask & self.holdings.possible[seat])

    def following_faults(self, event: CardPlayed, bit: int, version: int) -> Violations:
        """Return the violations of a card that may be held but does not serve the lead, as far as known now."""
        seat, led = event.seat, self.led
        if not self.on_table or led < 0 or not bit or bit & self.table.serves[led]:
            return NOTHING  # an unknown card proves nothing
        hand = self.known[seat] & ~self.foreign  # cards that others have played serve no more
        is_certain = not self.holdings.hidden[seat] or self.is_proven_revoke(hand, led)
        violations = self.judge_following(hand, led, version, seat, {"card": event.card}) if is_certain else NOTHING
        if self.holdings.hidden[seat]:  # judged again in late_violations, when more is known
            self.doubts.append(Doubt(version, seat, led, len(self.cards), hand, violations))
        return violations

    def is_proven_revoke(self, hand: int, led: int) -> bool:
        """Return whether the known part of a hand proves a violation, whatever is hidden in it."""
        return bool(hand & self.table.binds[led])

    def judge_following(self, hand: int, led: int, version: int, seat: int, values: dict[str, Any]) -> Violations:
        """Return the violations if `hand` did not serve `led`. `values` fill in the sentence."""
        if not hand & self.table.binds[led]:
            return NOTHING
        legal = tuple(sorted(texts_in(hand & self.table.serves[led])))
        return (self.rule_ids.violation("revoke", self.rule_ids.follow, version, seat, legal, **values),)

    def late_violations(self) -> list[Violation]:
        """Return the violations that hidden hands have shown since, and earlier ones with more legal alternatives."""
        violations: list[Violation] = []
        for doubt in self.doubts:
            violations.extend(one for one in self._in_hindsight(doubt) if one not in doubt.violations)
        return violations

    def refuted_violations(self) -> list[Violation]:
        """Return violations whose legal alternatives were incomplete when they were found."""
        return [one for doubt in self.doubts for one in doubt.violations if one not in self._in_hindsight(doubt)]

    def _in_hindsight(self, doubt: Doubt) -> Violations:
        version, seat, led, place, known, violations = doubt
        if place >= len(self.cards):
            return violations  # the play had ended before this card
        since = place + 1
        shown = (self.played_by(seat, since) | self.known[seat]) & ~self.foreign
        card = PACK_52[self.cards[place]]
        if violations:
            return self.judge_following(shown | known, led, version, seat, {"card": card})
        is_complete = not self.holdings.hidden[seat] and not self.has_unknown_of(seat, since)
        if not shown & self.table.binds[led] and not is_complete:
            return NOTHING
        return self.judge_following(shown, led, version, seat, {"found": "unseen", "card": card})

    def playable(self, seat: int) -> list[str]:
        """Return the cards that the seat may play now, sorted; of a hidden hand, those that nothing known excludes."""
        return self._playable(seat, self.holdings.candidates(seat))

    def playable_as_seen(self, seat: int, elsewhere: int) -> list[str]:
        """Return the playable cards as far as the seat itself can know.

        Of a hidden hand, only cards that were played or are known to be `elsewhere` are excluded.
        """
        hidden = self.holdings.possible[seat] if self.holdings.hidden[seat] else 0
        return self._playable(seat, hidden & ~self.played() & ~elsewhere)

    def _playable(self, seat: int, could_be: int) -> list[str]:
        known = self.known[seat] & ~self.foreign
        cards = known | could_be
        if self.on_table and self.led >= 0 and known & self.table.binds[self.led]:
            cards &= self.table.serves[self.led]
        return sorted(texts_in(cards))
