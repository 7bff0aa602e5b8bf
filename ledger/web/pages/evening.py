"""The page of an evening: its ranking across tables, its tables, and what is still open; and the ranking as a file."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable, Mapping, Sequence
from time import monotonic
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct, json, structs

from ledger.errors import SkippingDamage
from ledger.history import Filters, History
from ledger.history.questions.display_names import DisplayNames, display_names
from ledger.log.base import StreamHead
from ledger.recording.sessions import session_state
from ledger.reports.later_changes import closing_position, later_changes
from ledger.reports.rankings import Ranking, choose_ranking, rankings_of
from ledger.reports.session_report import table_report
from ledger.streams import SESSION, TABLE
from ledger.table.repository import ReadAs, fold_table, no_session, session_entries
from ledger.text.history import csv_text
from ledger.text.site.evening.facts import EveningFacts, TableFacts, table_facts
from ledger.text.site.evening.page import EveningPage, evening_page_of
from ledger.text.site.frame import page_of
from ledger.web.api.history import CSV, hidden_from
from ledger.web.http.reading import seen, view_of
from ledger.web.http.request import Request
from ledger.web.http.response import Response
from ledger.web.http.routing import JSON, page
from ledger.web.pages.forms import may_close_evenings
from ledger.web.pages.frame import VARY, frame_of, html, html_response, takes_gzip
from ledger.web.pages.replay import PART, origin_of
from ledger.web.pages.shown_tables import matching_tables

_PATIENCE_S: Final = 3.0
_PAUSE_S: Final = 0.05

_PAGE_BYTES: Final = 60_000
"""The size of a cached page for the cache, roughly."""

_FACTS_BYTES: Final = 4_000
"""The size of the cached facts about a table, roughly."""


class EveningQuery(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`by`: the rule of the ranking: a game by its name in the record, or `table_points`."""

    by: Annotated[str, Meta(max_length=50)] | None = None


class Evening(Struct, frozen=True):
    """The page of an evening, and all that it depends on."""

    page: EveningPage
    key: Hashable


class Figures(Struct, frozen=True):
    """Rankings from the read model, with the names that the client sees."""

    rankings: list[Ranking]
    names: Mapping[str, str]


@page("/sessions/{session}", "viewer", query=EveningQuery, rests_on="history", of_whole_ledger=True)
async def evening(request: Request, session: str) -> Response:
    """Show an evening: who leads or has won, its tables, and what is still open."""
    if request.headers.get(PART):
        return await followed_part(request, session, "evening/live.html")
    shown = await evening_of(request, session)
    return await request.service.run_in_thread(
        lambda: html(
            request,
            "evening.html",
            shown=shown.page,
            position=request.visible.head.position,
            session=session,
            may_close=may_close_evenings(request.grant) and not shown.page.is_closed,
            address_here=f"{origin_of(request)}/sessions/{session}",
        )
    )


async def followed_part(request: Request, session: str, template: str) -> Response:
    """Return the part of a page of an evening that scripts renew, made once for all readers alike."""
    frame = frame_of(request)
    look = (template, session, request.query.by, frame.opens, frame.preferences, takes_gzip(request.headers))
    key = (*look, view_of(request), request.grant.at_least("director"), request.lang)

    async def newest() -> Response:
        now = request.replace(visible=request.service.visible)
        shown = await evening_of(now, session)
        return await request.service.run_in_thread(lambda: render(shown, now.visible.head.position))

    def render(shown: Evening, position: int) -> Response:
        answers = request.service.answers
        response: Response | None = answers.get((look, shown.key))
        if response is None:
            text = page_of(template, frame, shown=shown.page, position=position, session=session)
            response = html_response(request.headers, text)
            answers.keep((look, shown.key), response, len(response.body))
        return response

    response = await request.service.coalescer.run(key, newest)
    return response.with_headers({"content-language": request.lang})


@page("/sessions/{session}/standings.json", "viewer", query=EveningQuery, media=(JSON,), rests_on="history",
      of_whole_ledger=True)  # fmt: skip
async def ranking_json(request: Request, session: str) -> Response:
    """Return the ranking of an evening as JSON, to be saved."""
    return await _file(request, session, "json")


@page("/sessions/{session}/standings.csv", "viewer", query=EveningQuery, media=(CSV,), rests_on="history",
      of_whole_ledger=True)  # fmt: skip
async def ranking_csv(request: Request, session: str) -> Response:
    """Return the ranking of an evening as CSV, to be saved."""
    return await _file(request, session, "csv")


_COLUMNS: Final = ("place", "player", "points", "deals", "tables")


async def _file(request: Request, session: str, ending: Literal["json", "csv"]) -> Response:
    await _tables(request, session)
    figures = await figures_of(request, session)
    chosen = choose_ranking(figures.rankings, request.query.by)
    rows = [] if chosen is None else [[getattr(rank, name) for name in _COLUMNS] for rank in chosen.rows]
    if ending == "csv":
        content, media = csv_text(_COLUMNS, rows).encode(), CSV
    else:
        ranking = [dict(zip(_COLUMNS, row, strict=True)) for row in rows]
        content = json.encode({"session": session, "rule": None if chosen is None else chosen.rule, "ranking": ranking})
        media = JSON
    name = f"{session}-standings.{ending}"
    headers = {"content-disposition": f'attachment; filename="{name}"', "content-language": request.lang, **VARY}
    return Response(content, media_type=media, headers=headers)


async def evening_of(request: Request, session: str) -> Evening:
    """Return the page of an evening; readers with the same view share it. Raise `NotFoundError`."""
    heads = await _tables(request, session)
    figures = await figures_of(request, session)
    return await request.service.run_in_thread(lambda: _page(request, session, heads, figures))


async def figures_of(request: Request, session: str) -> Figures:
    """Return the rankings of a session, computed once until the read model advances."""

    def find(history: History) -> Figures:
        shown = names_shown(request, history)
        return Figures(rankings_of(history, Filters(session=session), shown), shown.names)

    key = ("evening", session, request.rests_on, request.visible.names, request.grant.at_least("director"))
    return await asyncio.wrap_future(request.service.history.query(find, key))


def names_shown(request: Request, history: History) -> DisplayNames:
    """Return the names that the client sees; linked spellings have that of their person."""
    people = seen(request).people()
    shown = display_names(history, people.shown(), hidden_from(request, people))
    of_spellings = {spelling: shown.names.get(one, one) for spelling, one in shown.persons.items()}
    return structs.replace(shown, names={**shown.names, **of_spellings})


async def _tables(request: Request, session: str) -> Sequence[StreamHead]:
    """Return the tables of an evening in the order in which they were opened, after waiting a moment for a read model
    that lacks visible entries of theirs. Raise `NotFoundError` for an evening that was never opened.

    No thread waits: a hundred readers may follow an evening, and there are few threads.
    """
    heads, last = await request.service.run_in_thread(lambda: _tables_until(request, session))
    history, until = request.service.history, monotonic() + _PATIENCE_S
    while not history.is_level_with(last, within_s=0) and history.failure is None and monotonic() < until:
        await asyncio.sleep(_PAUSE_S)
    return heads


def _tables_until(request: Request, session: str) -> tuple[Sequence[StreamHead], int]:
    """Return the tables, and the position of the last visible entry of them and of the evening."""
    store, hidden = seen(request), request.visible.hidden
    if "/" in session or not (rows := store.read_stream(SESSION.stream(session))):
        raise no_session(store, session)
    heads = matching_tables(request, "", "", session)[::-1]
    return heads, max(rows[-1].position, *(one.last_position for one in heads if one.stream not in hidden), 0)


def _page(request: Request, session: str, heads: Sequence[StreamHead], figures: Figures) -> Evening:
    store, service = seen(request), request.service
    is_anything_hidden = any(head.stream in request.visible.hidden for head in heads)
    names_key = frozenset(figures.names.items())
    key = (
        "evening",
        session,
        service.versions.get(SESSION.stream(session)),
        tuple((head.stream, head.version) for head in heads),
        request.rests_on,
        view_of(request) if is_anything_hidden else None,
        names_key,
        request.query.by,
        request.grant.at_least("director"),
        request.lang,
    )
    shown: EveningPage | None = service.answers.get(key)
    if shown is None:
        by_slug = {TABLE.slug(head.stream): _facts(request, session, head, figures.names, names_key) for head in heads}
        tables = [one for one in by_slug.values() if one is not None]
        closed_at = closing_position(store, session)
        changes = [
            (change, fold)
            for one in tables
            if closed_at is not None and one.position > closed_at
            for fold in [fold_table(store, one.table, ReadAs(names=figures.names))]
            for change in later_changes(store, one.table, fold, closed_at, figures.names)
        ]
        state = session_state(session_entries(store, session))
        rankings = figures.rankings
        if len(tables) == 1:
            rankings = [one for one in rankings if one.game is not None] or rankings
        damaged = [slug for slug, one in by_slug.items() if one is None]
        facts = EveningFacts(
            session=session,
            state=state,
            rankings=rankings,
            tables=tables,
            damaged=damaged,
            changes=changes,
            may_rule=request.grant.at_least("director"),
        )
        shown = evening_page_of(facts, request.query.by, request.lang)
        service.answers.keep(key, shown, _PAGE_BYTES)
    return Evening(shown, key)


def _facts(
    request: Request, session: str, head: StreamHead, names: Mapping[str, str], names_key: Hashable
) -> TableFacts | None:
    """Return the facts about a table, computed once for each of its versions; None for a damaged one."""
    eyes = view_of(request) if head.stream in request.visible.hidden else None
    key = ("facts", head.stream, head.version, eyes, names_key, request.lang)
    facts: TableFacts | None = request.service.answers.get(key)
    if facts is None:
        with SkippingDamage():
            store, slug = seen(request), TABLE.slug(head.stream)
            fold = fold_table(store, slug, ReadAs(names=names))
            report = table_report(store, slug, fold, None, request.lang)
            hidden = request.visible.hidden.get(head.stream)
            hidden_from = None if hidden is None else hidden.deal
            facts = table_facts(session, report, fold, head.last_position, hidden_from, request.lang)
            request.service.answers.keep(key, facts, _FACTS_BYTES)
    return facts
