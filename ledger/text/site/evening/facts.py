"""What the page of an evening says of each table, without its fold: an evening may have hundreds of tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from msgspec import Struct

from ledger.recording.sessions import SessionState
from ledger.reports.facts import TableReport
from ledger.reports.later_changes import LaterChange
from ledger.reports.rankings import Ranking
from ledger.reports.session_report import NotableRows, notable_rows
from ledger.table.fold import TableFold
from ledger.table.score import points_by_player
from ledger.text.cards import signed_amount
from ledger.text.catalogue import label, title_of, written_wording_for
from ledger.text.score import missing_text
from ledger.text.site.catalogue import as_sentence, say, short_table_title
from ledger.text.site.evening.items import Item, address_of_moment, place_of
from ledger.text.site.replay.table_page import is_being_played
from ledger.text.site.rulebook import rule_of

FINDINGS_SHOWN: Final = 8


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


class TableFacts(Struct, frozen=True, kw_only=True):
    """A table of the evening. `position`: of its last entry in the log. `finished`: its deals with a score.

    `moments`: deal number and address of each notable deal, by place in the sheet. `disputes`: the open ones, by
    version. `uncounted`: the deals that are over and not counted. `findings`: the first ones; `findings_count`: of
    all. `news`: the last result; None before the first one.
    """

    table: str
    row: TableRow
    position: int
    finished: int
    notable: NotableRows
    moments: Mapping[int, tuple[int, str]]
    disputes: Mapping[int, Item]
    uncounted: Sequence[Item]
    findings: Sequence[Item]
    findings_count: int
    news: Item | None


class EveningFacts(Struct, frozen=True, kw_only=True):
    """What is known of an evening. `rankings`: the usual one first; `damaged`: tables that cannot be read; `changes`:
    those after it was closed, with the fold of their table; `may_rule`: the reader is a director, whom open questions
    lead to a ruling.
    """

    session: str
    state: SessionState
    rankings: Sequence[Ranking]
    tables: Sequence[TableFacts]
    damaged: Sequence[str] = ()
    changes: Sequence[tuple[LaterChange, TableFold]] = ()
    may_rule: bool = False

    @property
    def title(self) -> str:
        """The title, or the name in the record."""
        return self.state.title or self.session

    @property
    def finished(self) -> int:
        """The number of deals with a score."""
        return sum(one.finished for one in self.tables)


def table_facts(
    session: str, report: TableReport, fold: TableFold, position: int, hidden_from: int | None, lang: str
) -> TableFacts:
    """Return what the page says of a table.

    `position`: of its last entry. `hidden_from`: the first deal whose hands are not shown; None if there is none.
    """
    notable = notable_rows(report, fold)
    finished = sum(row.score.status == "complete" for row in report.sheet)
    return TableFacts(
        table=report.table,
        row=_row(session, report, fold, finished, lang),
        position=position,
        finished=finished,
        notable=notable,
        moments={
            place: (report.sheet[place].score.deal, _notable_address(report, fold, report.sheet[place].score.deal))
            for place in {*notable.reasons, *(place for _, place, _ in notable.swings)}
        },
        disputes=_disputes(session, report, fold, lang),
        uncounted=list(_uncounted(session, report, fold, hidden_from, lang)),
        findings=list(islice(_findings(session, report, fold, lang), FINDINGS_SHOWN)),
        findings_count=len(report.findings),
        news=_news(session, report, fold, lang),
    )


def _row(session: str, report: TableReport, fold: TableFold, finished: int, lang: str) -> TableRow:
    points = points_by_player(fold)
    by_place = sorted(points, key=lambda player: -player.points)
    return TableRow(
        title=short_table_title(report.table, session, lang),
        address=f"/t/{report.table}",
        game=title_of(fold.game, lang),
        placings=[
            Placing(1 + sum(other.points > player.points for other in points), player.player, player.points)
            for player in by_place
        ],
        deals=finished,
        state=_state(fold, lang),
        is_open=not fold.is_closed,
    )


def _state(fold: TableFold, lang: str) -> str:
    if fold.is_closed:
        return ""
    if fold.deals and is_being_played(fold, fold.deals[-1]):
        return say(lang, "evening.playing", deal=fold.deals[-1].number)
    return say(lang, "evening.open")


def _notable_address(report: TableReport, fold: TableFold, deal: int) -> str:
    faults = [finding.version for finding in report.findings if finding.deal == deal and finding.severity == "error"]
    return address_of_moment(fold, report.table, deal, *faults)


def _disputes(session: str, report: TableReport, fold: TableFold, lang: str) -> dict[int, Item]:
    return {
        one.version: Item(
            where=place_of(session, report.table, one.deal, lang),
            address=address_of_moment(fold, report.table, one.deal, *(() if one.about is None else (one.about,))),
            text=one.text,
            stamp=say(lang, "replay.dispute"),
        )
        for one in report.disputes
        if one.state == "open"
    }


def _uncounted(
    session: str, report: TableReport, fold: TableFold, hidden_from: int | None, lang: str
) -> Iterator[Item]:
    """Yield the deals that are over and not counted, with the reason in a word and in a sentence."""
    wording = written_wording_for(fold.game, lang, fold.pack)
    for row in report.sheet:
        deal = row.score.deal
        if row.unscorable is not None:
            stamp, why = say(lang, "evening.no_score"), as_sentence(lang, missing_text(row.unscorable, wording))
        elif hidden_from is not None and deal >= hidden_from and row.score.status == "complete":
            stamp, why = say(lang, "evening.uncounted"), say(lang, "evening.not_counted")
        else:
            continue
        where, address = place_of(session, report.table, deal, lang), address_of_moment(fold, report.table, deal)
        yield Item(where=where, address=address, text=why, stamp=stamp)


def _findings(session: str, report: TableReport, fold: TableFold, lang: str) -> Iterator[Item]:
    for finding in report.findings:
        yield Item(
            where=place_of(session, report.table, finding.deal, lang),
            address=address_of_moment(fold, report.table, finding.deal, finding.version),
            text=as_sentence(lang, finding.message),
            rule=rule_of(fold.game, finding.rule, lang),
        )


def _news(session: str, report: TableReport, fold: TableFold, lang: str) -> Item | None:
    row = next((row for row in reversed(report.sheet) if row.score.status == "complete"), None)
    if row is None:
        return None
    by_amount = sorted(zip(row.players, row.score.deltas, strict=True), key=lambda of: -of[1])
    amounts = [f"{player} {signed_amount(amount)}" for player, amount in by_amount if amount]
    return Item(
        where=place_of(session, report.table, row.score.deal, lang),
        address=address_of_moment(fold, report.table, row.score.deal),
        text=label(lang, "list").join(amounts) or say(lang, "evening.nothing_moved"),
    )
