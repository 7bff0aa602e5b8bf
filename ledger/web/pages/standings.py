"""Rankings to be read across a room: of an evening while it is played, and of a season."""

from __future__ import annotations

import asyncio
from typing import Annotated, Final

from msgspec import Meta, Struct

from ledger.events import Word
from ledger.history import Filters, History
from ledger.history.questions.filters import SeasonName
from ledger.history.questions.statistics import group_queries
from ledger.reports.rankings import Ranking, choose_ranking, rankings_of
from ledger.text.site.catalogue import games_by_title
from ledger.text.site.evening.ranking import ranking_view
from ledger.web.http.request import Request
from ledger.web.http.response import Response
from ledger.web.http.routing import page
from ledger.web.pages.evening import EveningQuery, evening_of, followed_part, names_shown
from ledger.web.pages.frame import html
from ledger.web.pages.paging import page_links
from ledger.web.pages.replay import PART
from ledger.web.pages.table_list import Page

_PER_PAGE: Final = 50


class SeasonQuery(EveningQuery, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`game`: only its deals, empty for all. `season`: by default the last one. `min_deals`: only players with so many.
    `page`: from 1.
    """

    game: Word | None = None
    season: SeasonName | None = None
    min_deals: Annotated[int, Meta(ge=1, le=1_000_000)] | None = None
    page: Page = 1


class _Season(Struct, frozen=True):
    """The rankings of a season, and all seasons."""

    season: str | None
    seasons: list[str]
    rankings: list[Ranking]


@page("/sessions/{session}/standings", "viewer", query=EveningQuery, rests_on="history", of_whole_ledger=True)
async def session_standings(request: Request, session: str) -> Response:
    """Show the ranking of an evening for a big screen."""
    if request.headers.get(PART):
        return await followed_part(request, session, "evening/screen.html")
    shown = await evening_of(request, session)
    position = request.visible.head.position
    return await request.service.run_in_thread(
        lambda: html(request, "standings_evening.html", shown=shown.page, position=position, session=session)
    )


@page("/standings", "viewer", query=SeasonQuery, rests_on="history", of_whole_ledger=True)
async def season_standings(request: Request) -> Response:
    """Show the ranking of a season."""
    query: SeasonQuery = request.query
    season_from = request.service.settings.season_from

    def find(history: History) -> _Season:
        shown = names_shown(request, history)
        rows = history.answer_to(group_queries()["season"], Filters(season_from=season_from)).answer.rows
        seasons = [str(name) for (name,) in reversed(rows)]
        season = query.season or (seasons[0] if seasons else None)
        if season is None:
            return _Season(None, [], [])
        filters = Filters(game=query.game, season=season, season_from=season_from, min_deals=query.min_deals)
        return _Season(season, seasons, rankings_of(history, filters, shown))

    key = (
        "season", query.game, query.season, query.min_deals, season_from, request.rests_on, request.visible.names,
        request.grant.at_least("director"),
    )  # fmt: skip
    result = await asyncio.wrap_future(request.service.history.query(find, key))
    return await request.service.run_in_thread(lambda: _season_page(request, result))


def _season_page(request: Request, result: _Season) -> Response:
    query: SeasonQuery = request.query
    rankings = result.rankings
    chosen = choose_ranking(rankings, query.by)
    given = {"game": query.game, "season": query.season, "min_deals": query.min_deals}
    filters = {name: str(value) for name, value in given.items() if value is not None}
    ruled = filters if chosen is None else {**filters, "by": chosen.rule}
    links = page_links(0 if chosen is None else len(chosen.rows), query.page, _PER_PAGE, ruled)
    first = (links["number"] - 1) * _PER_PAGE
    shown = slice(first, first + _PER_PAGE)
    return html(
        request,
        "standings.html",
        wanted=query,
        season=result.season,
        seasons=result.seasons,
        games=games_by_title(request.lang),
        ranking=None if chosen is None else ranking_view(rankings, chosen, request.lang, shown=shown),
        filters=filters,
        **links,
    )
