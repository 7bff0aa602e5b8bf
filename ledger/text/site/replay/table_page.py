"""Make the page of a table with its players and totals, and the score of a deal with its rules."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct

from ledger.games.kernel.views import DealView
from ledger.table.answers import ClosingScore, DealScore
from ledger.table.disputes import disputes_of
from ledger.table.fold import DealRecord, TableFold
from ledger.table.hiding import is_over
from ledger.table.repository import TableAsRead
from ledger.table.score import is_substituted, score_answer, seat_titles, substitutes_points
from ledger.table.steps import replay_steps
from ledger.text.cards import signed_amount
from ledger.text.catalogue import Wording, label, title_of, written_wording_for
from ledger.text.disputes import stale_text
from ledger.text.score import Payment as PaymentInWords
from ledger.text.score import closing_words, is_counted, payments_of, result_text, unscorable_text
from ledger.text.site.cards import Preferences
from ledger.text.site.catalogue import say, table_title
from ledger.text.site.replay.viewpoint import Link, Viewpoint
from ledger.text.site.rulebook import CitedRule, rule_of


class PaymentRow(Struct, frozen=True, kw_only=True):
    """A payment of a deal with its rule."""

    rule: CitedRule | None
    between: str
    amount: int
    text: str


class FiguresRow(Struct, frozen=True, kw_only=True):
    """A row of figures by player. `pool`: empty if there is none."""

    name: str
    figures: Sequence[str]
    pool: str = ""


class Score(Struct, frozen=True, kw_only=True):
    """The score of a deal.

    `title`: its result. `payments`: all payments. `rows`: figures by player. `missing`: why there is no score.
    """

    title: str
    players: Sequence[str]
    has_pool: bool
    payments: Sequence[PaymentRow]
    rows: Sequence[FiguresRow]
    missing: str | None = None


def score_of(
    fold: TableFold,
    record: DealRecord,
    score: DealScore,
    closing: ClosingScore | None,
    view: DealView,
    wording: Wording,
) -> Score:
    """Return the score of a deal.

    `closing`: the payments at the end of the match, if this was its last deal. `view`: the deal after its end.
    """
    has_pool = "pool" in fold.match.state()
    payments = [*payments_of(score.lines, record.players, wording.lang)]
    if closing is not None:
        payments += payments_of(closing.lines, fold.players, wording.lang)
    return Score(
        title=result_summary(score, wording),
        players=record.players,
        has_pool=has_pool,
        payments=[_payment(fold, one, wording.lang) for one in payments],
        rows=list(_figures_rows(record, score, view, has_pool, is_substituted(fold), wording)),
        missing=unscorable_text(fold, record, wording),
    )


def result_summary(score: DealScore, wording: Wording) -> str:
    """Return the result of a deal in a few words: contract and result, or the winner, or its status."""
    outcome = score.outcome
    codes = [outcome.get("contract"), outcome.get("result") or outcome.get("winning_side")]
    words = [wording.spoken(str(one)) for one in codes if one]
    return wording.listed(words) if words else result_text(score, wording)


def _payment(fold: TableFold, line: PaymentInWords, lang: str) -> PaymentRow:
    rule = None if line.rule is None else rule_of(fold.game, line.rule, lang)
    between = f"{line.source} →\N{NO-BREAK SPACE}{line.target}"
    return PaymentRow(rule=rule, between=between, amount=line.amount, text=line.text)


def _figures_rows(
    record: DealRecord, score: DealScore, view: DealView, has_pool: bool, is_by_seat: bool, wording: Wording
) -> Iterator[FiguresRow]:
    lang = wording.lang
    yield FiguresRow(name=label(lang, "row.tricks"), figures=[str(count) for count in view.trick_counts])
    if any(view.card_points):
        yield FiguresRow(name=label(lang, "row.points"), figures=[str(points) for points in view.card_points])
    if score.status == "complete":
        yield FiguresRow(name=label(lang, "result"), figures=[signed_amount(amount) for amount in score.deltas])
    claimed = score.claimed
    if claimed is not None and claimed.deltas is not None:
        name = wording.say("score.sheet", version=claimed.version, stale=stale_text(claimed.stale, lang))
        yield FiguresRow(name=name, figures=[signed_amount(amount) for amount in claimed.deltas])
    if record.totals_after:
        yield FiguresRow(
            name=say(lang, "replay.after_seats" if is_by_seat else "replay.after"),
            figures=[signed_amount(amount) for amount in record.totals_after],
            pool=str(score.pool_after) if has_pool else "",
        )


class DealRow(Struct, frozen=True, kw_only=True):
    """A deal on the sheet of a table.

    `moved`: the amounts by player, empty during play. `faults`: the number of irregularities. `first_fault`: the
    address of the first one, empty if there is none. `newcomers`: players who have taken a seat from this deal on.
    """

    deal: Link
    dealer: str
    moved: Sequence[str]
    pool: str
    result: str
    is_open: bool
    faults: int
    first_fault: str
    disputes: int
    newcomers: str


class TablePage(Struct, frozen=True, kw_only=True):
    """The page of a table.

    `options`: options that differ from the rulebook, in words. `watch`: the address of the deal being played. `totals`:
    by seat, empty before anything is counted. `players`: the players of each seat. `points`: points by player in words,
    if somebody was substituted. `session`: the title of the evening. `evening`: the address of its page, empty if the
    reader may not see it.
    """

    table: str
    title: str
    lead: str
    players: Sequence[str]
    totals: Sequence[str]
    points: str
    pool: str
    has_pool: bool
    options: Sequence[tuple[str, str]]
    deals: Sequence[DealRow]
    closing_text: str
    session: str
    evening: str
    watch: str
    record: str
    is_closed: bool


def table_page_of(
    read: TableAsRead, reader: Preferences, *, may_record: bool, sees_evening: bool = False, evening: str | None = None
) -> TablePage:
    """Return the page of a table.

    `may_record`, `sees_evening`: whether the reader may record there and see the whole evening. `evening`: its title.
    """
    fold, lang = read.fold, reader.lang
    session = fold.opened.session
    wording = written_wording_for(fold.game, lang)
    answer = score_answer(read.slug, fold, lang, is_written=True)
    has_pool = "pool" in answer.state
    deals = list(_deals(read, answer.deals, has_pool, wording))
    return TablePage(
        table=read.slug,
        title=table_title(read.slug, session, evening, lang),
        lead=_lead(fold, lang),
        players=seat_titles(fold),
        totals=[signed_amount(total) for total in answer.totals] if is_counted(answer) else (),
        points=label(lang, "list").join(
            f"{one.player} {signed_amount(one.points)}" for one in substitutes_points(fold)
        ),
        pool=str(answer.state["pool"]) if has_pool else "",
        has_pool=has_pool,
        options=[
            (wording.option(name), str(wording.choice(name, chosen))) for name, chosen in fold.opened.options.items()
        ],
        deals=deals,
        closing_text=closing_words(answer, lang) if deals else "",
        session=evening or session or "",
        evening=f"/sessions/{session}" if sees_evening else "",
        watch=next((row.deal.address for row in reversed(deals) if row.is_open), ""),
        record=f"/record/{read.slug}" if may_record and not fold.is_closed else "",
        is_closed=fold.is_closed,
    )


def _lead(fold: TableFold, lang: str) -> str:
    direction = say(lang, "replay.to_the_right" if fold.game.goes_to_the_right else "replay.to_the_left")
    count = len(fold.deals)
    key = "replay.table_lead" if count else "replay.table_empty"
    players = label(lang, "list").join(fold.players)
    return say(lang, key, game=title_of(fold.game, lang), direction=direction, count=count, players=players)


def _deals(read: TableAsRead, scores: Sequence[DealScore], has_pool: bool, wording: Wording) -> Iterator[DealRow]:
    fold, lang = read.fold, wording.lang
    disputed = [dispute.deal for dispute in disputes_of(fold)]
    sitting: Sequence[str] = fold.deals[0].players if fold.deals else ()
    for record, score in zip(fold.deals, scores, strict=True):
        is_open = is_being_played(fold, record)
        newcomers = [name for name, before in zip(record.players, sitting, strict=True) if name != before]
        sitting = record.players
        at = Viewpoint(table=read.slug, deal=record.number)
        faults = [violation for violation in record.violations if violation.severity != "info"]
        yield DealRow(
            deal=Link(say(lang, "replay.deal_number", deal=record.number), at.deal_address(record.number)),
            dealer=record.players[record.dealer],
            moved=["" if record.status == "open" else signed_amount(amount) for amount in score.deltas],
            pool=str(score.pool_after) if has_pool and record.status != "open" else "",
            result=_result(score, is_open, wording),
            is_open=is_open,
            faults=len(faults),
            first_fault=step_address_of(fold, at, {fault.version for fault in faults}) if faults else "",
            disputes=disputed.count(record.number),
            newcomers=label(lang, "list").join(newcomers),
        )


def step_address_of(fold: TableFold, at: Viewpoint, versions: Collection[int]) -> str:
    """Return the address of the first step with one of these entries; of the deal if none belongs to a step."""
    steps = (one.step for one in replay_steps(fold, at.deal) if one.version in versions)
    step = next(steps, None)
    return at.deal_address(at.deal) if step is None else at.step_address(step)


def _result(score: DealScore, is_open: bool, wording: Wording) -> str:
    if is_open:
        return say(wording.lang, "replay.is_open")
    return say(wording.lang, "replay.waits") if score.status == "open" else result_summary(score, wording)


def is_being_played(fold: TableFold, record: DealRecord) -> bool:
    """Return whether the deal goes on, so that its hands are hidden."""
    is_played = record.status == "open" and not is_over(record.machine)
    return is_played and record is fold.deals[-1] and not fold.is_closed
