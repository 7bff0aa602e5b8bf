"""One Couillon deal as other code sees it: it takes events and returns violations and its state.

The rules of each phase are in modules of their own, which take the state. `outcome()` returns the facts for scoring,
including card points and tricks (COU-6.17, 7.1, 7.2).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, cast

import msgspec
from mypy_extensions import mypyc_attr

from ledger.cards import UNKNOWN, cards_in, mask_of_known
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
from ledger.games.couillon.dealing_rules import deal_cards
from ledger.games.couillon.irregularities import halts, violation
from ledger.games.couillon.outcome import CouillonOutcome, checked_outcome
from ledger.games.couillon.pack import ALL_POINTS, POINTS, points_in, result_of, winner_of
from ledger.games.couillon.play import CouillonPlay
from ledger.games.couillon.play_rules import (
    apply_to_other_reading,
    concede,
    gather_trick,
    late_raise_faults,
    make_raise,
    play_card,
    refuted_raise_faults,
)
from ledger.games.couillon.state import CouillonState
from ledger.games.couillon.trump_rules import make_call, name_trump, turn_card
from ledger.games.couillon.view import legal_of, turn_of, view_of
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.laid_cards import NO_CARD
from ledger.games.kernel.tricks import NOTHING, Tricks, Violations
from ledger.games.kernel.views import DealView, Moves
from ledger.i18n import Words

_BID_MADE: Final = BidMade  # as in `kernel.tricks`: calls are frequent, and the table is slower
_CARD_PLAYED: Final = CardPlayed


@mypyc_attr(allow_interpreted_subclasses=True)
class CouillonDeal(CouillonState):
    """One deal, moved by events."""

    __slots__ = ()

    def apply(self, event: Event, version: int) -> Violations:
        """Apply one event and return the violations; a halted deal is audited to its end (COU-11.1)."""
        if self.phase == "voided":
            return NOTHING
        doubt = self.doubt
        violations = self._take(event, version)
        if doubt is not None:
            apply_to_other_reading(self, doubt, event, version, violations)
        return violations

    def _take(self, event: Event, version: int) -> Violations:
        kind = type(event)  # isinstance takes ten times as long on Structs
        if kind is _CARD_PLAYED:
            return play_card(self, cast(CardPlayed, event), version)
        handler = None if kind is _BID_MADE else _HANDLERS.get(kind)
        if handler is None and kind is not _BID_MADE:
            return NOTHING
        self.events.append((0 if self.play is None else len(self.play.cards), event, version))
        violations = (
            make_call(self, cast(BidMade, event), version) if handler is None else handler(self, event, version)
        )
        if self.phase == "trump" and self.trumps.suit is not None:
            self.begin_play()
        if violations and halts(violations):
            self.is_halted = True
        return violations

    def take_run(self, entries: list[tuple[int, Event]], start: int) -> int:
        """Apply the cards from index `start` on while they are in order; return the index of the first entry left."""
        if self.play is None or self.phase != "play" or self.doubt is not None:
            return start
        return self.play.take_run(entries, start)

    def leave(self, last_version: int, last_seat: int | None) -> Violations:
        """End the deal because another starts or the table closes; unfinished play makes it unscorable (COU-11.37)."""
        self.is_left = True
        if self.phase in ("settled", "voided"):
            return NOTHING
        return (violation("unfinished_deal", "COU-6.14", last_version),)

    def void(self, version: int) -> Violations:
        """Void the deal for the director (COU-10.2), which breaks nothing."""
        self.annul(self.late_violations(), self.refuted_violations())
        return NOTHING

    def legal(self, seat: int | None = None) -> Moves:
        """Return the events that are legal; with `seat`, those that this seat could know."""
        return legal_of(self, seat)

    def turn(self) -> int | None:
        """Return the seat that has to act, or None."""
        return turn_of(self)

    def view(self, seat: int | None = None) -> DealView:
        """Return the state for display; with `seat`, only what that seat could know."""
        return view_of(self, seat)

    def late_violations(self) -> Violations:
        """Return revokes from unrecorded hands and calls of a Mit' without the queen that later cards prove."""
        violations: list[Violation] = []
        if self.late or self.void_mits:
            refuted = self._refuted()
            violations = [one for one in (*self.late, *late_raise_faults(self)) if one not in refuted]
        if self.play is not None and self.play.doubts:
            violations.extend(self.play.late_violations())
        return violations if self.doubt is None else self.doubt.late_violations(violations)

    def refuted_violations(self) -> Violations:
        """Return violations of a Mit', or found while one was in doubt, that later cards have disproved."""
        return self._refuted() if self.doubt is None else self.doubt.refuted_violations(self._refuted())

    def _refuted(self) -> list[Violation]:
        refuted = [*self.refuted, *refuted_raise_faults(self)]
        return refuted if self.play is None else [*refuted, *self.play.refuted_violations()]

    def untold(self) -> list[Words]:
        """Return the facts that scoring needs and that the record lacks."""
        if self.doubt is not None:
            return [Words("untold_mit")]
        has_ended = self.play is not None and self.play.is_over
        return [Words("untold_points")] if has_ended and self.outcome() is None else []

    def laid(self) -> Tricks | None:
        """Return the cards laid so far, or None before the play."""
        return self.play

    def outcome(self) -> CouillonOutcome | None:
        """Return the facts for scoring; None while the deal is open or halted, or if the record lacks them."""
        if self.status != "complete":
            return None
        if self.recorded is not None:
            return self.recorded
        if self.doubt is not None:
            return None
        counted = points_and_tricks(self)
        return None if counted is None else self.outcome_with(counted[0], counted[1])

    def outcome_with(self, points: tuple[int, int], tricks: tuple[int, int]) -> CouillonOutcome:
        """Return the outcome with these card points and tricks, from the play or from a score sheet (COU-10.4)."""
        raised, maker = len(self.raises), self.trumps.maker
        winner = winner_of(points, maker, self.options.tie_rule)
        return CouillonOutcome(
            result=result_of(winner, tricks),
            winner=winner,
            card_points=points,
            tricks=tricks,
            maker=maker,
            trump=cast("Suit | None", self.trumps.suit),
            mit=raised > 0,
            kontra=raised > 1,
            re=raised > 2,
        )


def _announce(state: CouillonState, event: Announced, version: int) -> Violations:
    if event.what != "concede":
        return make_raise(state, event, version)
    assert event.seat is not None
    return concede(state, event.seat, version)


def _record_result(state: CouillonState, event: ResultRecorded, version: int) -> Violations:
    outcome = msgspec.convert(event.outcome, CouillonOutcome)
    state.record(checked_outcome(outcome, state.options, state.seats))
    return NOTHING


_HANDLERS: Final[dict[type, Callable[[CouillonState, Any, int], Violations]]] = {
    CardsDealt: deal_cards,
    TrumpNamed: name_trump,
    CardTurned: turn_card,
    TrickGathered: gather_trick,
    Announced: _announce,
    ResultRecorded: _record_result,
}


def points_and_tricks(state: CouillonState) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Return cp and tr of both teams; None if unrecorded cards leave them open."""
    play = state.play
    assert play is not None
    if not play.holdings.has_unknown and play.conceded_by is None and None not in play.winners:
        return _of_known_play(play)
    teams = play.trick_teams()
    if teams is None:
        return None
    points, tricks, unknown, known_cards = [0, 0], [0, 0], [0, 0], 0
    for number, team in enumerate(teams):
        tricks[team] += 1
        trick = play.trick(number)
        for seat, laid in zip(trick.seats, trick.cards, strict=True):
            card = play.unwritten(seat) if laid == NO_CARD else laid
            if card is None:
                unknown[team] += 1
            else:
                points[team] += POINTS[card]
                known_cards |= 1 << card
    if any(unknown):
        hidden = _points_of_unknown(play, unknown, known_cards)
        if hidden is None:
            return None
        points = [known + more for known, more in zip(points, hidden, strict=True)]
    if play.conceded_by is not None:
        rest = _points_in_hands(state, play, any(unknown))
        if rest is None:
            return None
        other = 1 - play.conceded_by
        points[other] += rest
        tricks[other] += play.course.length - len(teams)
    return (points[0], points[1]), (tricks[0], tricks[1])


def _of_known_play(play: CouillonPlay) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the same for a play in which every card is known, as nearly always."""
    worth, counts = play.card_points_by_seat(POINTS), play.counts
    points = tricks = other_points = other_tricks = 0
    for seat in range(0, len(worth), 2):  # seats alternate between the teams (COU-2.7)
        points += worth[seat]
        tricks += counts[seat]
        other_points += worth[seat + 1]
        other_tricks += counts[seat + 1]
    return (points, other_points), (tricks, other_tricks)


def _points_of_unknown(play: CouillonPlay, unknown: list[int], known_cards: int) -> tuple[int, int] | None:
    """Return the points of unrecorded cards for each team, if they follow from the other cards."""
    unseen = [POINTS[card] for card in cards_in(play.unseen() & ~known_cards)]
    if len(set(unseen)) == 1:
        return unseen[0] * unknown[0], unseen[0] * unknown[1]
    if len(unseen) == sum(unknown) and 0 in unknown:
        return (sum(unseen), 0) if unknown[0] else (0, sum(unseen))
    return None


def _points_in_hands(state: CouillonState, play: CouillonPlay, has_unknown: bool) -> int | None:
    """Return the points of the cards still in hand after a concession."""
    if not any(state.holdings.hidden):
        return sum(points_in(hand & ~play.foreign) for hand in state.holdings.known)
    if has_unknown or UNKNOWN in state.stock:
        return None
    played = sum(POINTS[card] for card in play.cards)
    return ALL_POINTS - played - points_in(mask_of_known(state.stock))


def points_out(state: CouillonState) -> int | None:
    """Return the points of the cards that were not dealt; None if the record does not show them."""
    if state.pack_is_bad:
        return None
    if UNKNOWN not in state.stock:
        return points_in(mask_of_known(state.stock))
    dealt = [hand for hand in state.hands if hand is not None and UNKNOWN not in hand]
    if len(dealt) == state.seats:
        return ALL_POINTS - sum(points_in(mask_of_known(hand)) for hand in dealt)
    return None
