"""Pictures of a moment as a page shows it: in the language of whoever reads it, with the letters on his cards."""

from __future__ import annotations

from typing import Final

from ledger import api
from ledger.events import Slug
from ledger.text.pictures.moment import moment_at
from ledger.text.pictures.table import table_svg
from ledger.web.api.pictures import PNG, SVG, PictureAsked
from ledger.web.http.numbers import number_of
from ledger.web.http.request import Asked
from ledger.web.http.routing import Answer, page
from ledger.web.pages.frame import VARY
from ledger.web.pages.preferences import reader_of
from ledger.web.pages.replay import looked_at

_SCALE: Final = 2
"""800 × 880 pixels: sharp on a phone, and small enough to send."""


@page("/t/{table}/{deal}/{step}.svg", "viewer", query=PictureAsked, media=(SVG,), rests_on="table",
      problems=("not_found",))  # fmt: skip
def moment_svg(asked: Asked, table: Slug, deal: str, step: str) -> Answer:
    """The picture of one step, to be taken away."""
    return _kept(asked, _drawn(asked, table, deal, step).encode(), SVG, "svg")


@page("/t/{table}/{deal}/{step}.png", "viewer", query=PictureAsked, media=(PNG,), rests_on="table",
      problems=("not_found", "not_installed"))  # fmt: skip
def moment_png(asked: Asked, table: Slug, deal: str, step: str) -> Answer:
    """The same picture as pixels."""
    return _kept(asked, api.picture_png(_drawn(asked, table, deal, step), _SCALE), PNG, "png")


def _drawn(asked: Asked, table: Slug, deal: str, step: str) -> str:
    read, at = looked_at(asked, table, deal)
    letters = reader_of(asked).letters
    shown = moment_at(
        read.fold, at.deal, number_of(step, "step"), asked.lang, seat=at.seat, below=at.below, letters=letters
    )
    return table_svg(shown)


def _kept(asked: Asked, drawn: bytes, media: str, ending: str) -> Answer:
    """With a name under which a browser keeps it."""
    told = asked.parameters
    name = f"{told['table']}-{told['deal']}-{told['step']}.{ending}"
    headers = {"content-disposition": f'attachment; filename="{name}"', "content-language": asked.lang, **VARY}
    return Answer(body=drawn, media_type=media, headers=headers)
