"""What a picture of the table shows: one step of a deal, who sits below, what is lit. Facts alone, without shapes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise

from msgspec import Struct

from ledger.cards import in_order
from ledger.events import CardPlayed, Step
from ledger.games.kernel.moves import of_type
from ledger.games.kernel.views import DealView, TrickView
from ledger.table.fold import DealRecord, TableFold
from ledger.table.steps import ReplayStep, no_such_seat, no_such_step, replay_steps
from ledger.text.letters import Letters, letters_of
from ledger.text.words import Wording, written_wording_for


class Lit(Struct, frozen=True):
    """Cards of a hand that might lawfully be played: instead of the card that was, or next where the table waits."""

    seat: int
    cards: Sequence[str]
    is_next: bool


class Moment(Struct, frozen=True, kw_only=True):
    """A table at one step of a deal, as somebody may see it.

    `event`: what was done in this step, None before the deal. `due`: whose plate is lit. `is_judged`: a finding is
    about this act. `viewer`: the seat that sees it, None for all. `below`: the seat at the bottom of the picture.
    `letters`: those on its cards.
    """

    deal: int
    step: int
    players: Sequence[str]
    goes_to_the_right: bool
    view: DealView
    event: Step | None
    viewer: int | None
    below: int
    lit: Lit | None
    due: int | None
    is_judged: bool
    wording: Wording
    letters: Letters = "en"

    @property
    def played(self) -> CardPlayed | None:
        """The card played in this step."""
        return self.event if isinstance(self.event, CardPlayed) else None

    @property
    def trick(self) -> TrickView | None:
        """The trick on the table: a complete one stays until something else is done."""
        if not self.view.tricks:
            return None
        last = self.view.tricks[-1]
        return last if last.winner is None or self.played is not None else None


def moment_at(
    fold: TableFold,
    deal: int,
    step: int | None,
    lang: str,
    *,
    seat: int | None = None,
    below: int | None = None,
    letters: Letters = "en",
) -> Moment:
    """The moment after `step` actions of a deal, by default after all; with `seat`, as far as that seat could know.

    `below` is by default the seat that sees it, else the first. Raises `NotFoundError` for a deal, step or seat that
    is not there.
    """
    look, last = _look(fold, deal, lang, seat, below, letters), 0
    for before, now, is_last in _in_course(replay_steps(fold, deal, seat)):
        if now.step == step or (step is None and is_last):
            return look.at(before, now, is_last=is_last)
        last = now.step
    assert step is not None
    raise no_such_step(deal, step, 0, last)


def moments(
    fold: TableFold,
    deal: int,
    lang: str,
    *,
    seat: int | None = None,
    below: int | None = None,
    letters: Letters = "en",
    steps: Iterable[ReplayStep] | None = None,
) -> Iterator[Moment]:
    """Every moment of a deal; else as `moment_at`. `steps`: its steps as that seat sees them, where they are known."""
    look = _look(fold, deal, lang, seat, below, letters)
    for before, now, is_last in _in_course(replay_steps(fold, deal, seat) if steps is None else steps):
        yield look.at(before, now, is_last=is_last)


def _look(fold: TableFold, deal: int, lang: str, seat: int | None, below: int | None, letters: Letters) -> _Look:
    record = fold.deal(deal)
    if below is not None and not 0 <= below < len(record.players):
        raise no_such_seat(deal, below, len(record.players))
    letters = letters_of(fold.pack, letters)
    return _Look(fold, record, written_wording_for(fold.game, lang, fold.pack), seat, below, letters)


def _in_course(steps: Iterable[ReplayStep]) -> Iterator[tuple[ReplayStep | None, ReplayStep, bool]]:
    """Each step with the one before it, and whether none follows."""
    before: ReplayStep | None = None
    for now, after in pairwise(chain(steps, (None,))):
        assert now is not None
        yield before, now, after is None
        before = now


class _Look(Struct, frozen=True):
    """How a deal is looked at."""

    fold: TableFold
    record: DealRecord
    wording: Wording
    seat: int | None
    below: int | None
    letters: Letters

    def at(self, before: ReplayStep | None, now: ReplayStep, *, is_last: bool) -> Moment:
        turn = now.view.turn
        waits = turn is not None and (is_last or self.seat == turn)
        return Moment(
            deal=self.record.number,
            step=now.step,
            players=self.record.players,
            goes_to_the_right=self.fold.game.goes_to_the_right,
            view=now.view,
            event=now.event,
            viewer=self.seat,
            below=self.below if self.below is not None else self.seat or 0,
            lit=_lit(before, now, waits=waits),
            due=turn if waits or not isinstance(now.event, CardPlayed) else None,
            is_judged=self._is_judged(now),
            wording=self.wording,
            letters=self.letters,
        )

    def _is_judged(self, now: ReplayStep) -> bool:
        """A seat knows of itself what it broke; of others only who sees their cards can tell."""
        seat = self.seat
        found = self.record.violations if seat is None else [one for one in now.violations if one.seat == seat]
        return any(one.version == now.version and one.severity != "info" for one in found)


def _lit(before: ReplayStep | None, now: ReplayStep, *, waits: bool) -> Lit | None:
    """What may be played now where the table waits for it, else what might have been played in place of a card.

    Only cards that are seen in the hand: of a hand that nobody knows, almost any card might be played.
    """
    turn, played = now.view.turn, now.event
    if waits and turn is not None:
        cards = _held_of(now.view, turn)
        if cards:
            return Lit(turn, cards, True)
    if before is None or not isinstance(played, CardPlayed) or before.view.turn != played.seat:
        return None
    others = [card for card in _held_of(before.view, played.seat) if card != played.card]
    return Lit(played.seat, others, False) if others else None


def _held_of(view: DealView, seat: int) -> list[str]:
    """What may be played, as far as it is seen in the hand."""
    return in_order(play.card for play in of_type(view.legal, CardPlayed) if play.card in view.hands[seat])
