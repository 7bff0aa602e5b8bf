"""Gathers the facts of a session from the log and its read model, both as of the same entry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ledger.events import Corrected, SessionClosed
from ledger.games import game_named
from ledger.history import History, report_questions
from ledger.log.base import LogStore
from ledger.reports.facts import Overall, RulingOnDeal, SessionReport, SheetRow, Standing, TableReport
from ledger.reports.notable import notable_deals
from ledger.streams import SESSION, TABLE
from ledger.table.amendments import Amended
from ledger.table.answers import DealScore
from ledger.table.audit import audit_answer
from ledger.table.corrections import Correction, corrected_reading, corrections_in_force
from ledger.table.disputes import disputes_of
from ledger.table.fold import DealRecord, TableFold
from ledger.table.repository import ReadAs, fold_table, no_session, opening_of, session_entries
from ledger.table.score import score_answer, substitutes_points, why_unscorable
from ledger.table.two_readings import correction_seen


def session_report(
    store: LogStore, history: History, session: str, names: Mapping[str, str], lang: str = "en"
) -> SessionReport:
    """The report of a session as of the entry that `history` is level with; `names`: what to show for players.

    Raises `NotFoundError` for a session that neither was opened nor has a table.
    """
    slug, until = SESSION.slug(session), history.head.position
    found = history.answer_to(report_questions()["session-tables"], {"session": slug})
    tables = [str(name) for (name,) in found.answer.rows]
    entries = session_entries(store, slug, until)
    if not tables and not entries:
        raise no_session(store, slug)
    reading = corrected_reading(entries)
    opened = opening_of(reading)
    folds = {table: fold_table(store, table, ReadAs(until=until, names=names)) for table in tables}
    reports = [_table(store, table, fold, until, lang) for table, fold in folds.items()]
    standings = _standings(history, slug, names)
    notable, unshown = notable_deals([(report, folds[report.table]) for report in reports], lang)
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


def _overall(history: History, session: str, standings: Sequence[Standing], names: Mapping[str, str]) -> Overall | None:
    """Points of different games are never added up: of several games, table points tell who is first."""
    if len({one.game for one in standings}) == 1:
        measure, known = "points", [(one.place, one.player, one.points) for one in standings]
    else:
        rows = history.statistic("table-points", {"session": session}).answer.objects()
        measure = "table_points"
        known = [(row["place"], names.get(row["player"], row["player"]), row["table_points"]) for row in rows]
    first = [one for one in known if one[0] == 1]
    if len(first) == len(known):
        return None
    return Overall(measure=measure, players=[player for _, player, _ in first], points=first[0][2])


def _standings(history: History, session: str, names: Mapping[str, str]) -> list[Standing]:
    rows = history.statistic("standings", {"session": session}).answer.objects()
    return [
        Standing(
            game=game_named(row["game"]).title,
            place=row["place"],
            player=names.get(row["player"], row["player"]),
            points=row["points"],
            deals=row["deals"],
            tables=row["tables"],
        )
        for row in rows
    ]


def _table(store: LogStore, table: str, fold: TableFold, until: int, lang: str) -> TableReport:
    score = score_answer(table, fold, lang)
    last = store.read_stream(TABLE.stream(table), until_position=until)[-1]
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
        findings=[found for found in audit_answer(table, fold, lang).findings if found.severity != "info"],
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
        struck=Amended(fold).struck(),
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
