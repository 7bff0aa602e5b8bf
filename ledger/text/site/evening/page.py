"""Make the page of an evening: its ranking, its tables, notable deals, open questions, and later corrections."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from msgspec import Struct

from ledger.reports.facts import Reason
from ledger.reports.rankings import choose_ranking
from ledger.reports.session_report import Notable, choose_notable
from ledger.table.fold import TableFold
from ledger.table.score import points_by_player
from ledger.text.cards import signed_amount
from ledger.text.catalogue import label, title_of, written_wording_for
from ledger.text.score import missing_text
from ledger.text.site.catalogue import as_sentence, say, short_table_title
from ledger.text.site.evening.changes import LaterItem, later_items
from ledger.text.site.evening.items import EveningFacts, Item, TableFacts, address_of_moment, place_of
from ledger.text.site.evening.ranking import RankingView, ranking_view
from ledger.text.site.evening.read_out import result_sentences
from ledger.text.site.replay.table_page import is_being_played
from ledger.text.site.rulebook import rule_of

_FINDINGS_SHOWN: Final = 8
_NEWS_SHOWN: Final = 4


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


def evening_page_of(facts: EveningFacts, rule: str | None, lang: str) -> EveningPage:
    """Return the page of an evening. `rule`: the requested ranking; if there is none of that name, the usual one."""
    session, state = facts.session, facts.state
    chosen = choose_ranking(facts.rankings, rule)
    notable, _ = choose_notable([one.notable for one in facts.tables])
    questions = list(_questions(facts, lang))
    findings = sum(len(one.report.findings) for one in facts.tables)
    return EveningPage(
        title=facts.title,
        about=label(lang, "list").join(filter(None, (state.date, state.club, state.place))),
        lead=_lead(facts, lang),
        is_closed=state.closed,
        ranking=None if chosen is None else ranking_view(facts.rankings, chosen, lang),
        sentences=[] if chosen is None else list(result_sentences(facts, chosen, notable, len(questions), lang)),
        tables=[
            *(_table_row(session, one, lang) for one in facts.tables),
            *(_damaged_row(session, one, lang) for one in facts.damaged),
        ],
        notable=[_notable_item(session, one, lang) for one in notable],
        questions=questions,
        findings=list(islice(_findings(facts, lang), _FINDINGS_SHOWN)),
        findings_left=max(0, findings - _FINDINGS_SHOWN),
        later=list(later_items(facts, lang)),
        news=list(_news(facts, lang)),
    )


def _lead(facts: EveningFacts, lang: str) -> str:
    tables = facts.tables
    if not tables and not facts.state.closed:
        return say(lang, "lists.evening_without_tables")
    values = {
        "deals": say(lang, "evening.deals", count=facts.finished),
        "tables": say(lang, "evening.tables", count=len(tables)),
    }
    if facts.state.closed:
        return say(lang, "evening.lead_closed", **values)
    if not (open_tables := sum(not one.fold.is_closed for one in tables)):
        return say(lang, "evening.lead_over", **values)
    return say(lang, "evening.lead_open", **values, open=say(lang, "evening.still_open", count=open_tables))


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
        deals=one.finished,
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
        return ""
    if fold.deals and is_being_played(fold, fold.deals[-1]):
        return say(lang, "evening.playing", deal=fold.deals[-1].number)
    return say(lang, "evening.open")


def _notable_item(session: str, one: Notable, lang: str) -> Item:
    report, fold, row, reasons = one
    deal = row.score.deal
    faults = [finding.version for finding in report.findings if finding.deal == deal and finding.severity == "error"]
    text = label(lang, "clauses").join(label(lang, f"session.{reason.key}", **_shown(reason)) for reason in reasons)
    where = place_of(session, report.table, deal, lang)
    return Item(where=where, address=address_of_moment(fold, report.table, deal, *faults), text=text)


def _shown(reason: Reason) -> Mapping[str, object]:
    """Return the values of a reason as a sentence shows them."""
    codes = reason.values.get("codes")
    return reason.values if codes is None else {"codes": " ".join(codes)}


def _questions(facts: EveningFacts, lang: str) -> Iterator[Item]:
    """Yield what may still change the result: open disputes, deals that are not counted, tables left open."""
    for one in facts.tables:
        report, fold, table = one.report, one.fold, one.report.table
        for dispute in report.disputes:
            if dispute.state == "open":
                about = () if dispute.about is None else (dispute.about,)
                moment = address_of_moment(fold, table, dispute.deal, *about)
                yield Item(
                    where=place_of(facts.session, table, dispute.deal, lang),
                    address=f"/t/{table}/disputes/{dispute.version}" if facts.may_rule else moment,
                    text=dispute.text,
                    stamp=say(lang, "replay.dispute"),
                )
        for deal, stamp, why in _uncounted(one, lang):
            where, address = place_of(facts.session, table, deal, lang), address_of_moment(fold, table, deal)
            yield Item(where=where, address=address, text=why, stamp=stamp)
        if facts.state.closed and not fold.is_closed:
            where = place_of(facts.session, table, None, lang)
            yield Item(where=where, address=f"/t/{table}", text=say(lang, "evening.table_open"))


def _uncounted(one: TableFacts, lang: str) -> Iterator[tuple[int, str, str]]:
    """Yield the deals that are over and not counted, with the reason in a word and in a sentence."""
    wording = written_wording_for(one.fold.game, lang, one.fold.pack)
    for row in one.report.sheet:
        if row.unscorable is not None:
            yield (
                row.score.deal,
                say(lang, "evening.no_score"),
                as_sentence(lang, missing_text(row.unscorable, wording)),
            )
        elif one.hidden_from is not None and row.score.deal >= one.hidden_from and row.score.status == "complete":
            yield row.score.deal, say(lang, "evening.uncounted"), say(lang, "evening.not_counted")


def _findings(facts: EveningFacts, lang: str) -> Iterator[Item]:
    for one in facts.tables:
        for finding in one.report.findings:
            yield Item(
                where=place_of(facts.session, one.report.table, finding.deal, lang),
                address=address_of_moment(one.fold, one.report.table, finding.deal, finding.version),
                text=as_sentence(lang, finding.message),
                rule=rule_of(one.fold.game, finding.rule, lang),
            )


def _news(facts: EveningFacts, lang: str) -> Iterator[Item]:
    """Yield the last result of the tables that have played last."""
    for one in sorted(facts.tables, key=lambda table: -table.position)[:_NEWS_SHOWN]:
        row = next((row for row in reversed(one.report.sheet) if row.score.status == "complete"), None)
        if row is None:
            continue
        by_amount = sorted(zip(row.players, row.score.deltas, strict=True), key=lambda of: -of[1])
        amounts = [f"{player} {signed_amount(amount)}" for player, amount in by_amount if amount]
        yield Item(
            where=place_of(facts.session, one.report.table, row.score.deal, lang),
            address=address_of_moment(one.fold, one.report.table, row.score.deal),
            text=label(lang, "list").join(amounts) or say(lang, "evening.nothing_moved"),
        )
