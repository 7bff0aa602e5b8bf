"""The play of an Ombre deal: nine tricks, surrender, defence, stopping, throwing in (OMB section 6)."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Final

from mypy_extensions import mypyc_attr

from ledger.events import CardPlayed, TrickGathered
from ledger.games.kernel.card_order import Course, course_of
from ledger.games.kernel.holdings import Holdings
from ledger.games.kernel.matadors import MatadorRuleIds, MatadorTable, MatadorTricks
from ledger.games.kernel.tricks import NOTHING, Violations
from ledger.games.ombre.irregularities import violation
from ledger.games.ombre.options import OmbreOptions
from ledger.games.ombre.pack import FIRST_TRICKS, PLAYERS, TRICKS, active_seats, is_decided, neighbours

COURSES: Final[dict[tuple[int, ...], Course]] = {
    active: course_of(active, TRICKS)
    for active in (active_seats(seats, dealer) for seats in PLAYERS for dealer in range(seats))
}
"""The course of play by active seats."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Play(MatadorTricks):
    """The tricks and the ways to end them early.

    `pending_defenders`: the opponents who may still defend, in order; the first must answer (OMB-6.26). `revealed`: by
    seat, cards that were hidden when the play began. `is_halted`: play cannot continue.
    """

    __slots__ = (
        "contract",
        "defender",
        "is_halted",
        "ombre",
        "options",
        "pending_defenders",
        "revealed",
        "start",
    )

    rule_ids: ClassVar[MatadorRuleIds] = MatadorRuleIds(
        violation=violation,
        first_lead="OMB-6.1",
        lead="OMB-6.15",
        turn="OMB-6.2",
        hold="OMB-6.2",
        follow="OMB-6.5",
        follow_trumps="OMB-6.7",
        exempt_from_small="OMB-6.8",
        exempt_from_matador="OMB-6.9",
        no_exemption="OMB-6.9",
        end="OMB-6.16",
        gather="OMB-6.14",
    )

    def __init__(
        self,
        holdings: Holdings,
        table: MatadorTable,
        active: tuple[int, ...],
        ombre: int,
        contract: str,
        options: OmbreOptions,
        seats: int,
        on_end: Callable[[], None],
    ) -> None:
        super().__init__(holdings, table, COURSES[active], active[0], on_end)
        self.ombre = ombre
        self.contract = contract
        self.options = options
        self.start = (holdings.known[ombre], holdings.hidden[ombre])
        self.revealed = [0] * seats
        self.pending_defenders: list[int] = []
        self.defender: int | None = None
        self.is_halted = False

    def judge(self, event: CardPlayed, card: int, version: int) -> Violations:
        """Judge a card; while a surrender is unanswered, it halts the deal."""
        if self.pending_defenders:
            return self._leave_unanswered(event.seat, version)
        return super().judge(event, card, version)

    def gather(self, event: TrickGathered, version: int) -> Violations:
        """Judge who gathers the trick; while a surrender is unanswered, this halts the deal."""
        if self.pending_defenders:
            return self._leave_unanswered(event.seat, version)
        return super().gather(event, version)

    def take_from_hand(self, seat: int, bit: int) -> None:
        """Remove a card from the hand and remember whether it was hidden."""
        self.revealed[seat] |= bit & ~self.known[seat]
        super().take_from_hand(seat, bit)

    def _leave_unanswered(self, seat: int, version: int) -> Violations:
        """Halt the deal because something other than an answer to the surrender came (OMB-11.30)."""
        self.is_halted = True
        self.break_off()
        self.notify_end()
        return (violation("defence_unanswered", "OMB-6.26", version, seat),)

    def rule_of_end(self) -> str:
        """Return the rule that ended the play."""
        if self.ending == "surrendered":
            return "OMB-6.24" if self.contract == "vuelta" else "OMB-6.25"
        return {"stopped": "OMB-6.18", "thrown_in": "OMB-6.33"}.get(self.ending or "", "OMB-6.16")

    def break_off(self) -> None:
        """Break off the play, with any unanswered surrender."""
        super().break_off()
        self.pending_defenders = []

    def has_primeras(self) -> bool:
        """Return whether the Ombre has won tricks 1 to 5, undefended (OMB-6.17, 6.31)."""
        winners, ombre = self.winners, self.ombre
        return (
            self.defender is None
            and len(winners) >= FIRST_TRICKS
            and all(winners[trick] == ombre for trick in range(FIRST_TRICKS))
        )

    def may_stop(self) -> bool:
        """Return whether the Ombre may stop (OMB-6.18, 6.19, 6.30). If the winner of the fifth trick is unknown, the
        Ombre counts as possible.
        """
        return (
            len(self.winners) == FIRST_TRICKS
            and not self.on_table
            and self.defender is None
            and self.winners[:-1] == [self.ombre] * (FIRST_TRICKS - 1)
            and self.ombre in self._possible_last_winners()
        )

    def _possible_last_winners(self) -> list[int]:
        winner = self.winners[-1]
        return self.possible_winners(self.trick(-1)) if winner is None else [winner]

    def may_surrender(self) -> bool:
        """Return whether the Ombre may surrender (OMB-6.22, 6.23, 6.30)."""
        return (
            self.options.surrender_allowed
            and self.contract != "solo"
            and self.defender is None
            and not self.on_table
            and len(self.winners) <= self.options.surrender_max_tricks
        )

    def deciding_winners(self) -> list[int]:
        """Return the possible winners of the last trick with which the deal may be thrown in (OMB-6.33, 6.34)."""
        if (
            not self.options.throw_in_allowed
            or self.on_table
            or self.pending_defenders
            or self.is_over
            or not self.winners
        ):
            return []
        return [seat for seat in self._possible_last_winners() if self._is_decided(seat)]

    def _is_decided(self, last_winner: int) -> bool:
        right, left = neighbours(self.course.order, self.ombre)
        defender = None if self.defender is None else (1 if self.defender == right else 2)
        counts = self.counts[:]
        if self.winners[-1] is None:
            counts[last_winner] += 1
        first = [*self.winners[:-1], last_winner][:FIRST_TRICKS]
        primeras = first == [self.ombre] * FIRST_TRICKS
        return is_decided(counts[self.ombre], counts[right], counts[left], primeras=primeras, defender=defender)

    def announce(self, what: str, seat: int, version: int) -> Violations:
        """Apply an announcement made during the play; a void one changes nothing."""
        if what in ("defend", "decline_defence"):
            return self._answer(what, seat, version)
        if self.pending_defenders:
            return self._leave_unanswered(seat, version)
        if what == "stop":
            if seat != self.ombre or not self.may_stop():
                rule = "OMB-6.30" if self.defender is not None else "OMB-6.18" if seat != self.ombre else "OMB-6.19"
                return (violation("illegal_stop", rule, version, seat),)
            self.believe(seat)
            self.end("stopped")
        elif what == "surrender":
            if seat != self.ombre or not self.may_surrender():
                return (violation("illegal_surrender", self._surrender_rule(seat), version, seat),)
            if self.contract == "entrada" and self.options.defend_allowed:
                self.pending_defenders = list(neighbours(self.course.order, self.ombre))  # OMB-6.26
                self.turn = None  # OMB-6.28
            else:
                self.end("surrendered")  # OMB-6.24, 6.25
        else:
            deciding = self.deciding_winners() if seat in self.course.order else []
            if not deciding:
                rule = "OMB-6.34" if self.options.throw_in_allowed and not self.on_table else "OMB-6.33"
                return (violation("illegal_throw_in", rule, version, seat),)
            if len(deciding) == 1:
                self.believe(deciding[0])
            self.end("thrown_in")
        return NOTHING

    def _surrender_rule(self, seat: int) -> str:
        if self.defender is not None:
            return "OMB-6.30"
        is_right_seat = seat == self.ombre and self.contract != "solo" and self.options.surrender_allowed
        return "OMB-6.23" if is_right_seat else "OMB-6.22"

    def _answer(self, what: str, seat: int, version: int) -> Violations:
        if not self.pending_defenders or seat != self.pending_defenders[0]:
            rule = "OMB-6.26" if self.pending_defenders else "OMB-6.25" if self.contract == "entrada" else "OMB-6.24"
            return (violation("illegal_defence", rule, version, seat),)
        if what == "defend":
            self.defender = seat
            self.pending_defenders = []
            self.turn = self.winners[-1] if self.winners else self.course.order[0]  # OMB-6.29
            return NOTHING
        self.pending_defenders = self.pending_defenders[1:]
        if not self.pending_defenders:
            self.end("surrendered")  # OMB-6.27
        return NOTHING

    def _could_have_started_with(self, seat: int) -> int:
        """Return the cards that a hand with hidden cards may have held besides those it showed, as a mask."""
        could_be = self.holdings.candidates(seat)
        if self.has_unknown_of(seat):
            could_be |= self.holdings.pack & ~self.holdings.placed
        return could_be & ~self.played()

    def estuches(self) -> tuple[int, int]:
        """Return the shortest and the longest possible run of top trumps in the Ombre's playing hand (OMB-7.7)."""
        known, hidden = self.start
        held = known | self.revealed[self.ombre]
        could_be = self._could_have_started_with(self.ombre) if hidden else 0
        unseen = known.bit_count() + hidden - held.bit_count()
        fewest: int | None = None
        most = 0
        for card in self.ranking.order[:TRICKS]:
            if not held >> card & 1:
                fewest = most if fewest is None else fewest
                if not could_be >> card & 1 or not unseen:
                    break
                unseen -= 1
            most += 1
        return (most if fewest is None else fewest), most
