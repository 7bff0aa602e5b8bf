"""A table in a browser, and both readings of a deal of it."""

from __future__ import annotations

from msgspec import structs

from ledger.events import Slug
from ledger.table.repository import session_entries
from ledger.table.steps import seat_named
from ledger.text.site.replay.both import both_of, players_of
from ledger.text.site.replay.table_page import table_of
from ledger.text.site.replay.viewpoint import Viewpoint
from ledger.web.api.pictures import PictureAsked
from ledger.web.http.numbers import number_of
from ledger.web.http.reading import TableReading, check_seat, read_table, seen
from ledger.web.http.request import Asked
from ledger.web.http.routing import Answer, page
from ledger.web.pages.evenings import evening_title, titled
from ledger.web.pages.frame import html
from ledger.web.pages.preferences import reader_of
from ledger.web.pages.replay import PART, origin_of, others_of, rights_of


class ReadingsAsked(PictureAsked, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`all`: every entry, those that read the same, too."""

    all: bool = False


@page("/t/{table}", "viewer", query=TableReading, rests_on="table", problems=("not_found",))
def table(asked: Asked, table: Slug) -> Answer:
    """A table: who plays, how they stand, and its deals."""
    check_seat(asked, table)
    read = read_table(asked, table, is_shown=True)
    may_record = asked.grant.at_least("recorder")
    is_followed = not read.fold.is_closed and asked.query.as_of is None
    return html(
        asked,
        "replay/table.html" if asked.headers.get(PART) else "table.html",
        shown=table_of(
            read,
            reader_of(asked),
            may_record=may_record,
            sees_evening=_sees_evening(asked, read.fold.opened.session),
            evening=evening_title(seen(asked), read.fold.opened.session),
        ),
        position=asked.horizon.head.position if is_followed else None,
        address_here=f"{origin_of(asked)}/t/{read.slug}",
    )


def _sees_evening(asked: Asked, session: str | None) -> bool:
    """A table may name a session that nobody opened, and whoever may see some tables alone sees no evening."""
    return session is not None and asked.grant.tables is None and bool(session_entries(seen(asked), session))


@page("/t/{table}/{deal}/readings", "viewer", query=ReadingsAsked, rests_on="table", problems=("not_found",))
def both_readings(asked: Asked, table: Slug, deal: str) -> Answer:
    """A deal as first written and as corrected, side by side; whatever reading is asked for, it shows both."""
    number = number_of(deal, "deal")
    check_seat(asked, table, number)
    read = read_table(
        structs.replace(asked, query=structs.replace(asked.query, reading="corrected")), table, is_shown=True
    )
    query, players = asked.query, players_of(read.fold, number)
    at = Viewpoint(
        table=read.slug,
        deal=number,
        seat=seat_named(players, number, query.seat),
        below=seat_named(players, number, query.below),
        others=others_of(query),
        title=titled(asked, read.slug, read.fold.opened.session),
    )
    return html(
        asked,
        "readings.html",
        shown=both_of(read, at, reader_of(asked), rights_of(asked, read, at), is_whole=query.all),
    )
