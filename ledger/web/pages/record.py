"""Recording on a phone: the page of a table, and the part of it that changes with every act."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from ledger.log.base import Row
from ledger.streams import TABLE
from ledger.table.repository import recorders_shown
from ledger.text.site.catalogue import say
from ledger.text.site.recorder.acts import Signed
from ledger.text.site.recorder.screen import Recorder, Screen, screen_of, unchecked_acts
from ledger.web.http.reading import read_now, seen, version_of
from ledger.web.http.request import Request
from ledger.web.http.response import Response
from ledger.web.http.routing import page
from ledger.web.pages.forms import tables_to_open
from ledger.web.pages.frame import below_of, elsewhere, html
from ledger.web.pages.shown_tables import titled


class RecorderQuery(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`below`: the seat at the recorder's side of the table, if it differs from this device's."""

    below: int | None = None


@page("/record/{table}", "recorder", query=RecorderQuery, rests_on="table", problems=("not_found",))
def record(request: Request, table: str) -> Response:
    """Show the recorder of a table: whose act is awaited, and every legal act as a button.

    Clients that may open this table are redirected to the form that opens it.
    """
    if table in tables_to_open(request):
        return elsewhere(f"/record/new?table={table}")
    return html(request, "record.html", **_shown(request, table))


@page("/record/{table}/now", "recorder", query=RecorderQuery, rests_on="table", problems=("not_found",))
def record_now(request: Request, table: str) -> Response:
    """Return the part of the recorder that an act changes."""
    return html(request, "recorder/now.html", **_shown(request, table))


def _shown(request: Request, table: str) -> Mapping[str, Any]:
    read = read_now(request, table)
    below = below_of(request, read.slug, len(read.fold.players)) if request.query.below is None else request.query.below
    rows = seen(request).read_stream(TABLE.stream(read.slug))
    lang = request.lang
    who = Recorder(
        by=request.grant.recorded_by,
        is_director=request.grant.at_least("director"),
        lang=lang,
        below=below,
    )
    screen = screen_of(read, version_of(request, read), signed_by(request, rows), who)
    return {
        "screen": screen,
        "table": read.slug,
        "table_title": titled(request, read.slug, read.fold.opened.session),
        "game": read.fold.game.name,
        "by": who.by,
        "corrects": who.is_director,
        "opened": rows[0].id,
        "heading": _heading(screen, lang),
        "players": read.fold.players,
        "unchecked": unchecked_acts(read, lang),
    }


def _heading(screen: Screen, lang: str) -> str:
    if screen.stage == "between" and screen.ended is None:
        return say(lang, "rec.title_before", game=screen.game)
    return say(lang, "rec.title", game=screen.game, deal=screen.deal)


def signed_by(request: Request, rows: Sequence[Row]) -> Mapping[int, Signed]:
    """Return the recorder and time of each entry of a table, by version."""
    shown = recorders_shown(rows, seen(request).display_names())
    return {
        row.version: Signed(row.recorded_by, row.recorded_at, one.recorded_by.rpartition("/")[2])
        for row, one in zip(rows, shown, strict=True)
    }
