"""A table in a browser, and both readings of a deal of it."""

from __future__ import annotations

from msgspec import structs

from ledger.events import Slug
from ledger.table.lookup import session_entries
from ledger.table.steps import seat_named
from ledger.text.site.replay.both import both_of, players_of
from ledger.text.site.replay.table_page import table_of
from ledger.text.site.replay.viewpoint import Viewpoint
from ledger.web.api.pictures import PictureAsked
from ledger.web.http.reading import TableReading, check_seat, read_table, seen
from ledger.web.http.request import Request, number_of
from ledger.web.http.response import Response
from ledger.web.http.routing import page
from ledger.web.pages.evenings import evening_title, titled
from ledger.web.pages.frame import html
from ledger.web.pages.preferences import reader_of
from ledger.web.pages.replay import PART, origin_of, others_of, rights_of


class ReadingsAsked(PictureAsked, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`all`: every entry, those that read the same, too."""

    all: bool = False


@page("/t/{table}", "viewer", query=TableReading, rests_on="table", problems=("not_found",))
def table(request: Request, table: Slug) -> Response:
    """A table: who plays, how they stand, and its deals."""
    check_seat(request, table)
    read = read_table(request, table, is_shown=True)
    may_record = request.grant.at_least("recorder")
    is_followed = not read.fold.is_closed and request.query.as_of is None
    return html(
        request,
        "replay/table.html" if request.headers.get(PART) else "table.html",
        shown=table_of(
            read,
            reader_of(request),
            may_record=may_record,
            sees_evening=_sees_evening(request, read.fold.opened.session),
            evening=evening_title(seen(request), read.fold.opened.session),
        ),
        position=request.horizon.head.position if is_followed else None,
        address_here=f"{origin_of(request)}/t/{read.slug}",
    )


def _sees_evening(request: Request, session: str | None) -> bool:
    """A table may name a session that nobody opened, and whoever may see some tables alone sees no evening."""
    return session is not None and request.grant.tables is None and bool(session_entries(seen(request), session))


@page("/t/{table}/{deal}/readings", "viewer", query=ReadingsAsked, rests_on="table", problems=("not_found",))
def both_readings(request: Request, table: Slug, deal: str) -> Response:
    """A deal as first written and as corrected, side by side; whatever reading is asked for, it shows both."""
    number = number_of(deal, "deal")
    check_seat(request, table, number)
    read = read_table(request.replace(query=structs.replace(request.query, reading="corrected")), table, is_shown=True)
    query, players = request.query, players_of(read.fold, number)
    at = Viewpoint(
        table=read.slug,
        deal=number,
        seat=seat_named(players, number, query.seat),
        below=seat_named(players, number, query.below),
        others=others_of(query),
        title=titled(request, read.slug, read.fold.opened.session),
    )
    return html(
        request,
        "readings.html",
        shown=both_of(read, at, reader_of(request), rights_of(request, read, at), is_whole=query.all),
    )
