"""The list of tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Final

from msgspec import Meta, Struct

from ledger.log.base import StreamHead
from ledger.text.site.catalogue import games_by_title
from ledger.web.api.entries import may_open
from ledger.web.http.request import Request
from ledger.web.http.response import Response
from ledger.web.http.routing import page
from ledger.web.pages.frame import html
from ledger.web.pages.paging import page_of_list
from ledger.web.pages.shown_tables import lines_of, matching_tables

_PER_PAGE: Final = 25

Page = Annotated[int, Meta(ge=1, le=1_000_000)]


class TablesQuery(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`q`: words of a player's or a table's name; `game`: its name in the record, empty for all; `page`: from 1."""

    q: Annotated[str, Meta(max_length=200)] = ""
    game: Annotated[str, Meta(max_length=50)] = ""
    page: Page = 1


@page("/tables", "viewer", query=TablesQuery)
def find_tables(request: Request) -> Response:
    """Show the tables that match a player, name or game."""
    query: TablesQuery = request.query
    heads = matching_tables(request, query.q, query.game)
    is_all = not query.q.strip() and not query.game
    filters = {name: value for name, value in (("q", query.q), ("game", query.game)) if value}
    return html(
        request,
        "table_list.html",
        asked_for=query,
        games=games_by_title(request.lang),
        is_empty=is_all and not heads,
        is_for_some=request.grant.tables is not None,
        may_open=may_open(request.grant),
        sees_evenings=request.grant.tables is None,
        **_page_of(request, heads, query.page, filters),
    )


def _page_of(request: Request, heads: Sequence[StreamHead], number: int, filters: dict[str, str]) -> dict[str, Any]:
    """Return one page of the list, and the addresses of its neighbours."""
    shown, links = page_of_list(heads, number, _PER_PAGE, filters)
    return {"lines": list(lines_of(request, shown)), **links}
