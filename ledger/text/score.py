"""The score sheet that explains itself: every payment with its rule, then the totals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ledger.table.answers import ClosingScore, DealScore, Line, Ruling, ScoreAnswer
from ledger.table.fold import TableFold, without_rulings
from ledger.text.cards import amount_text, amounts_text
from ledger.text.events import continued
from ledger.text.layout import Part, table_headed

if TYPE_CHECKING:
    from rich.table import Table


def score_text(answer: ScoreAnswer, fold: TableFold) -> Iterator[Part]:
    """The whole answer: whose table it is, every payment with its rule, the sheet, and how the match stands."""
    yield f"{answer.table} · {fold.game.title} · {', '.join(answer.players)}\n"
    seated = [record.players for record in fold.deals]
    yield from map(continued, explanation(answer, seated))
    has_rulings = any(deal.rulings for deal in answer.deals)
    yield sheet(answer, seated, without_rulings(fold).match.totals if has_rulings else None)
    yield f"\n{closing_words(answer)}\n"


def explanation(answer: ScoreAnswer, seated: Sequence[Sequence[str]]) -> Iterator[str]:
    """Every deal with its payments, line by line. `seated`: who sat at the table, deal by deal."""
    for deal, players in zip(answer.deals, seated, strict=True):
        yield from _deal(deal, players)
        yield ""
    if answer.closing is not None:
        yield from _closing(answer.closing, answer.players)
        yield ""


def sheet(answer: ScoreAnswer, seated: Sequence[Sequence[str]], unruled: Sequence[int] | None = None) -> Table:
    """The sheet as clubs write it: a row per deal, a column per seat, the totals below.

    A column is headed by who sat there first; whoever took the seat later stands in the row before the deal.
    `unruled`: the totals by the rules alone, shown above those with the rulings.
    """
    has_pool = "pool" in answer.state
    empty, pool = ([""], [str(answer.state["pool"])]) if has_pool else ([], [])
    sitting = seated[0] if seated else answer.players
    shown = score_table("deal", sitting, has_pool)
    for deal, players in zip(answer.deals, seated, strict=True):
        if players != sitting:
            shown.add_row("", *_newcomers(sitting, players), *empty, f"from deal {deal.deal} on")
            sitting = players
        shown.add_row(str(deal.deal), *score_cells(deal, has_pool))
    if answer.players != sitting:
        shown.add_row("", *_newcomers(sitting, answer.players), *empty, "from now on")
    adjustments = [
        ruling for deal in answer.deals for ruling in deal.rulings if ruling.kind == "adjust" and ruling.deltas
    ]
    for ruling in adjustments:
        shown.add_row("ruling", *map(amount_text, ruling.deltas or ()), *empty, ruling.text)
    if answer.closing is not None:
        shown.add_row("closing", *map(amount_text, answer.closing.deltas), *pool, "the end of the match")
    if unruled is not None:
        shown.add_row("without rulings", *map(amount_text, unruled))
    shown.add_row("total", *map(amount_text, answer.totals), *pool, "")
    return shown


def score_table(first: str, players: Sequence[str], has_pool: bool) -> Table:
    """A table without rows: a column for what a row is, one per seat, one for the pool if there is one, and words."""
    return table_headed(first, *players, *(["pool"] if has_pool else []), "")


def score_cells(score: DealScore, has_pool: bool) -> list[str]:
    """A deal in such a table, behind the first column."""
    return [*map(amount_text, score.deltas), *([str(score.pool_after)] if has_pool else []), result_text(score)]


def result_text(score: DealScore) -> str:
    """What a deal came to; where nothing did, what became of it."""
    return str(score.outcome.get("result") or score.status)


def _newcomers(before: Sequence[str], after: Sequence[str]) -> list[str]:
    return [name if name != former else "" for former, name in zip(before, after, strict=True)]


def closing_words(answer: ScoreAnswer) -> str:
    """Who has won, or that the match goes on."""
    if not answer.match.over:
        return "The match goes on."
    names = " and ".join(answer.players[seat] for seat in answer.match.winners)
    return f"The match is over; first: {names}." if names else "The match is over, without a winner."


def _deal(deal: DealScore, players: Sequence[str]) -> Iterator[str]:
    yield f"deal {deal.deal}, {players[deal.dealer]} deals: {result_text(deal)}"
    for line in deal.lines:
        yield _line(line, players)
    for ruling in deal.rulings:
        yield _ruling(ruling, players)
    if deal.claimed is not None and deal.claimed.stale:
        yield f"  score sheet of entry {deal.claimed.version}{stale_text(deal.claimed.stale)}"


def _closing(closing: ClosingScore, players: Sequence[str]) -> Iterator[str]:
    yield "closing"
    for line in closing.lines:
        yield _line(line, players)


def _line(line: Line, players: Sequence[str]) -> str:
    source, target = payer_and_payee(line, players)
    width = max(len("pool"), *(len(name) for name in players))
    return f"  {line.rule or 'ruling':<9} {source:>{width}} → {target:<{width}} {line.amount:>4}   {line.text}"


def payer_and_payee(line: Line, players: Sequence[str]) -> tuple[str, str]:
    """Between whom a payment passes: names, or the pool."""
    source, target = (place if isinstance(place, str) else players[place] for place in (line.source, line.target))
    return source, target


def _ruling(ruling: Ruling, players: Sequence[str]) -> str:
    overruled = "" if ruling.in_force else " (overruled)"
    overruled += stale_text(ruling.stale)
    moved = ""
    if ruling.deltas is not None:
        moved = f": {amounts_text(ruling.deltas, players)}"
    return f"  ruling {ruling.kind}{overruled}{moved}   {ruling.text}"


def stale_text(corrections: Sequence[int]) -> str:
    """That something rests on entries that were corrected since, and by which entries; empty where it does not."""
    if not corrections:
        return ""
    return f" (stale: the record was corrected since, entry {', '.join(map(str, corrections))})"
