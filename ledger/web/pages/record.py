"""Recording on a phone: the page of a table, and the part of it that changes with every act."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, structs

from ledger.log.base import Row
from ledger.table.repository import TABLE_PREFIX
from ledger.text.site.recorder.screen import Recorder, Screen, screen_of, unchecked
from ledger.text.site.recorder.undoing import Signed
from ledger.text.site.words import say
from ledger.web.http.reading import TableReading, check_table, read_table, seen, version_of
from ledger.web.http.request import Asked
from ledger.web.http.routing import Answer, page
from ledger.web.pages.evenings import titled
from ledger.web.pages.forms import tables_to_open
from ledger.web.pages.frame import elsewhere, html
from ledger.web.pages.seat_below import below_of


class RecorderAsked(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`below`: the seat at the recorder's side of the table, where it is another than this device has."""

    below: int | None = None


@page("/record/{table}", "recorder", query=RecorderAsked, rests_on="table", problems=("not_found",))
def record(asked: Asked, table: str) -> Answer:
    """The recorder of a table: whose act is awaited, and all that may come, each a tap.

    Somebody who may open this table is led to the form that opens it.
    """
    if table in tables_to_open(asked):
        return elsewhere(f"/record/new?table={table}")
    return html(asked, "record.html", **_shown(asked, table))


@page("/record/{table}/now", "recorder", query=RecorderAsked, rests_on="table", problems=("not_found",))
def record_now(asked: Asked, table: str) -> Answer:
    """The part of the recorder that an act changes."""
    return html(asked, "recorder/now.html", **_shown(asked, table))


def _shown(asked: Asked, table: str) -> Mapping[str, Any]:
    check_table(asked)
    plain = structs.replace(asked, query=TableReading())
    read = read_table(plain, table, is_shown=True)
    below = below_of(asked, read.slug, len(read.fold.players)) if asked.query.below is None else asked.query.below
    rows = seen(asked).read_stream(TABLE_PREFIX + read.slug)
    lang = asked.lang
    who = Recorder(
        by=asked.grant.recorded_by,
        is_director=asked.grant.at_least("director"),
        lang=lang,
        below=below,
    )
    screen = screen_of(read, version_of(plain, read), signed_by(rows), who)
    return {
        "screen": screen,
        "table": read.slug,
        "table_title": titled(asked, read.slug, read.fold.opened.session),
        "game": read.fold.game.name,
        "by": who.by,
        "corrects": who.is_director,
        "opened": rows[0].id,
        "heading": _heading(screen, lang),
        "players": read.fold.players,
        "unchecked": unchecked(read, lang),
    }


def _heading(screen: Screen, lang: str) -> str:
    if screen.stage == "between" and screen.ended is None:
        return say(lang, "rec.title_before", game=screen.game)
    return say(lang, "rec.title", game=screen.game, deal=screen.deal)


def signed_by(rows: Sequence[Row]) -> Mapping[int, Signed]:
    """Who recorded each entry of a table, and when, by its version."""
    return {row.version: Signed(row.recorded_by, row.recorded_at) for row in rows}
