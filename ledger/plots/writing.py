"""Writes a Vega-Lite specification as a picture, a page or itself. Nothing is fetched, no browser is started."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import PurePath
from typing import Any, Final

from ledger.errors import NotFoundError
from ledger.plots.extra import extra_module, font_file
from ledger.plots.fonts import face, latin_folder, with_letters_named
from ledger.plots.paper import on_sheet, sized_in_points
from ledger.plots.words import phrase

IS_PAGE: Final = "isPage"
"""What a specification says of itself under `usermeta` where it fills a sheet of paper."""

_PNG_SCALE: Final = 2
_VEILED_LESS_THAN: Final = "\ue000"
"""Of the private use area, where no name has a sign."""

_NO_ADDRESS: Final[list[str]] = []
"""The addresses that data may be fetched from."""


@cache
def _converter() -> Any:
    converter = extra_module("vl_convert")
    converter.register_font_directory(str(font_file().parent))
    return converter


@cache
def _register_latin() -> None:
    _converter().register_font_directory(str(latin_folder()))


def svg(spec: Mapping[str, Any]) -> str:
    """The plot as SVG, on a sheet of paper where it is a page; its texts stay texts."""
    drawn: str = _converter().vegalite_to_svg(dict(spec), allowed_base_urls=_NO_ADDRESS)
    return on_sheet(drawn) if spec.get("usermeta", {}).get(IS_PAGE) else drawn


def svg_with_font(spec: Mapping[str, Any]) -> str:
    """The plot as SVG that brings the font of its signs along."""
    drawn = svg(spec)
    head, opened, rest = drawn.partition(">")
    return f"{head}{opened}<style>{face(set(drawn))}</style>{rest}"


def png(spec: Mapping[str, Any]) -> bytes:
    drawn: bytes = _converter().svg_to_png(_lettered(spec), scale=_PNG_SCALE)
    return drawn


def pdf(spec: Mapping[str, Any]) -> bytes:
    drawn: bytes = _converter().svg_to_pdf(sized_in_points(_lettered(spec)))
    return drawn


def _lettered(spec: Mapping[str, Any]) -> str:
    """The plot as SVG for the converter, which looks for each letter in the fonts that it knows."""
    plain = svg(spec)
    named = with_letters_named(plain)
    if named != plain:
        _register_latin()
    return named


def html(spec: Mapping[str, Any]) -> str:
    """A page that holds all that it needs, Vega-Lite included.

    The specification stands in a script, which any `</script>` in a name would end: each `<` is written as JavaScript
    has it in a text.
    """
    veiled = json.loads(json.dumps(spec).replace("<", json.dumps(_VEILED_LESS_THAN)[1:-1]))
    page: str = _converter().vegalite_to_html(veiled, bundle=True)
    style = f"<style>{face(set(svg(spec)))}</style>"
    return page.replace(_VEILED_LESS_THAN, "\\u003c").replace("<head>", f"<head>{style}", 1)


def spec_json(spec: Mapping[str, Any]) -> str:
    return json.dumps(spec, ensure_ascii=False, separators=(",", ":")) + "\n"


FORMS: Final[Mapping[str, Callable[[Mapping[str, Any]], str | bytes]]] = {
    ".png": png,
    ".svg": svg_with_font,
    ".pdf": pdf,
    ".html": html,
    ".json": spec_json,
}
"""What a file is written as, by the end of its name."""


def written(spec: Mapping[str, Any], name: str) -> bytes:
    """The plot in the form that the end of a file's name asks for; raises `NotFoundError` for another one."""
    content = form_of(name)(spec)
    return content.encode() if isinstance(content, str) else content


def form_of(name: str) -> Callable[[Mapping[str, Any]], str | bytes]:
    """How a file of that name is written; raises `NotFoundError` naming the ends that are known."""
    form = FORMS.get(PurePath(name).suffix.lower())
    if form is None:
        raise NotFoundError("usage", phrase("error.no_form", text=name, known=tuple(FORMS)))
    return form
