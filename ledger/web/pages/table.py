"""The page of a table: players, standings and deals."""

from __future__ import annotations

from ledger.events import Slug
from ledger.table.repository import session_entries
from ledger.text.site.replay.table_page import table_page_of
from ledger.web.http.reading import TableReading, check_seat, read_table, seen
from ledger.web.http.request import Request
from ledger.web.http.response import Response
from ledger.web.http.routing import page
from ledger.web.pages.frame import html, reader_of
from ledger.web.pages.replay import PART, origin_of
from ledger.web.pages.shown_tables import evening_title


@page("/t/{table}", "viewer", query=TableReading, rests_on="table", problems=("not_found",))
def table(request: Request, table: Slug) -> Response:
    """Show a table: players, standings and deals."""
    check_seat(request, table)
    read = read_table(request, table, is_shown=True)
    may_record = request.grant.at_least("recorder")
    is_followed = not read.fold.is_closed and request.query.as_of is None
    return html(
        request,
        "replay/table.html" if request.headers.get(PART) else "table.html",
        shown=table_page_of(
            read,
            reader_of(request),
            may_record=may_record,
            sees_evening=_sees_evening(request, read.fold.opened.session),
            evening=evening_title(seen(request), read.fold.opened.session),
        ),
        position=request.visible.head.position if is_followed else None,
        address_here=f"{origin_of(request)}/t/{read.slug}",
    )


def _sees_evening(request: Request, session: str | None) -> bool:
    """Return whether the client sees the evening. A table may name an evening that nobody opened; tokens bound to
    tables see none.
    """
    return session is not None and request.grant.tables is None and bool(session_entries(seen(request), session))
