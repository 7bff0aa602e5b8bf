"""The tricks of one deal, and conceding the rest of them (COU section 6)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, cast

from mypy_extensions import mypyc_attr

from ledger.cards import texts_in
from ledger.events import CardPlayed, Event, TrickGathered
from ledger.games.couillon.irregularities import violation
from ledger.games.couillon.pack import team_of
from ledger.games.kernel.card_order import Course, TrumpTable
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.following import FollowingTricks
from ledger.games.kernel.holdings import Holdings
from ledger.games.kernel.laid_cards import Trick
from ledger.games.kernel.tricks import NOTHING, RuleIds, Violations


@mypyc_attr(allow_interpreted_subclasses=True)
class CouillonPlay(FollowingTricks):
    """The tricks and concessions of a deal.

    `log`: every play of a card with its version. `origin`: the cards certainly dealt to each seat. `conceded_by`: the
    team that gave up the rest. `is_disordered`: from then on, `judge` takes every card.
    """

    __slots__ = ("conceded_by", "is_disordered", "log", "origin")

    rule_ids: ClassVar[RuleIds] = RuleIds(
        violation=violation,
        first_lead="COU-6.1",
        lead="COU-6.13",
        turn="COU-6.3",
        hold="COU-6.2",
        follow="COU-6.6",
        end="COU-6.14",
        gather="COU-6.12",
    )

    def __init__(
        self,
        holdings: Holdings,
        table: TrumpTable,
        course: Course,
        forehand: int,
        on_end: Callable[[], None],
    ) -> None:
        super().__init__(holdings, table, course, forehand, on_end)
        self.log: list[tuple[int, CardPlayed]] = []
        self.origin = holdings.known[:]
        self.conceded_by: int | None = None
        self.is_disordered = not table.trumps

    def is_plain(self) -> bool:
        """Return whether cards may be taken in runs: all hands are known, and nothing was out of order."""
        return not (self.is_disordered or self.holdings.has_unknown or self.is_over)

    def take_run(self, entries: list[tuple[int, Event]], start: int) -> int:
        """Play the cards from index `start` on while they are in order; return the index of the first entry left."""
        end = super().take_run(entries, start)
        self.log.extend(cast(Sequence[tuple[int, CardPlayed]], entries[start:end]))
        return end

    def judge(self, event: CardPlayed, card: int, version: int) -> Violations:
        """Lay a card that is not plainly in order and return all rows of section 11 that it fits."""
        seat = event.seat
        bit = 1 << card if card >= 0 else 0
        if self.conceded_by is not None:
            return (violation("play_after_concession", "COU-6.17", version, seat, card=event.card),)
        if self.is_over:  # the card is void (COU-6.14)
            return self._card_faults(event, bit, version)
        if not self.on_table and self.turn is None:
            self.believe(seat)  # only the present lead shows who won the last trick
        violations = [*self.order_faults(event, version), *self._card_faults(event, bit, version)]
        is_held = self.holdings.may_hold(seat, bit) if bit else self.holdings.size(seat) > 0
        violations.extend(self.following_faults(event, bit, version))
        if not is_held or bit & self.played():
            self.foreign |= bit
        else:
            self.take_from_hand(seat, bit)
        self.holdings.place(bit)
        self.log.append((version, event))
        self.lay(seat, card)
        self.is_disordered = self.is_disordered or bool(violations)
        return violations

    def order_faults(self, event: CardPlayed, version: int) -> list[Violation]:
        """Return the violation of a lead or play by the wrong seat (COU-11.27 to 11.30)."""
        seat = event.seat
        if seat in self.seats_on_table():
            return [violation("two_cards_in_trick", "COU-6.3", version, seat, card=event.card)]
        if not self.on_table and seat != self.turn:
            if not self.winners:
                return [violation("wrong_first_lead", "COU-6.1", version, seat, card=event.card, due=self.turn)]
            if not self.table.trumps:
                return []  # the winner is unknown
        return super().order_faults(event, version)

    def _card_faults(self, event: CardPlayed, bit: int, version: int) -> list[Violation]:
        """Return violations by a card that was not dealt to the seat or that was played before (COU-11.31, 11.32)."""
        seat = event.seat
        violations = []
        is_dealt_to = self.holdings.may_hold(seat, bit) or self.origin[seat] & bit if bit else self.holdings.size(seat)
        legal = tuple(self.playable(seat))
        if not is_dealt_to:
            violations.append(violation("card_not_held", "COU-6.2", version, seat, legal, card=event.card))
        if bit & self.played():
            violations.append(violation("card_played_twice", "COU-6.14", version, seat, legal, card=event.card))
        return violations

    def take_from_hand(self, seat: int, bit: int) -> None:
        """Remove a card from the hand and note that it was dealt to the seat."""
        self.origin[seat] |= bit
        super().take_from_hand(seat, bit)

    def is_proven_revoke(self, hand: int, led: int) -> bool:
        """Return whether the known part of a hand proves a violation, whatever is hidden in it."""
        return super().is_proven_revoke(hand & ~self.foreign, led)

    def judge_following(self, hand: int, led: int, version: int, seat: int, values: dict[str, Any]) -> Violations:
        """Return the violations of COU-11.33 and 11.34, as far as the hand is known."""
        hand &= ~self.foreign
        if not hand & self.table.follows[led]:
            return NOTHING
        legal = tuple(sorted(texts_in(hand & self.table.serves[led])))
        if self.table.trumps >> led & 1:
            return (violation("revoke_trumps_led", "COU-6.5", version, seat, legal, **values),)
        return (violation("revoke_third_suit", "COU-6.6", version, seat, legal, **values),)

    def playable(self, seat: int) -> list[str]:
        """Return the cards that the seat may play now, sorted; none after the end."""
        return [] if self.is_over else super().playable(seat)

    def rank_by(self, table: TrumpTable) -> None:
        """Make SQ a trump from now on, and update the best card of the open trick."""
        self.table = table
        laid = list(zip(self.seats_on_table(), self.cards[len(self.cards) - self.on_table :], strict=True))
        if not laid or any(card < 0 for _, card in laid):
            return
        self.best, self.winning = laid[0]
        for seat, card in laid[1:]:
            if self.table.beaten_by[self.winning] >> card & 1:
                self.best, self.winning = seat, card

    def credit(self, seat: int) -> None:
        """Give the last trick to this seat; without trumps, nobody is known to have won."""
        if self.table.trumps:  # without them the winner is unknown
            super().credit(seat)

    def after_trick(self) -> None:
        """End the play with the last trick, even if its winner is unknown (COU-6.14)."""
        if len(self.winners) == self.course.length and not self.is_over:
            self.end("played")

    def possible_winners(self, trick: Trick) -> list[int]:
        """Return the seats that can have won a trick; without trumps, all of them."""
        return super().possible_winners(trick) if self.table.trumps else list(trick.seats)

    def gather(self, event: TrickGathered, version: int) -> Violations:
        """Note who gathered the last trick, perhaps for a partner; return the violations (COU-11.35, 11.36)."""
        violations = super().gather(event, version)
        if not violations or self.on_table or not self.winners:
            return violations
        if not self.table.trumps:
            return NOTHING
        winner, team = self.winners[-1], team_of(event.seat)
        if winner is None:
            possible = self.possible_winners(self.trick(-1))
            return NOTHING if any(team_of(other) == team for other in possible) else violations
        if team == team_of(winner):
            return (violation("partner_gathered", "COU-6.12", version, event.seat, winner=winner),)
        return violations

    def may_concede(self) -> bool:
        """Return whether it is between two tricks, with cards left in hand (COU-6.16); the option is not checked."""
        return bool(self.winners) and not self.on_table and not self.is_over

    def concede(self, seat: int) -> None:
        """Give the rest to the other team (COU-6.17)."""
        self.conceded_by = team_of(seat)
        self.end("conceded")

    def annul(self) -> None:
        """End the play of a voided deal: no cards and no evidence count any more."""
        self.doubts = []
        self.break_off()

    def unwritten(self, seat: int) -> int | None:
        """Return the seat's unrecorded card if only one card of a fully known hand is left."""
        known, left = self.origin[seat], self.origin[seat] & ~self.played_by(seat)
        is_certain = known.bit_count() == self.course.length == self.seats.count(seat) and left.bit_count() == 1
        return left.bit_length() - 1 if is_certain else None

    def trick_teams(self) -> list[int] | None:
        """Return the team that won each complete trick; None if the record does not show it."""
        teams: list[int] = []
        for number, winner in enumerate(self.winners):
            seats = self.possible_winners(self.trick(number)) if winner is None else [winner]
            possible = {team_of(seat) for seat in seats}
            if len(possible) != 1:
                return None
            teams.extend(possible)
        return teams
