"""The page to choose a table to record and, for directors, an evening to close."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ledger.games import game_named
from ledger.streams import TABLE
from ledger.table.listing import TableListed
from ledger.text.catalogue import Wording, title_of
from ledger.web.api.entries import may_open
from ledger.web.api.tables import listed
from ledger.web.http.reading import seen
from ledger.web.http.request import Request
from ledger.web.http.response import Response
from ledger.web.http.routing import page
from ledger.web.pages.forms import may_close_evenings, tables_to_open
from ledger.web.pages.frame import elsewhere, html
from ledger.web.pages.shown_tables import RECENT_TABLES, open_evenings, titled

_CLOSED: Final = 60
"""The number of closed tables that are listed."""


@page("/record", "recorder")
def record_which(request: Request) -> Response:
    """Show the tables that the client may record, newest entries first; redirect a client with a single table to it."""
    store, grant = seen(request), request.grant
    if grant.tables is not None and len(grant.tables) == 1 and (may_open(grant) or store.streams(TABLE.prefix)):
        return elsewhere(f"/record/{grant.tables[0]}")
    heads = sorted(store.streams(TABLE.prefix), key=lambda head: -head.last_position)
    names = store.display_names()
    evenings = open_evenings(store) if may_close_evenings(grant) else {}
    rows = list(listed(request, store, heads[:RECENT_TABLES]))
    opened = [_shown(request, row, names) for row in rows if row.status == "open"]
    closed = [row for row in rows if row.status == "closed"][:_CLOSED]
    return html(
        request,
        "choose_table.html",
        tables=opened,
        closed=[_shown(request, row, names) for row in closed],
        may_open=may_open(grant) and grant.tables is None,
        to_open=tables_to_open(request),
        evenings=[(slug, state.title or slug) for slug, state in evenings.items()],
        is_bound=grant.tables is not None,
    )


def _shown(request: Request, row: TableListed, names: Mapping[str, str]) -> dict[str, Any]:
    lang = request.lang
    return {
        "table": row.table,
        "table_title": titled(request, row.table, row.session),
        "title": title_of(game_named(row.game), lang),
        "players": Wording(lang).listed(names.get(player, player) for player in row.players),
        "deals": row.deals,
    }
