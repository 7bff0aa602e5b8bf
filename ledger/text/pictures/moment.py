"""What a picture of the table shows: one step of a deal, who sits below, what is lit. Facts alone, without shapes."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ledger.events import CardPlayed, Step
from ledger.games.kernel.views import DealView, TrickView
from ledger.table.audit import violations_in_order
from ledger.table.fold import TableFold
from ledger.table.steps import ReplayStep, no_such_step, replay_steps
from ledger.text.words import Wording, wording_for


class Lit(Struct, frozen=True):
    """Cards of a hand that might lawfully be played: instead of the card that was, or next where the table waits."""

    seat: int
    cards: Sequence[str]
    is_next: bool


class Moment(Struct, frozen=True, kw_only=True):
    """A table at one step of a deal, as somebody may see it.

    `event`: what was done in this step, None before the deal. `due`: whose plate is lit. `is_judged`: a finding is
    about this act. `viewer`: the seat that sees it, None for all. `below`: the seat at the bottom of the picture.
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
    fold: TableFold, deal: int, step: int | None, lang: str, *, seat: int | None = None, below: int | None = None
) -> Moment:
    """The moment after `step` actions of a deal, by default after all; with `seat`, as far as that seat could know.

    `below` is by default the seat that sees it, else the first. Raises `NotFoundError` for a deal, step or seat that
    is not there.
    """
    before, now, is_last = _step_and_the_one_before(fold, deal, step, seat)
    record = fold.deal(deal)
    lit = _lit(before, now, is_last=is_last, viewer=seat)
    is_open = before is None or not isinstance(now.event, CardPlayed)
    return Moment(
        deal=deal,
        step=now.step,
        players=record.players,
        goes_to_the_right=fold.game.goes_to_the_right,
        view=now.view,
        event=now.event,
        viewer=seat,
        below=below if below is not None else seat or 0,
        lit=lit,
        due=now.view.turn if is_open or (lit is not None and lit.is_next) else None,
        is_judged=any(
            found.version == now.version and found.severity != "info" and seat in (None, found.seat)
            for found in (violations_in_order(record) if seat is None else now.violations)
        ),
        wording=wording_for(fold.game, lang),
    )


def _step_and_the_one_before(
    fold: TableFold, deal: int, asked: int | None, seat: int | None
) -> tuple[ReplayStep | None, ReplayStep, bool]:
    """The step that is asked for, the one before it, and whether none follows."""
    before: ReplayStep | None = None
    now: ReplayStep | None = None
    for step in replay_steps(fold, deal, seat):
        if now is not None and now.step == asked:
            return before, now, False
        before, now = now, step
    assert now is not None
    if asked not in (None, now.step):
        raise no_such_step(deal, asked, 0, now.step)
    return before, now, True


def _lit(before: ReplayStep | None, now: ReplayStep, *, is_last: bool, viewer: int | None) -> Lit | None:
    """What may be played now where the table waits for it, else what might have been played in place of a card."""
    turn = now.view.turn
    waits = turn is not None and (is_last or viewer == turn)
    if waits and turn is not None and (may := now.view.legal.get("card_played")):
        return Lit(turn, may, True)
    if before is None or not isinstance(now.event, CardPlayed) or before.view.turn != now.event.seat:
        return None
    might = [card for card in before.view.legal.get("card_played", ()) if card != now.event.card]
    return Lit(now.event.seat, might, False) if might else None
