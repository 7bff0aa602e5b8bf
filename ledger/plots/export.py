"""Writes a Vega-Lite specification as a picture, a page or itself. Nothing is fetched, no browser is started."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import PurePath
from typing import Any, Final

from ledger.errors import NotFoundError
from ledger.plots.fonts import extra_module, face, font_file, latin_folder, with_letters_named
from ledger.plots.rows import phrase

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
    return f"{head}{opened}<style>{face(frozenset(drawn))}</style>{rest}"


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
    style = f"<style>{face(frozenset(svg(spec)))}</style>"
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


SHEET_MM: Final = (210, 297)
MARGIN: Final = 0.05
"""Of the sheet's width, on each side."""

_MM_AN_INCH: Final = 25.4
_PIXELS_AN_INCH: Final = 96
_POINTS_AN_INCH: Final = 72

_SIZE: Final = re.compile(r'width="([\d.]+)(mm|)" height="([\d.]+)(?:mm|)"')
_GROUND: Final = re.compile(r"<rect [^>]*/>")


def on_sheet(svg: str) -> str:
    """The drawing as Vega writes it, on a sheet: its size in millimetres, the paper white, what is drawn scaled."""
    size = _SIZE.search(svg)
    assert size is not None, "Vega tells the size of what it draws"
    drawn_width, drawn_height = float(size[1]), float(size[3])
    width, height = SHEET_MM
    unit = max(drawn_width / (width * (1 - 2 * MARGIN)), drawn_height / (height - 2 * MARGIN * width))
    x, y = (drawn_width - unit * width) / 2, -MARGIN * unit * width
    sheet = f'width="{unit * width:.1f}" height="{unit * height:.1f}"'
    place = f'viewBox="{x:.1f} {y:.1f} {unit * width:.1f} {unit * height:.1f}"'
    ground = f'<rect x="{x:.1f}" y="{y:.1f}" {sheet} fill="white"/>'
    head, opened, rest = svg.partition(">")
    head = re.sub(_SIZE, f'width="{width}mm" height="{height}mm"', head)
    return re.sub(r'viewBox="[^"]*"', place, head) + opened + _GROUND.sub(ground, rest, count=1)


def sized_in_points(svg: str) -> str:
    """The drawing as large in points as it is on paper: what makes PDF takes each unit for one."""
    return _SIZE.sub(_in_points, svg, count=1)


def _in_points(size: re.Match[str]) -> str:
    an_inch = _MM_AN_INCH if size[2] else _PIXELS_AN_INCH
    width, height = (float(side) * _POINTS_AN_INCH / an_inch for side in (size[1], size[3]))
    return f'width="{width:.2f}" height="{height:.2f}"'
