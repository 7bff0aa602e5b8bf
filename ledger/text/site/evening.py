"""Make the page of an evening: its ranking, its tables, notable deals, open questions, and later corrections."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from ledger.events import Corrected, DirectorEvent
from ledger.recording.sessions import SessionState
from ledger.reports.facts import Reason, TableReport
from ledger.reports.later_changes import LaterChange
from ledger.reports.rankings import Rank, Ranking, choose_ranking
from ledger.reports.session_report import Notable, choose_notable
from ledger.table.corrections import Correction
from ledger.table.fold import TableFold
from ledger.table.score import points_by_player
from ledger.table.two_readings import correction_seen
from ledger.text.cards import signed_amount
from ledger.text.catalogue import Wording, label, title_of, written_wording_for
from ledger.text.deal import correction_values
from ledger.text.score import missing_text
from ledger.text.site.catalogue import as_sentence, capitalised, say, short_table_title
from ledger.text.site.ranking import (
    RankingView,
    followers_text,
    leaders_text,
    moved_places,
    names_text,
    ranking_title,
    ranking_view,
    spoken_points,
)
from ledger.text.site.replay.table_page import is_being_played, step_address_of
from ledger.text.site.replay.viewpoint import Viewpoint
from ledger.text.site.rulebook import CitedRule, rule_of
from ledger.zones import moment_text

_FINDINGS_SHOWN: Final = 8
_NEWS_SHOWN: Final = 4


class TableFacts(Struct, frozen=True):
    """A table of the evening, with its fold and the log position of its last entry."""

    report: TableReport
    fold: TableFold
    position: int


class Placing(Struct, frozen=True):
    """A player at a table, with the place by points there."""

    place: int
    player: str
    points: int


class TableRow(Struct, frozen=True, kw_only=True):
    """A table in compact form. `state`: in words, e.g. the deal being played."""

    title: str
    address: str
    game: str
    placings: Sequence[Placing]
    deals: int
    state: str
    is_open: bool


class Item(Struct, frozen=True, kw_only=True):
    """A line of a list: what happened, with a link to where. `stamp`: its kind; `rule`: the rule that was broken."""

    where: str
    address: str
    text: str
    stamp: str = ""
    rule: CitedRule | None = None


class LaterItem(Struct, frozen=True, kw_only=True):
    """A change after the evening was closed. `effects`: the ranking before and after it, a line a player."""

    when: str
    item: Item
    effects: Sequence[str]


class EveningPage(Struct, frozen=True, kw_only=True):
    """The page of an evening.

    `lead`: how far it is. `ranking`: None before the first result. `sentences`: the result, to be read out.
    `findings_left`: the number of irregularities that are not listed. `news`: the last results of the tables.
    """

    title: str
    about: str
    lead: str
    is_closed: bool
    ranking: RankingView | None
    sentences: Sequence[str]
    tables: Sequence[TableRow]
    notable: Sequence[Item]
    questions: Sequence[Item]
    findings: Sequence[Item]
    findings_left: int
    later: Sequence[LaterItem]
    news: Sequence[Item]


def evening_page_of(
    session: str,
    state: SessionState,
    rankings: Sequence[Ranking],
    rule: str | None,
    tables: Sequence[TableFacts],
    damaged: Sequence[str],
    changes: Sequence[LaterChange],
    lang: str,
) -> EveningPage:
    """Return the page of an evening.

    `rule`: the requested ranking; if there is none of that name, the first. `damaged`: tables that cannot be read.
    """
    chosen = choose_ranking(rankings, rule)
    notable, _ = choose_notable([(one.report, one.fold) for one in tables])
    findings = list(_findings(session, tables, lang))
    title = state.title or session
    questions = [*_questions(session, state, tables, lang)]
    later = list(_later(session, state, rankings, tables, changes, lang))
    return EveningPage(
        title=title,
        about=label(lang, "list").join(filter(None, (state.date, state.club, state.place))),
        lead=_lead(state, tables, lang),
        is_closed=state.closed,
        ranking=None if chosen is None else ranking_view(rankings, chosen, lang),
        sentences=list(_sentences(session, state, rankings, chosen, tables, notable, questions, lang)),
        tables=[
            *(_table_row(session, one, lang) for one in tables),
            *(_damaged_row(session, one, lang) for one in damaged),
        ],
        notable=[_notable_item(session, one, lang) for one in notable],
        questions=questions,
        findings=findings[:_FINDINGS_SHOWN],
        findings_left=max(0, len(findings) - _FINDINGS_SHOWN),
        later=later,
        news=list(_news(session, tables, lang)),
    )


def _finished(one: TableFacts) -> int:
    return sum(row.score.status == "complete" for row in one.report.sheet)


def _lead(state: SessionState, tables: Sequence[TableFacts], lang: str) -> str:
    deals = say(lang, "evening.deals", count=sum(map(_finished, tables)))
    at = say(lang, "evening.tables", count=len(tables))
    is_open = sum(not one.fold.is_closed for one in tables)
    if state.closed:
        return say(lang, "evening.lead_closed", deals=deals, tables=at)
    if not tables:
        return say(lang, "lists.evening_without_tables")
    if not is_open:
        return say(lang, "evening.lead_over", deals=deals, tables=at)
    return say(lang, "evening.lead_open", deals=deals, tables=at, open=say(lang, "evening.still_open", count=is_open))


def _sentences(
    session: str,
    state: SessionState,
    rankings: Sequence[Ranking],
    chosen: Ranking | None,
    tables: Sequence[TableFacts],
    notable: Sequence[Notable],
    questions: Sequence[Item],
    lang: str,
) -> Iterator[str]:
    """Yield the result in a few sentences, as a director reads it out."""
    if chosen is None:
        return
    players = {rank.player for one in rankings for rank in one.rows}
    yield say(
        lang,
        "evening.read_closed" if state.closed else "evening.read_open",
        title=state.title or session,
        players=say(lang, "evening.players", count=len(players)),
        deals=say(lang, "evening.deals", count=sum(map(_finished, tables))),
        tables=say(lang, "evening.tables", count=len(tables)),
    )
    yield leaders_text(chosen, lang, is_over=state.closed)
    if text := followers_text(chosen, lang):
        yield text
    if chosen.game is None and len(rankings) > 2:
        yield capitalised(say(lang, "evening.most_points", games=names_text(list(_by_game(rankings, lang)), lang)))
    if swing := next((one for one in notable if one[3][-1].key == "reason_swing"), None):
        report, _, row, reasons = swing
        reason = label(lang, "session.reason_swing", **_shown(reasons[-1]))
        yield say(
            lang,
            "evening.read_swing",
            deal=row.score.deal,
            table=short_table_title(report.table, session, lang),
            reason=reason,
        )
    if questions:
        yield say(lang, "evening.read_questions", count=len(questions))


def _by_game(rankings: Sequence[Ranking], lang: str) -> Iterator[str]:
    for one in rankings:
        if one.game is not None:
            first: Sequence[Rank] = [rank for rank in one.rows if rank.place == 1]
            players = names_text([rank.player for rank in first], lang)
            points = spoken_points(first[0], lang)
            yield say(lang, "evening.most_points_of", game=ranking_title(one, lang), players=players, points=points)


def _table_row(session: str, one: TableFacts, lang: str) -> TableRow:
    fold, slug = one.fold, one.report.table
    points = points_by_player(fold)
    by_place = sorted(points, key=lambda player: -player.points)
    return TableRow(
        title=short_table_title(slug, session, lang),
        address=f"/t/{slug}",
        game=title_of(fold.game, lang),
        placings=[
            Placing(1 + sum(other.points > player.points for other in points), player.player, player.points)
            for player in by_place
        ],
        deals=_finished(one),
        state=_state(fold, lang),
        is_open=not fold.is_closed,
    )


def _damaged_row(session: str, table: str, lang: str) -> TableRow:
    return TableRow(
        title=short_table_title(table, session, lang), address=f"/t/{table}", game="", placings=(), deals=0,
        state=say(lang, "lists.damaged"), is_open=False,
    )  # fmt: skip


def _state(fold: TableFold, lang: str) -> str:
    if fold.is_closed:
        return say(lang, "evening.closed")
    if fold.deals and is_being_played(fold, fold.deals[-1]):
        return say(lang, "evening.playing", deal=fold.deals[-1].number)
    return say(lang, "evening.open")


def _where(session: str, table: str, deal: int | None, lang: str) -> str:
    title = short_table_title(table, session, lang)
    return title if deal is None else say(lang, "evening.at_deal", table=title, deal=deal)


def _address(fold: TableFold, table: str, deal: int | None, *versions: int) -> str:
    """Return the address of the moment of these entries, of the deal, or of the table."""
    if deal is None:
        return f"/t/{table}"
    return step_address_of(fold, Viewpoint(table=table, deal=deal), versions)


def _notable_item(session: str, one: Notable, lang: str) -> Item:
    report, fold, row, reasons = one
    deal = row.score.deal
    faults = [finding.version for finding in report.findings if finding.deal == deal and finding.severity == "error"]
    text = label(lang, "clauses").join(label(lang, f"session.{reason.key}", **_shown(reason)) for reason in reasons)
    where = _where(session, report.table, deal, lang)
    return Item(where=where, address=_address(fold, report.table, deal, *faults), text=text)


def _shown(reason: Reason) -> Mapping[str, object]:
    """Return the values of a reason as a sentence shows them."""
    codes = reason.values.get("codes")
    return reason.values if codes is None else {"codes": " ".join(codes)}


def _questions(session: str, state: SessionState, tables: Sequence[TableFacts], lang: str) -> Iterator[Item]:
    """Yield what may still change the result: open disputes, deals without a score, open tables of a closed evening."""
    for one in tables:
        report, fold = one.report, one.fold
        wording = written_wording_for(fold.game, lang, fold.pack)
        for dispute in report.disputes:
            if dispute.state == "open":
                about = () if dispute.about is None else (dispute.about,)
                yield Item(
                    where=_where(session, report.table, dispute.deal, lang),
                    address=_address(fold, report.table, dispute.deal, *about),
                    text=dispute.text,
                    stamp=say(lang, "replay.dispute"),
                )
        for row in report.sheet:
            if row.unscorable is not None:
                yield Item(
                    where=_where(session, report.table, row.score.deal, lang),
                    address=f"/t/{report.table}/{row.score.deal}",
                    text=as_sentence(lang, missing_text(row.unscorable, wording)),
                    stamp=say(lang, "evening.no_score"),
                )
        if state.closed and not fold.is_closed:
            where = _where(session, report.table, None, lang)
            yield Item(where=where, address=f"/t/{report.table}", text=say(lang, "evening.table_open"))


def _findings(session: str, tables: Sequence[TableFacts], lang: str) -> Iterator[Item]:
    for one in tables:
        report, fold = one.report, one.fold
        for finding in report.findings:
            yield Item(
                where=_where(session, report.table, finding.deal, lang),
                address=f"/t/{report.table}" if finding.deal is None else f"/t/{report.table}/{finding.deal}",
                text=as_sentence(lang, finding.message),
                rule=rule_of(fold.game, finding.rule, lang),
            )


def _news(session: str, tables: Sequence[TableFacts], lang: str) -> Iterator[Item]:
    """Yield the last result of the tables that have played last."""
    for one in sorted(tables, key=lambda table: -table.position)[:_NEWS_SHOWN]:
        row = next((row for row in reversed(one.report.sheet) if row.score.status == "complete"), None)
        if row is None:
            continue
        amounts = [
            f"{player} {signed_amount(amount)}"
            for player, amount in sorted(zip(row.players, row.score.deltas, strict=True), key=lambda of: -of[1])
            if amount
        ]
        where = _where(session, one.report.table, row.score.deal, lang)
        text = label(lang, "list").join(amounts) or say(lang, "evening.nothing_moved")
        yield Item(where=where, address=f"/t/{one.report.table}/{row.score.deal}", text=text)


def _later(
    session: str,
    state: SessionState,
    rankings: Sequence[Ranking],
    tables: Sequence[TableFacts],
    changes: Sequence[LaterChange],
    lang: str,
) -> Iterator[LaterItem]:
    """Yield the later changes, the newest first, each with the ranking of its game before and after it."""
    facts = {one.report.table: one for one in tables}
    totals = {
        one.game: {rank.player: int(rank.points) for rank in one.rows} for one in rankings if one.game is not None
    }
    for change in sorted(changes, key=lambda one: -one.position):
        fold = facts[change.table].fold
        now = {**dict.fromkeys(change.moved, 0), **totals.get(fold.game.name, {})}
        effects = [
            _effect(player, before, after, place, placed, lang)
            for player, before, after, place, placed in moved_places(now, dict(change.moved))
        ]
        totals[fold.game.name] = {player: points - change.moved.get(player, 0) for player, points in now.items()}
        yield LaterItem(
            when=moment_text(change.recorded_at, state.zone),
            item=_change_item(session, change, fold, lang),
            effects=effects,
        )


def _effect(player: str, before: int, after: int, place: int, placed: int, lang: str) -> str:
    if before == after:
        return say(lang, "evening.effect_only_place", player=player, place=place, placed=placed)
    key = "evening.effect" if place == placed else "evening.effect_place"
    amounts = {"before": signed_amount(before), "after": signed_amount(after)}
    return say(lang, key, player=player, place=place, placed=placed, **amounts)


def _change_item(session: str, change: LaterChange, fold: TableFold, lang: str) -> Item:
    event = change.event
    is_correction = isinstance(event, Corrected)
    return Item(
        where=_where(session, change.table, change.deal, lang),
        address=f"/t/{change.table}" if change.deal is None else f"/t/{change.table}/{change.deal}",
        text=_correction_text(change, event, fold, lang) if isinstance(event, Corrected) else event.text,
        stamp=say(lang, "replay.corrected" if is_correction else "replay.ruling"),
    )


def _correction_text(change: LaterChange, event: Corrected, fold: TableFold, lang: str) -> str:
    """Return what a correction changed, with its reason; for a director's entry only the reason."""
    wording = written_wording_for(fold.game, lang, fold.pack)
    seen = correction_seen(fold, Correction(change.version, event))
    if isinstance(seen.written, DirectorEvent):
        return event.reason
    players = next((one.players for one in fold.deals if one.number == change.deal), fold.players)
    return _with_reason(
        label(lang, "case.correction_line", **correction_values(seen, players, wording)), event, wording
    )


def _with_reason(line: str, event: Corrected, wording: Wording) -> str:
    return wording.clauses([line, event.reason]) if event.reason else line
