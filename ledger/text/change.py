"""What a correction or a ruling changes, as its author checks it: score before and after, findings, what is stale."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ledger.recording.adding import Addition
from ledger.table.comparison import Comparison, DealChange
from ledger.text.audit import finding_text
from ledger.text.cards import amount_text
from ledger.text.score import score_cells, score_table

if TYPE_CHECKING:
    from rich.table import Table


def change_table(change: Comparison, players: Sequence[str], has_pool: bool) -> Table:
    """Each deal that is shown, then the totals, before and after."""
    shown = score_table("", players, has_pool)
    for deal in change.deals:
        for word, score in (("before", deal.before), ("after", deal.after)):
            cells = _no_deal(len(players), has_pool) if score is None else score_cells(score, has_pool)
            shown.add_row(f"deal {deal.deal} {word}", *cells)
    for word, totals in (("before", change.totals_before), ("after", change.totals_after)):
        shown.add_row(f"total {word}", *map(amount_text, totals))
    return shown


def _no_deal(seats: int, has_pool: bool) -> list[str]:
    return ["–"] * seats + [""] * has_pool + ["no such deal"]


def change_words(change: Comparison) -> Iterator[str]:
    """The findings that go and come, and the decisions that rest on what was read before."""
    for deal in change.deals:
        for word, findings in (("no longer", deal.gone), ("new", deal.new)):
            for found in findings:
                yield f"{word:<9} {finding_text(found)}"
        yield from _stale(deal)


def _stale(deal: DealChange) -> Iterator[str]:
    """What is stale now and was not before."""
    if deal.after is None:
        return
    known = set() if deal.before is None else {ruling.version for ruling in deal.before.rulings if ruling.stale}
    for ruling in deal.after.rulings:
        if ruling.stale and ruling.version not in known:
            what = f"the ruling of entry {ruling.version} ({ruling.kind}: {ruling.text})"
            yield f"stale     {what} rests on what was read before"
    was_stale = deal.before is not None and deal.before.claimed is not None and deal.before.claimed.stale
    if deal.after.claimed is not None and deal.after.claimed.stale and not was_stale:
        what = f"the score sheet of deal {deal.deal}, entry {deal.after.claimed.version},"
        yield f"stale     {what} rests on what was read before"


def receipt_words(answer: Addition) -> str:
    """Where it stands now."""
    if answer.position is None:
        return f"Nothing was recorded; it would be entry {answer.version} of {answer.table}."
    when = "Recorded before" if answer.already_recorded else "Recorded"
    return f"{when} as entry {answer.version} of {answer.table}, position {answer.position} of the ledger."
