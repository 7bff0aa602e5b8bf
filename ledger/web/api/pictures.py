"""Pictures of the table at one moment of a deal."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta

from ledger import api
from ledger.web.http.links import beside, linked
from ledger.web.http.numbers import number_of
from ledger.web.http.reading import TableReading, check_seat, read_table, seen
from ledger.web.http.request import Asked
from ledger.web.http.routing import Answer, route

SVG: Final = "image/svg+xml"
PNG: Final = "image/png"
LAST: Final = "last"

SCALE_MAX: Final = 4


class PictureAsked(TableReading, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`below`: who sits at the bottom of the picture, by seat or name; else the `seat`, or the first."""

    below: str | None = None


class PngAsked(PictureAsked, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`scale`: so many times 400 × 440 pixels."""

    scale: Annotated[int, Meta(ge=1, le=SCALE_MAX)] = 1


@route(
    "GET",
    "/tables/{table}/deals/{deal}/steps/{step}.svg",
    "viewer",
    query=PictureAsked,
    answers={200: str},
    media=(SVG,),
    rests_on="table",
    problems=("not_found",),
)
def picture_svg(asked: Asked, table: str, deal: str, step: str) -> Answer:
    """The table from above at one step of a deal, or at the `last`."""
    return Answer(
        body=_picture(asked, table, deal, step).encode(), media_type=SVG, headers=_links(asked, "svg", "png", PNG)
    )


@route(
    "GET",
    "/tables/{table}/deals/{deal}/steps/{step}.png",
    "viewer",
    query=PngAsked,
    answers={200: bytes},
    media=(PNG,),
    rests_on="table",
    problems=("not_found", "not_installed"),
)
def picture_png(asked: Asked, table: str, deal: str, step: str) -> Answer:
    """The same picture as pixels."""
    drawn = api.picture_png(_picture(asked, table, deal, step), asked.query.scale)
    return Answer(body=drawn, media_type=PNG, headers=_links(asked, "png", "svg", SVG))


def _picture(asked: Asked, table: str, deal: str, step: str) -> str:
    number = number_of(deal, "deal")
    check_seat(asked, table, number)
    read = read_table(asked, table, is_shown=True)
    at = None if step == LAST else number_of(step, "step")
    query = asked.query
    return api.table_picture(seen(asked), read, number, at, query.seat, below=query.below, lang=asked.lang)


def _links(asked: Asked, ending: str, other: str, media: str) -> dict[str, str]:
    """`other`: the ending of the other form, of this media type."""
    parameters = asked.parameters
    states = f"/tables/{parameters['table']}/deals/{parameters['deal']}/steps"
    alternate = beside(asked, f"{states}/{parameters['step']}.{other}", without="scale")
    return linked(asked, (alternate, media), latest=beside(asked, f"{states}/{LAST}.{ending}"))
