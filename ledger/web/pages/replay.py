"""A deal step by step: the whole page, the part that changes, and a page for frames on other sites."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Final, Literal
from urllib.parse import parse_qsl

from msgspec import Meta, Struct, structs

from ledger import api
from ledger.events import DisputeRaised, Slug
from ledger.streams import TABLE
from ledger.table.repository import TableAsRead
from ledger.table.steps import seat_named
from ledger.text.pictures.moment import moment_at
from ledger.text.pictures.table import table_svg
from ledger.text.site.replay.navigation import BOTH_READINGS, MoveName, Rights
from ledger.text.site.replay.readings import players_of, readings_page_of
from ledger.text.site.replay.replay_page import RenderedReplay, default_step, replay_of, replay_part, step_after
from ledger.text.site.replay.viewpoint import LAST, Reading, Viewpoint
from ledger.web.api.cases import is_raised_by
from ledger.web.api.corrections import may_dispute, may_withdraw
from ledger.web.api.deals import PNG, SVG, PictureQuery
from ledger.web.http.auth import is_https
from ledger.web.http.reading import TableReading, check_seat, eyes_of, read_table, seen
from ledger.web.http.request import Request, number_of
from ledger.web.http.response import Response
from ledger.web.http.routing import page
from ledger.web.pages.frame import VARY, elsewhere, frame_of, html, own_seat, reader_of
from ledger.web.pages.shown_tables import titled

PART: Final = "hx-request"

_EMBED: Final = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors *",
    "cross-origin-resource-policy": "cross-origin",
}
"""The headers of a page that any site may frame: it shows public contents and changes nothing."""

Step = Annotated[int, Meta(ge=0)]


class EmbedQuery(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`below`: the player at the bottom. `to`: the pressed button; `step`: the position of the slider."""

    reading: Literal["corrected", "recorded"] = "corrected"
    as_of: str | None = None
    without_rulings: bool = False
    below: str | None = None
    to: MoveName | Literal["step"] | None = None
    step: Step | None = None


class ReplayQuery(EmbedQuery, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """As `EmbedQuery`. `reading`: also both, side by side; `seat`: the viewer."""

    reading: Literal["corrected", "recorded", "both"] = "corrected"  # type: ignore[assignment]
    seat: str | None = None


class ReadingsQuery(PictureQuery, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`all`: every entry, including those that read the same."""

    all: bool = False


@page("/t/{table}/{deal}", "viewer", query=ReplayQuery, rests_on="table", problems=("not_found",))
def deal(request: Request, table: Slug, deal: str) -> Response:
    """Show a deal at its best first step: an open one at its last, any other when its cards are dealt."""
    read, at = looked_at(request, table, deal)
    if request.query.reading == BOTH_READINGS:
        return elsewhere(at.readings_address)
    return _page(request, read, at, default_step(read, at, reader_of(request)))


@page("/t/{table}/{deal}/{step}", "viewer", query=ReplayQuery, rests_on="table", problems=("not_found",))
def deal_at_step(request: Request, table: Slug, deal: str, step: str) -> Response:
    """Show a deal at one step, or at the `last`."""
    read, at = looked_at(request, table, deal)
    if request.query.reading == BOTH_READINGS:
        return elsewhere(at.readings_address)
    return _page(request, read, at, None if step == LAST else number_of(step, "step"))


@page("/embed/{table}/{deal}/{step}", "viewer", query=EmbedQuery, rests_on="table", problems=("not_found",))
def embed(request: Request, table: Slug, deal: str, step: str) -> Response:
    """Show a deal at one step in a frame of another site: public contents, and nothing about the client."""
    request = request.replace(grant=structs.replace(request.grant, hands=False, seat=None, token="", name=None))
    read, at = looked_at(request, table, deal)
    lang = [] if request.query_lang is None else [("lang", request.query_lang)]  # there is no cookie in a frame
    at = structs.replace(at, is_embedded=True, others=[*at.others, *lang])
    answer = _page(request.replace(query_lang=None), read, at, None if step == LAST else number_of(step, "step"))
    return answer.with_headers(_EMBED)


@page("/t/{table}/{deal}/readings", "viewer", query=ReadingsQuery, rests_on="table", problems=("not_found",))
def both_readings(request: Request, table: Slug, deal: str) -> Response:
    """Show a deal as first written and as corrected, side by side, whatever reading is requested."""
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
        "replay_readings.html",
        shown=readings_page_of(read, at, reader_of(request), rights_of(request, read, at), is_whole=query.all),
    )


def looked_at(request: Request, table: Slug, deal: str) -> tuple[TableAsRead, Viewpoint]:
    """Return the requested table and the viewpoint on the deal. Forms send no choice as empty text.

    A reader with a seat at the table has it at the bottom. While hands are hidden, they see that seat's view unless the
    address names another seat or, by empty text, none.
    """
    query = request.query
    number = number_of(deal, "deal")
    own = _own_seat(request, table) if isinstance(query, ReplayQuery) else None
    sees_own = own is not None and _is_hidden(request, table, number)
    seat = getattr(query, "seat", None)
    seat = str(own) if seat is None and sees_own else seat or None
    below = query.below or (str(own) if own is not None and not sees_own and seat is None else None)
    reading: Reading = "recorded" if query.reading == "recorded" else "corrected"
    plain = TableReading(reading=reading, as_of=query.as_of, seat=seat, without_rulings=query.without_rulings)
    reading_it = request.replace(query=plain)
    check_seat(reading_it, table, number)
    read = read_table(reading_it, table, is_shown=True)
    players = read.fold.deal(number).players
    at = Viewpoint(
        table=read.slug,
        deal=number,
        seat=seat_named(players, number, seat),
        below=seat_named(players, number, below),
        reading=reading,
        others=others_of(query),
        title=titled(request, read.slug, read.fold.opened.session),
        is_seated=sees_own,
    )
    return read, at


def _is_hidden(request: Request, table: Slug, deal: int) -> bool:
    hidden = request.visible.hidden.get(TABLE.stream(table))
    return hidden is not None and deal >= hidden.deal


def _own_seat(request: Request, table: Slug) -> int | None:
    if request.grant.seat is None:
        return None
    plain = read_table(request.replace(query=TableReading()), table)
    return own_seat(request.grant, plain.slug, len(plain.fold.players))


def others_of(query: Any) -> Sequence[tuple[str, str]]:
    """Return the reading parameters that stay in addresses."""
    others = [] if query.as_of is None else [("as_of", query.as_of)]
    return [*others, *([("without_rulings", "true")] if query.without_rulings else [])]


def _page(request: Request, read: TableAsRead, at: Viewpoint, step: int | None) -> Response:
    """Return the page at a step, or the redirect of a form to the shortest address."""
    query, reader = request.query, reader_of(request)
    start = step if query.step is None else query.step
    if not _is_plain(request, at):
        shown, to = replay_of(read, at, start, reader, rights_of(request, read, at)).step, query.to
        return elsewhere(at.step_address(shown if to in (None, "step") else step_after(read, at, shown, to, reader)))
    part = _part(request, read, at, start)
    if request.headers.get(PART):
        return html(request, "replay/part.html", part=part)
    return html(request, "replay_embed.html" if at.is_embedded else "replay.html", part=part)


def _part(request: Request, read: TableAsRead, at: Viewpoint, step: int | None) -> RenderedReplay:
    """Return the part at a step, rendered once for all readers with the same view."""
    reader, rights, origin = reader_of(request), rights_of(request, read, at), origin_of(request)
    eyes, names = eyes_of(request), request.visible.names
    key = ("replay", request.rests_on, names, eyes, at.key, step, reader.lang, reader.letters, rights, origin)
    part: RenderedReplay | None = request.service.answers.get(key)
    if part is None:
        shown = replay_of(read, at, step, reader, rights)
        is_followed = shown.goes_on and request.query.as_of is None
        part = replay_part(shown, frame_of(request), origin, request.visible.head.position if is_followed else None)
        if request.rests_on:
            request.service.answers.keep(key, part, len(part.content))
    return part


def _is_plain(request: Request, at: Viewpoint) -> bool:
    """Return whether the address is in its shortest form, so that each page has one address."""
    parameters = parse_qsl(request.query_string.decode("ascii"), keep_blank_values=True)
    return sorted(one for one in parameters if one[0] != "lang") == sorted(one for one in at.fields if one[0] != "lang")


def rights_of(request: Request, read: TableAsRead, at: Viewpoint) -> Rights:
    """Return the seats that may be viewed: of a deal with hidden cards only the client's own."""
    grant = request.grant
    cases, withdraws = _disputes_of(request, read)
    rights = Rights(cases=cases, withdraws=withdraws, disputes=may_dispute(grant))
    if grant.hands or not _is_hidden(request, at.table, at.deal):
        return rights
    own = own_seat(grant, at.table, len(read.fold.players))
    return structs.replace(rights, seats=() if own is None else (own,))


def _disputes_of(request: Request, read: TableAsRead) -> tuple[frozenset[int] | None, frozenset[int]]:
    """Return the disputes whose case sheets the client may read (None: all), and those that it may withdraw."""
    is_director = request.grant.at_least("director")
    raised = [version for version, event in read.fold.recorded if isinstance(event, DisputeRaised)]
    if not raised:
        return None if is_director else frozenset(), frozenset()
    rows = seen(request).read_stream(TABLE.stream(read.slug))
    withdraws = frozenset(one for one in raised if may_withdraw(request.grant, read.fold, rows, one))
    own = frozenset(row.version for row in rows if is_raised_by(request.grant, row))
    return None if is_director else own, withdraws


def origin_of(request: Request) -> str:
    """Return the scheme and host for addresses that are copied."""
    scheme = "https" if is_https(request.service.settings, request) else "http"
    return f"{scheme}://{request.headers.get('host') or ''}"


_SCALE: Final = 2
"""The scale of 800 × 880 pixels: sharp on a phone, and small enough to send."""


@page("/t/{table}/{deal}/{step}.svg", "viewer", query=PictureQuery, media=(SVG,), rests_on="table",
      problems=("not_found",))  # fmt: skip
def moment_svg(request: Request, table: Slug, deal: str, step: str) -> Response:
    """Return the picture of one step, to be saved, as SVG."""
    return _attachment(request, _drawn(request, table, deal, step).encode(), SVG, "svg")


@page("/t/{table}/{deal}/{step}.png", "viewer", query=PictureQuery, media=(PNG,), rests_on="table",
      problems=("not_found", "not_installed"))  # fmt: skip
def moment_png(request: Request, table: Slug, deal: str, step: str) -> Response:
    """Return the same picture as PNG."""
    return _attachment(request, api.picture_png(_drawn(request, table, deal, step), _SCALE), PNG, "png")


def _drawn(request: Request, table: Slug, deal: str, step: str) -> str:
    read, at = looked_at(request, table, deal)
    letters = reader_of(request).letters
    shown = moment_at(
        read.fold, at.deal, number_of(step, "step"), request.lang, seat=at.seat, below=at.below, letters=letters
    )
    return table_svg(shown)


def _attachment(request: Request, drawn: bytes, media: str, ending: str) -> Response:
    """Return a picture with a file name."""
    parameters = request.path_params
    name = f"{parameters['table']}-{parameters['deal']}-{parameters['step']}.{ending}"
    headers = {"content-disposition": f'attachment; filename="{name}"', "content-language": request.lang, **VARY}
    return Response(drawn, media_type=media, headers=headers)
