"""Reads of deals: all states, one state with what led to it, the current state, both readings, and pictures."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta, json
from msgspec.structs import asdict

from ledger import api
from ledger.events import Slug
from ledger.table.answers import NowAnswer, ReplayAnswer, StepAnswer
from ledger.table.repository import TableAsRead
from ledger.table.steps import last_step, seat_named, step_answer
from ledger.table.two_readings import TwoReadings
from ledger.web.http.reading import TableReading, check_seat, read_table, requested_table, seen, table_route, version_of
from ledger.web.http.request import Request, number_of
from ledger.web.http.response import Response, linked, related_address
from ledger.web.http.routing import JSON, NDJSON

SVG: Final = "image/svg+xml"
PNG: Final = "image/png"
LAST: Final = "last"

SCALE_MAX: Final = 4


class PictureQuery(TableReading, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`below`: the player at the bottom of the picture, by seat or name; by default the `seat`, or the first."""

    below: str | None = None


class PngQuery(PictureQuery, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`scale`: a multiple of 400 × 440 pixels."""

    scale: Annotated[int, Meta(ge=1, le=SCALE_MAX)] = 1


@table_route("/tables/{table}/deals/{deal}/steps/{step}.svg", str, query=PictureQuery, media=(SVG,))
def picture_svg(request: Request, table: str, deal: str, step: str) -> Response:
    """Return a picture of the table at a step, or at the `last`, as SVG."""
    return Response(
        _picture(request, table, deal, step).encode(), media_type=SVG, headers=_links(request, "svg", "png", PNG)
    )


@table_route(
    "/tables/{table}/deals/{deal}/steps/{step}.png", bytes, query=PngQuery, media=(PNG,),
    problems=("not_found", "not_installed"),
)  # fmt: skip
def picture_png(request: Request, table: str, deal: str, step: str) -> Response:
    """Return the same picture as PNG."""
    drawn = api.picture_png(_picture(request, table, deal, step), request.query.scale)
    return Response(drawn, media_type=PNG, headers=_links(request, "png", "svg", SVG))


def _requested_deal(request: Request, table: str, deal: str, *, is_shown: bool = False) -> tuple[int, TableAsRead]:
    """Return the number of a deal and its table, if the requested seat may be seen."""
    number = number_of(deal, "deal")
    check_seat(request, table, number)
    return number, read_table(request, table, is_shown=is_shown)


def _picture(request: Request, table: str, deal: str, step: str) -> str:
    number, read = _requested_deal(request, table, deal, is_shown=True)
    at = None if step == LAST else number_of(step, "step")
    query = request.query
    return api.table_picture(seen(request), read, number, at, query.seat, below=query.below, lang=request.lang)


def _links(request: Request, ending: str, other: str, media: str) -> dict[str, str]:
    """Return the `Link` header of a picture. `other`: the ending of its other format, of this media type."""
    parameters = request.path_params
    states = f"/tables/{parameters['table']}/deals/{parameters['deal']}/steps"
    alternate = related_address(request, f"{states}/{parameters['step']}.{other}", without="scale")
    return linked(request, (alternate, media), latest=related_address(request, f"{states}/{LAST}.{ending}"))


TOML: Final = "application/toml"

_ENCODER: Final = json.Encoder()


@table_route("/tables/{table}/deals/{deal}/readings", TwoReadings)
def readings(request: Request, table: str, deal: str) -> Response:
    """Return a deal as first written and as corrected, entry by entry."""
    number, read = _requested_deal(request, table, deal)
    return Response(api.readings(seen(request), read, number, lang=request.lang), headers=linked(request))


@table_route("/tables/{table}/deals/{deal}/steps", list[ReplayAnswer], media=(NDJSON, JSON))
def steps(request: Request, table: str, deal: str) -> Response:
    """Return every state of a deal, one a line or as a list."""
    number, read = _requested_deal(request, table, deal)
    states = [_ENCODER.encode(one) for one in api.replay_all(seen(request), read, number, request.query.seat)]
    at = f"/tables/{table}/deals/{number}"
    other = JSON if request.media == NDJSON else NDJSON
    links = linked(
        request, (related_address(request, f"{at}/steps"), other), latest=related_address(request, f"{at}/steps/last")
    )
    return Response(encoded_list(request.media, states), media_type=request.media, headers=links)


def encoded_list(media: str, values: list[bytes]) -> bytes:
    """Return JSON values joined as lines or as a list."""
    if media == NDJSON:
        return b"".join(value + b"\n" for value in values)
    return b"[" + b",".join(values) + b"]"


@table_route("/tables/{table}/deals/{deal}/steps/{step}", StepAnswer)
def step(request: Request, table: str, deal: str, step: str) -> Response:
    """Return one state of a deal, with the act before it, the rules it broke, and the legal alternatives."""
    return _step(request, table, deal, step)


@table_route("/tables/{table}/deals/{deal}/steps/last", StepAnswer)
def step_last(request: Request, table: str, deal: str) -> Response:
    """Return the last state of a deal."""
    return _step(request, table, deal, LAST)


def _step(request: Request, table: str, deal: str, step: str) -> Response:
    number, at_step = number_of(deal, "deal"), None if step == LAST else number_of(step, "step")
    check_seat(request, table, number)
    read = read_table(request, table)
    record = read.fold.deal(number)
    seat = seat_named(record.players, number, request.query.seat)
    answer = step_answer(read.slug, read.fold, number, at_step, seat, request.lang)
    at = f"/tables/{table}/deals/{number}/steps"
    last = last_step(read.fold, record)
    links = linked(
        request,
        (related_address(request, f"{at}/{answer.step}.svg"), SVG),
        (related_address(request, f"{at}/{answer.step}.png"), PNG),
        prev=None if not answer.step else related_address(request, f"{at}/{answer.step - 1}"),
        next=None if answer.step == last else related_address(request, f"{at}/{answer.step + 1}"),
        latest=related_address(request, f"{at}/last"),
    )
    return Response(answer, headers=links)


@table_route("/tables/{table}/now", NowAnswer)
def now(request: Request, table: str) -> Response:
    """Return the state after the last act, with the version; recorders also get the legal events."""
    read = requested_table(request, table)
    status = {
        "table": read.slug,
        "version": version_of(request, read),
        "status": "closed" if read.fold.is_closed else "open",
    }
    if read.fold.deals:
        state = asdict(api.replay(seen(request), read, seat=request.query.seat))
        deal = f"/tables/{table}/deals/{state['deal']}"
        picture = (related_address(request, f"{deal}/steps/last.svg"), SVG)
        links = linked(request, picture, latest=related_address(request, f"{deal}/steps/last"))
    else:
        state, links = {"legal": {}}, linked(request)
    if not request.grant.at_least("recorder"):
        del state["legal"]
    return Response(NowAnswer(**{**state, **status}), headers=links)


@table_route("/tables/{table}/deals/{deal}.toml", str, media=(TOML,))
def hand_record(request: Request, table: Slug, deal: str) -> Response:
    """Return a deal as a hand record."""
    number, read = _requested_deal(request, table, deal)
    record = api.export_hand_record(seen(request), read, number)
    name = {"content-disposition": f'attachment; filename="{table}-{number}.toml"'}
    return Response(record.text.encode(), media_type=TOML, headers={**linked(request), **name})
