"""The list of evenings, the newest first, and what is being played now."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import Struct, structs

from ledger.history import History, list_queries, report_queries
from ledger.reports.rankings import Leaders, leaders_of
from ledger.text.catalogue import label
from ledger.text.history import json_rows
from ledger.text.site.catalogue import short_table_title
from ledger.text.site.evening.sessions import PlayedNow, SessionRow, session_row
from ledger.web.http.reading import seen
from ledger.web.http.request import Request
from ledger.web.http.response import Response
from ledger.web.http.routing import page
from ledger.web.pages.evening import names_shown
from ledger.web.pages.forms import may_close_evenings
from ledger.web.pages.frame import html
from ledger.web.pages.paging import page_links, page_of_list
from ledger.web.pages.shown_tables import lines_of, matching_tables, open_evenings
from ledger.web.pages.table_list import Page

_PER_PAGE: Final = 25

_LEADERS_BYTES: Final = 1_000
"""The size of the cached leaders of an evening, roughly."""


class SessionsQuery(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`page`: from 1."""

    page: Page = 1


class _SessionsPage(Struct, frozen=True):
    rows: Sequence[SessionRow]
    count: int


@page("/sessions", "viewer", query=SessionsQuery, rests_on="history", of_whole_ledger=True)
async def sessions(request: Request) -> Response:
    """List all evenings with their winners, and the tables that are playing now."""
    number: int = request.query.page

    def find(history: History) -> _SessionsPage:
        rows: list[dict[str, Any]] = json_rows(history.answer_to(list_queries()["sessions"]).answer)
        chosen, _ = page_of_list(rows, number, _PER_PAGE)
        leaders = _leaders(request, history, chosen)
        return _SessionsPage([session_row(row, leaders.get(row["session"]), request.lang) for row in chosen], len(rows))

    key = (
        "sessions",
        number,
        request.rests_on,
        request.visible.names,
        request.grant.at_least("director"),
        request.lang,
    )
    result = await asyncio.wrap_future(request.service.history.query(find, key))
    return await request.service.run_in_thread(lambda: _shown(request, result))


def _leaders(request: Request, history: History, rows: Sequence[Mapping[str, Any]]) -> Mapping[str, Leaders | None]:
    """Return the leaders of these evenings, computed once until the read model takes in an entry of their tables."""
    shown, cache = names_shown(request, history), request.service.answers
    positions = dict(history.answer_to(report_queries()["session-positions"]).answer.rows)
    names = frozenset(shown.names.items())
    leaders: dict[str, Leaders | None] = {}
    missing = {}
    for row in rows:
        key = ("leaders", row["session"], positions.get(row["session"]), names)
        cached: tuple[Leaders | None] | None = cache.get(key)
        if cached is None:
            missing[row["session"]] = key, row
        else:
            (leaders[row["session"]],) = cached
    computed = leaders_of(history, [row for _, row in missing.values()], shown)
    for session, (key, _) in missing.items():
        leaders[session] = computed.get(session)
        cache.keep(key, (leaders[session],), _LEADERS_BYTES)
    return leaders


def _shown(request: Request, result: _SessionsPage) -> Response:
    return html(
        request,
        "sessions.html",
        now=_played_now(request),
        rows=result.rows,
        may_open=may_close_evenings(request.grant),
        **page_links(result.count, request.query.page, _PER_PAGE),
    )


def _played_now(request: Request) -> Sequence[PlayedNow]:
    """Return the evenings that are not closed and have an open table, the newest first."""
    shown = []
    for session, state in open_evenings(seen(request)).items():
        lines = list(lines_of(request, reversed(matching_tables(request, "", "", session))))
        if any(one.is_open for one in lines):
            about = label(request.lang, "list").join(filter(None, (state.date, state.club, state.place)))
            tables = [structs.replace(one, title=short_table_title(one.table, session, request.lang)) for one in lines]
            shown.append(PlayedNow(session=session, title=state.title or session, about=about, tables=tables))
    return shown
