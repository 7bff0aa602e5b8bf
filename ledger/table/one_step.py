"""One state of a deal with all that belongs to it: what was done, what that broke, and what could have been done."""

from __future__ import annotations

from typing import Any

from msgspec import structs

from ledger.games.kernel.moves import as_json
from ledger.table.answers import ReplayAnswer, StepAnswer
from ledger.table.audit import deal_findings
from ledger.table.fold import TableFold
from ledger.table.steps import ReplayStep, no_such_step, replay_answer, replay_steps


def step_answer(
    table: str, fold: TableFold, number: int, step: int | None = None, seat: int | None = None, lang: str = "en"
) -> StepAnswer:
    """The state after `step` actions of a deal, by default after the last one; with `seat`, what that seat could know.

    Raises `NotFoundError` where the table has no such deal, step or seat.
    """
    before: ReplayStep | None = None
    last: ReplayStep | None = None
    for one in replay_steps(fold, number, seat):
        before, last = last, one
        if one.step == step:
            break
    assert last is not None, "every deal has a state before it started"
    if step is not None and last.step != step:
        raise no_such_step(number, step, 0, last.step)
    found = [] if last.version is None else deal_findings(fold, fold.deal(number), lang)
    return StepAnswer(
        **fields_of(replay_answer(table, number, last)),
        version=last.version,
        event=last.event,
        findings=[finding for finding in found if finding.version == last.version],
        legal_before={} if before is None else as_json(before.view.legal, before.view.turn),
    )


def fields_of(answer: ReplayAnswer) -> dict[str, Any]:
    """The fields of a state by name, to be told with others."""
    return structs.asdict(answer)
