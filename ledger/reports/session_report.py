"""Collection of a session's facts from the log and its read model, and selection of its notable deals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from msgspec import Struct

from ledger.events import CardsExchanged, Corrected, SessionClosed
from ledger.games import game_named
from ledger.games.kernel.views import DealView
from ledger.history import Filters, History, report_queries
from ledger.log import MemoryStore
from ledger.log.append_rules import timestamp
from ledger.log.base import LogStore, Row
from ledger.reports.facts import (
    NotableDeal,
    Overall,
    Reason,
    RulingOnDeal,
    SessionReport,
    SheetRow,
    StandingsRow,
    TableReport,
)
from ledger.streams import SESSION, TABLE
from ledger.table.amendments import DirectorCorrections
from ledger.table.answers import DealScore, Finding
from ledger.table.audit import audit_answer
from ledger.table.corrections import Correction, corrected_reading, corrections_in_force
from ledger.table.disputes import disputes_of
from ledger.table.fold import DealRecord, TableFold
from ledger.table.repository import ReadAs, fold_table, no_session, opening_of, session_entries
from ledger.table.score import score_answer, substitutes_points, why_unscorable
from ledger.table.steps import events_of, replay_steps, view_when_dealt
from ledger.table.two_readings import correction_seen, corrections_by_deal


def session_report(
    store: LogStore, history: History, session: str, names: Mapping[str, str], lang: str = "en"
) -> SessionReport:
    """Collect the report of a session as of the read model's last entry.

    `names`: names to show, by the players' names in the record. Raise `NotFoundError` for a session that was not opened
    and has no table.
    """
    slug, until = SESSION.slug(session), history.head.position
    result = history.answer_to(report_queries()["session-tables"], Filters(session=slug))
    tables = [str(name) for (name,) in result.answer.rows]
    entries = session_entries(store, slug, until)
    if not tables and not entries:
        raise no_session(store, slug)
    reading = corrected_reading(entries)
    opened = opening_of(reading)
    folds = {table: fold_table(store, table, ReadAs(until=until, names=names)) for table in tables}
    reports = [table_report(store, table, fold, until, lang) for table, fold in folds.items()]
    standings = _standings(history, slug, names)
    chosen, unshown = choose_notable([notable_rows(report, folds[report.table]) for report in reports])
    notable = [
        _deal(report, folds[report.table], report.sheet[place], reasons)
        for table, place, reasons in chosen
        for report in [reports[table]]
    ]
    return SessionReport(
        session=slug,
        title=slug if opened is None else opened.title,
        date=None if opened is None else str(opened.date),
        club=None if opened is None else opened.club,
        place=None if opened is None else opened.place,
        zone=None if opened is None else opened.zone,
        is_closed=any(isinstance(event, SessionClosed) for _, event in reading),
        standings=standings,
        overall=_overall(history, slug, standings, names),
        tables=reports,
        notable=notable,
        unshown=unshown,
        position=history.head.position,
        digest=history.head.digest,
    )


def entries_of_lake(history: History, session: str) -> MemoryStore:
    """Return the streams that the report of a session reads, from a lake. Only last entries have their digests."""
    rows = history.answer_to(report_queries()["session-entries"], Filters(session=session)).answer.rows
    return MemoryStore.of_rows(
        Row(position, stream, version, "", _moment(recorded_at), recorded_by, happened_at, event.encode(), digest)
        for position, stream, version, recorded_by, recorded_at, happened_at, event, last_digest in rows
        for digest in [bytes.fromhex(last_digest or "")]
    )


def _moment(stored: datetime) -> str:
    return timestamp(stored.replace(tzinfo=UTC))


def _overall(
    history: History, session: str, standings: Sequence[StandingsRow], names: Mapping[str, str]
) -> Overall | None:
    """Return the leaders by points of the only game, or by table points, as points of different games never add up."""
    if len({one.game for one in standings}) == 1:
        measure, known = "points", [(one.place, one.player, one.points) for one in standings]
    else:
        rows = history.statistic("table-points", Filters(session=session)).answer.objects()
        measure = "table_points"
        known = [(row["place"], names.get(row["player"], row["player"]), row["table_points"]) for row in rows]
    first = [one for one in known if one[0] == 1]
    if len(first) == len(known):
        return None
    return Overall(measure=measure, players=[player for _, player, _ in first], points=first[0][2])


def _standings(history: History, session: str, names: Mapping[str, str]) -> list[StandingsRow]:
    rows = history.statistic("standings", Filters(session=session)).answer.objects()
    return [
        StandingsRow(
            game=game_named(row["game"]).title,
            place=row["place"],
            player=names.get(row["player"], row["player"]),
            points=row["points"],
            deals=row["deals"],
            tables=row["tables"],
        )
        for row in rows
    ]


def table_report(store: LogStore, table: str, fold: TableFold, until: int | None, lang: str) -> TableReport:
    """Return the facts about one table as of a log position, by default the last one."""
    score = score_answer(table, fold, lang)
    last = store.read_stream(TABLE.stream(table), fold.recorded[-1][0] - 1, until)[-1]
    sheet = [_row(fold, record, deal, lang) for record, deal in zip(fold.deals, score.deals, strict=True)]
    return TableReport(
        table=table,
        game=fold.game.title,
        pack=fold.pack,
        players=score.players,
        sheet=sheet,
        closing=score.closing,
        totals=score.totals,
        points=substitutes_points(fold),
        has_pool=any(deal.pool_after or deal.pool_before for deal in score.deals),
        findings=[finding for finding in audit_answer(table, fold, lang).findings if finding.severity != "info"],
        disputes=disputes_of(fold),
        rulings=[
            RulingOnDeal(deal=row.score.deal, players=row.players, ruling=ruling)
            for row in sheet
            for ruling in row.score.rulings
        ],
        corrections=[
            correction_seen(fold, Correction(version, event))
            for version, event in fold.recorded
            if isinstance(event, Corrected)
        ],
        in_force=frozenset(one.version for one in corrections_in_force(fold.recorded).values()),
        struck=DirectorCorrections(fold).struck(),
        last_position=last.position,
        last_digest=last.digest.hex(),
    )


def _row(fold: TableFold, record: DealRecord, score: DealScore, lang: str) -> SheetRow:
    is_scored = score.status == "complete" and record.outcome is not None
    return SheetRow(
        score=score,
        players=record.players,
        last=record.machine.view(),
        result=fold.game.summarise(record.outcome).result if is_scored else None,
        unscorable=why_unscorable(fold, record, lang),
        totals=record.totals_after,
    )


SHOWN_MAX: Final = 8
"""Limit that keeps a report readable."""

SWINGS_SHOWN: Final = 2


class Notable(NamedTuple):
    """A notable deal: the number of its table in a list, its place in the sheet there, and the reasons."""

    table: int
    place: int
    reasons: Sequence[Reason]


class NotableRows(Struct, frozen=True):
    """What is notable at one table. `reasons`: by place in the sheet, of each deal that has some. `swings`: the deals
    with the greatest differences between two seats, with their places and reasons, the greatest first.
    """

    reasons: Mapping[int, Sequence[Reason]]
    swings: Sequence[tuple[int, int, Reason]]


def notable_rows(report: TableReport, fold: TableFold) -> NotableRows:
    """Return what is notable at one table."""
    corrected, sheet = corrections_by_deal(fold), report.sheet
    reasons = {
        place: of_deal
        for place, row in enumerate(sheet)
        if (of_deal := list(_reasons(report, row, is_corrected=row.score.deal in corrected)))
    }
    swings = sorted(((_swing(row), place) for place, row in enumerate(sheet) if _swing(row)), key=lambda one: -one[0])
    shown = [(size, place, _swing_reason(sheet[place], size)) for size, place in swings[:SWINGS_SHOWN]]
    return NotableRows(reasons, shown)


def choose_notable(tables: Sequence[NotableRows]) -> tuple[list[Notable], int]:
    """Return the most notable deals in the order of the tables, and the number of those left out."""
    swings = [(size, number, place, reason) for number, one in enumerate(tables) for size, place, reason in one.swings]
    swings = sorted(swings, key=lambda swing: -swing[0])[:SWINGS_SHOWN]
    candidates: list[Notable] = []
    for number, one in enumerate(tables):
        reasons = dict(one.reasons)
        for _, swung, place, reason in swings:
            if swung == number:
                reasons[place] = [*reasons.get(place, ()), reason]
        candidates += [Notable(number, place, reasons[place]) for place in sorted(reasons)]
    by_weight = sorted(range(len(candidates)), key=lambda place: _WEIGHTS.index(candidates[place].reasons[0].key))
    chosen = sorted(by_weight[:SHOWN_MAX])
    return [candidates[place] for place in chosen], len(candidates) - len(chosen)


_WEIGHTS: Final = ("reason_ruled", "reason_disputed", "reason_found", "reason_corrected", "reason_vole", "reason_swing")
"""Reasons by priority: of too many deals, those with the first reasons are shown."""


def _swing(row: SheetRow) -> int:
    return max(row.score.deltas) - min(row.score.deltas) if row.score.status == "complete" else 0


def _reasons(report: TableReport, row: SheetRow, *, is_corrected: bool) -> Iterator[Reason]:
    """Yield the reasons in the order of `_WEIGHTS`, without the last."""
    deal = row.score.deal
    if row.score.rulings:
        yield Reason(key="reason_ruled", values={"count": len(row.score.rulings)})
    if any(dispute.deal == deal for dispute in report.disputes):
        yield Reason(key="reason_disputed", values={})
    errors = [finding.code for finding in _findings(report, deal) if finding.severity == "error"]
    if errors:
        yield Reason(key="reason_found", values={"codes": list(dict.fromkeys(errors))})
    if is_corrected:
        yield Reason(key="reason_corrected", values={})
    if is_vole(row.score.outcome, row.last):
        yield Reason(key="reason_vole", values={})


def _swing_reason(row: SheetRow, size: int) -> Reason:
    deltas = row.score.deltas
    best, worst = row.players[deltas.index(max(deltas))], row.players[deltas.index(min(deltas))]
    return Reason(key="reason_swing", values={"points": size, "best": best, "worst": worst})


def is_vole(outcome: dict[str, Any], last: DealView) -> bool:
    """Return whether a vole was at stake by the outcome, or one of two sides took all tricks of a complete deal."""
    words = str(outcome.get("result") or "").lower()
    if "vole" in words or "all_tricks" in words or outcome.get("vole") is not None:
        return True
    tricks = outcome.get("tricks") or []
    is_played_out = bool(last.tricks) and not any(last.hands)
    return len(tricks) == 2 and 0 in tricks and is_played_out and sum(tricks) == len(last.tricks)


def _findings(report: TableReport, deal: int) -> list[Finding]:
    return [finding for finding in report.findings if finding.deal == deal]


def _deal(report: TableReport, fold: TableFold, row: SheetRow, reasons: Sequence[Reason]) -> NotableDeal:
    steps = list(replay_steps(fold, row.score.deal))
    return NotableDeal(
        table=report.table,
        game=report.game,
        pack=report.pack,
        goes_to_the_right=fold.game.goes_to_the_right,
        row=row,
        reasons=list(reasons),
        dealt=view_when_dealt(steps),
        exchanges=events_of(steps, CardsExchanged),
        findings=_findings(report, row.score.deal),
    )
