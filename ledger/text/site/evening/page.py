"""Make the page of an evening: its ranking, its tables, notable deals, open questions, and later corrections."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from heapq import nlargest
from itertools import chain, islice
from typing import Final

from msgspec import Struct, structs

from ledger.reports.facts import Reason
from ledger.reports.rankings import choose_ranking
from ledger.reports.session_report import Notable, choose_notable
from ledger.text.catalogue import label
from ledger.text.site.catalogue import say, short_table_title
from ledger.text.site.evening.changes import LaterItem, later_items
from ledger.text.site.evening.facts import FINDINGS_SHOWN, EveningFacts, TableFacts, TableRow
from ledger.text.site.evening.items import Item, place_of
from ledger.text.site.evening.ranking import RankingView, ranking_view
from ledger.text.site.evening.read_out import result_sentences

_NEWS_SHOWN: Final = 4


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
    return EveningPage(
        title=facts.title,
        about=label(lang, "list").join(filter(None, (state.date, state.club, state.place))),
        lead=_lead(facts, lang),
        is_closed=state.closed,
        ranking=None if chosen is None else ranking_view(facts.rankings, chosen, lang),
        sentences=[] if chosen is None else list(result_sentences(facts, chosen, notable, len(questions), lang)),
        tables=[
            *(one.row for one in facts.tables),
            *(_damaged_row(session, one, lang) for one in facts.damaged),
        ],
        notable=[_notable_item(session, facts.tables[one.table], one, lang) for one in notable],
        questions=questions,
        findings=list(islice(chain.from_iterable(one.findings for one in facts.tables), FINDINGS_SHOWN)),
        findings_left=max(0, sum(one.findings_count for one in facts.tables) - FINDINGS_SHOWN),
        later=list(later_items(facts, lang)),
        news=_news(facts.tables),
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
    if not (open_tables := sum(one.row.is_open for one in tables)):
        return say(lang, "evening.lead_over", **values)
    return say(lang, "evening.lead_open", **values, open=say(lang, "evening.still_open", count=open_tables))


def _damaged_row(session: str, table: str, lang: str) -> TableRow:
    return TableRow(
        title=short_table_title(table, session, lang), address=f"/t/{table}", game="", placings=(), deals=0,
        state=say(lang, "lists.damaged"), is_open=False,
    )  # fmt: skip


def _notable_item(session: str, one: TableFacts, notable: Notable, lang: str) -> Item:
    deal, address = one.moments[notable.place]
    reasons = [label(lang, f"session.{reason.key}", **_shown(reason)) for reason in notable.reasons]
    text = label(lang, "clauses").join(reasons)
    return Item(where=place_of(session, one.table, deal, lang), address=address, text=text)


def _shown(reason: Reason) -> Mapping[str, object]:
    """Return the values of a reason as a sentence shows them."""
    codes = reason.values.get("codes")
    return reason.values if codes is None else {"codes": " ".join(codes)}


def _questions(facts: EveningFacts, lang: str) -> Iterator[Item]:
    """Yield what may still change the result: open disputes, deals that are not counted, tables left open."""
    for one in facts.tables:
        for version, dispute in one.disputes.items():
            ruling = f"{one.row.address}/disputes/{version}"
            yield structs.replace(dispute, address=ruling) if facts.may_rule else dispute
        yield from one.uncounted
        if facts.state.closed and one.row.is_open:
            where = place_of(facts.session, one.table, None, lang)
            yield Item(where=where, address=one.row.address, text=say(lang, "evening.table_open"))


def _news(tables: Sequence[TableFacts]) -> list[Item]:
    """Return the last result of the tables that have played last."""
    last = nlargest(_NEWS_SHOWN, tables, key=lambda table: table.position)
    return [one.news for one in last if one.news is not None]
