"""The score sheet that explains itself: every payment with its rule, the totals, and what cannot be scored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct, structs

from ledger.events import Event
from ledger.games.kernel.settlement import Account
from ledger.table.answers import DealScore, Line, Ruling, ScoreAnswer
from ledger.table.fold import DealRecord, TableFold, without_rulings
from ledger.table.score import Unscorable, substitutes_points, unscorable_after, why_unscorable
from ledger.text.cards import amount_text, amounts_text, points_text
from ledger.text.catalogue import Wording, label, title_of, wording_for
from ledger.text.disputes import Amendments, stale_text
from ledger.text.events import continued
from ledger.text.layout import Part, flush_right, padded, table_headed, width_of

if TYPE_CHECKING:
    from rich.table import Table


def unscorable_text(fold: TableFold, record: DealRecord, wording: Wording) -> str | None:
    """Return what is missing and which kinds of ruling can settle it; None for a deal with a score, or without
    one yet.
    """
    why = why_unscorable(fold, record, wording.lang)
    return None if why is None else missing_text(why, wording)


def unscorable_line(fold: TableFold, record: DealRecord, wording: Wording) -> str | None:
    """Return what is missing, with the deal before it; None as for `unscorable_text`."""
    missing = unscorable_text(fold, record, wording)
    if missing is None:
        return None
    return wording.say("unscorable.deal", status=wording.word(record.status), deal=record.number, missing=missing)


def cost_text(fold: TableFold, events: Sequence[Event], wording: Wording) -> str:
    """Return a warning that the last deal will have no score after these events; empty if it may have one."""
    why = unscorable_after(fold, events, wording.lang)
    return "" if why is None else wording.say("unscorable.cost", missing=wording.clauses(_missing(why, wording)))


def missing_text(why: Unscorable, wording: Wording) -> str:
    """Return what is missing and which kinds of ruling can settle it."""
    if not why.kinds:
        return wording.say("unscorable.after_match")
    kinds = wording.listed(wording.known("unscorable", kind) for kind in why.kinds)
    return wording.say("unscorable.line", missing=wording.clauses(_missing(why, wording)), kinds=kinds)


def _missing(why: Unscorable, wording: Wording) -> Iterator[str]:
    for finding in why.fatal:
        yield wording.say("unscorable.fatal", code=finding.code, version=finding.version)
    if why.is_unfinished:
        yield wording.say("unscorable.unfinished")
    yield from why.untold
    if not (why.fatal or why.is_unfinished or why.untold):
        yield wording.say("unscorable.facts")


_RULE_COLUMNS: Final = 9
_BOARD: Final = "board"


def score_text(
    answer: ScoreAnswer, fold: TableFold, lang: str, tz: str | None = None, *, deal: int | None = None
) -> Iterator[Part]:
    """Yield the whole answer: the table, every payment with its rule, the sheet, and the state of the match.

    `deal`: the only deal of the answer; then totals, closing and match are left out. Times of corrected rulings are in
    `tz`, by default in the machine's zone.
    """
    wording = wording_for(fold.game, lang, fold.pack)
    yield f"{answer.table} · {title_of(fold.game, lang)} · {wording.listed(answer.players)}\n"
    records = fold.deals if deal is None else [fold.deal(deal)]
    seated = [record.players for record in records]
    missing = [unscorable_text(fold, record, wording) for record in records]
    if deal is not None:
        answer = structs.replace(answer, closing=None, players=seated[0])
    amendments = Amendments(wording, fold.signed, (tz,))
    yield from map(continued, map(wording.cards, explanation(answer, seated, missing, amendments)))
    if deal is not None:
        yield sheet(answer, seated, wording, has_totals=False)
        return
    has_rulings = any(one.rulings for one in answer.deals)
    unruled = without_rulings(fold).match.totals if has_rulings else None
    points = substitutes_points(fold)
    yield sheet(answer, seated, wording, unruled, has_totals=is_counted(answer), is_by_seat=bool(points))
    if points:
        yield "\n" + wording.say("score.by_player", amounts=points_text(points, lang))
    yield f"\n{closing_words(answer, lang)}\n"


def explanation(
    answer: ScoreAnswer, seated: Sequence[Sequence[str]], missing: Sequence[str | None], amendments: Amendments
) -> Iterator[str]:
    """Yield every deal with its payments, line by line.

    `seated`: the players by deal; `missing`: what each unscorable deal lacks.
    """
    for deal, players, lacks in zip(answer.deals, seated, missing, strict=True):
        yield from _deal(deal, players, lacks, amendments)
        yield ""
    if answer.closing is not None:
        yield amendments.wording.say("score.closing")
        yield from payment_lines(answer.closing.lines, answer.players, amendments.wording.lang)
        yield ""


def sheet(
    answer: ScoreAnswer,
    seated: Sequence[Sequence[str]],
    wording: Wording,
    unruled: Sequence[int] | None = None,
    *,
    has_totals: bool,
    is_by_seat: bool = False,
) -> Table:
    """Return the sheet as clubs write it: a row per deal, a column per seat, the totals below.

    A column has the name of its first player; a later player's name is in the row before that deal. `unruled`: the
    totals by the rules alone, shown above those with rulings. `is_by_seat`: name the totals as those of seats, because
    several players made them.
    """
    say = wording.say
    has_pool = "pool" in answer.state
    empty, pool = ([""], [str(answer.state["pool"])]) if has_pool else ([], [])
    sitting = seated[0] if seated else answer.players
    shown = score_table(say("score.deal"), sitting, has_pool, wording.lang)
    for deal, players in zip(answer.deals, seated, strict=True):
        if players != sitting:
            shown.add_row("", *_newcomers(sitting, players), *empty, say("score.from_deal", deal=deal.deal))
            sitting = players
        shown.add_row(str(deal.deal), *score_cells(deal, has_pool, wording))
    if answer.players != sitting:
        shown.add_row("", *_newcomers(sitting, answer.players), *empty, say("score.from_now"))
    adjustments = [
        ruling for deal in answer.deals for ruling in deal.rulings if ruling.kind == "adjust" and ruling.deltas
    ]
    for ruling in adjustments:
        shown.add_row(say("score.ruling"), *map(amount_text, ruling.deltas or ()), *empty, ruling.text)
    if answer.closing is not None:
        amounts = map(amount_text, answer.closing.deltas)
        shown.add_row(say("score.closing"), *amounts, *pool, say("score.end_of_match"))
    if unruled is not None:
        shown.add_row(say("score.without_rulings"), *map(amount_text, unruled))
    if has_totals:
        shown.add_row(
            say("score.seat_total" if is_by_seat else "score.total"), *map(amount_text, answer.totals), *pool, ""
        )
    return shown


def is_counted(answer: ScoreAnswer) -> bool:
    """Return whether anything was counted; a table without deals, or at its first one, has nothing to add up."""
    return any(deal.status != "open" for deal in answer.deals) or any(answer.totals)


def score_table(first: str, players: Sequence[str], has_pool: bool, lang: str) -> Table:
    """Return an empty table: a column for the row's name, one per seat, one for the pool if there is one, and
    remarks.
    """
    return table_headed(first, *players, *([label(lang, "pool")] if has_pool else []), "")


def score_cells(score: DealScore, has_pool: bool, wording: Wording) -> list[str]:
    """Return a deal's cells for such a table, without the first column."""
    pool = [str(score.pool_after)] if has_pool else []
    return [*map(amount_text, score.deltas), *pool, result_text(score, wording)]


def result_text(score: DealScore, wording: Wording) -> str:
    """Return a deal's result, or its status if it has none."""
    result = score.outcome.get("result")
    return wording.word(str(result)) if result else wording.word(score.status)


def _newcomers(before: Sequence[str], after: Sequence[str]) -> list[str]:
    return [name if name != former else "" for former, name in zip(before, after, strict=True)]


def closing_words(answer: ScoreAnswer, lang: str) -> str:
    """Return who won, or that the match goes on."""
    if not answer.match.over:
        return label(lang, "score.goes_on")
    names = label(lang, "and").join(answer.players[seat] for seat in answer.match.winners)
    return label(lang, "score.over", names=names) if names else label(lang, "score.over_without_winner")


def _deal(deal: DealScore, players: Sequence[str], missing: str | None, amendments: Amendments) -> Iterator[str]:
    wording = amendments.wording
    result = result_text(deal, wording)
    yield wording.say("score.deal_head", deal=deal.deal, dealer=players[deal.dealer], result=result)
    if missing is not None:
        yield f"  {missing}"
    yield from payment_lines(deal.lines, players, wording.lang)
    for ruling in deal.rulings:
        yield _ruling(ruling, players, wording)
        yield from (f"    {line}" for line in amendments.corrected(ruling.corrected_by, players))
    yield from (f"  {line}" for line in amendments.struck(deal.struck, players))
    if deal.claimed is not None and deal.claimed.stale:
        stale = stale_text(deal.claimed.stale, wording.lang)
        yield "  " + wording.say("score.sheet", version=deal.claimed.version, stale=stale)


class Payment(Struct, frozen=True):
    """A payment in words: its rule, its parties (names, the pool), the amount, and the reason."""

    rule: str | None
    source: str
    target: str
    amount: int
    text: str


def payments_of(lines: Sequence[Line], players: Sequence[str], lang: str) -> Iterator[Payment]:
    """Yield the payments in words; the lines of a team's seats are one payment."""
    for _, same in groupby(lines, _of_whom):
        of_team = list(same)
        line = of_team[0]
        source = _names([one.source for one in of_team], players, lang)
        target = _names([one.target for one in of_team], players, lang)
        yield Payment(line.rule, source, target, line.amount, line.text)


def _of_whom(line: Line) -> Any:
    """Return a key that the lines of a team share; any other line has its own."""
    if _BOARD not in (line.source, line.target):
        return id(line)
    return line.rule, line.amount, line.text, line.source == _BOARD


def _names(places: Sequence[Account], players: Sequence[str], lang: str) -> str:
    seats = [players[place] for place in places if isinstance(place, int)]
    return label(lang, "together").join(seats) if seats else label(lang, f"place.{places[0]}")


def payment_lines(lines: Sequence[Line], players: Sequence[str], lang: str) -> Iterator[str]:
    """Yield the payments as aligned lines."""
    payments = list(payments_of(lines, players, lang))
    shown = (name for one in payments for name in (one.source, one.target))
    width = width_of([label(lang, "pool"), *players, *shown])
    for one in payments:
        rule = padded(one.rule or label(lang, "score.ruling"), _RULE_COLUMNS)
        yield f"  {rule} {flush_right(one.source, width)} → {padded(one.target, width)} {one.amount:>4}   {one.text}"


def _ruling(ruling: Ruling, players: Sequence[str], wording: Wording) -> str:
    lang = wording.lang
    overruled = "" if ruling.in_force else label(lang, "score.overruled")
    moved = ""
    if ruling.deltas is not None:
        moved = label(lang, "score.moved", amounts=amounts_text(ruling.deltas, players, lang))
    head = label(
        lang,
        "score.ruling_line",
        kind=wording.word(ruling.kind),
        state=overruled + stale_text(ruling.stale, lang),
        moved=moved,
    )
    return f"  {head}   {ruling.text}"
