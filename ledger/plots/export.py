"""Export of a Vega-Lite specification as a picture, a page or JSON, without a network or a browser."""

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
"""The key under `usermeta` that marks a specification which fills a sheet of paper."""

_PNG_SCALE: Final = 2
_VEILED_LESS_THAN: Final = "\ue000"
"""A character of the private use area, which no name contains."""

_NO_ADDRESS: Final[list[str]] = []
"""The addresses from which data may be fetched."""


@cache
def _converter() -> Any:
    converter = extra_module("vl_convert")
    converter.register_font_directory(str(font_file().parent))
    return converter


@cache
def _register_latin() -> None:
    _converter().register_font_directory(str(latin_folder()))


def svg(spec: Mapping[str, Any]) -> str:
    """Render the plot as SVG with text elements; a page is placed on a sheet of paper."""
    drawn: str = _converter().vegalite_to_svg(dict(spec), allowed_base_urls=_NO_ADDRESS)
    return on_sheet(drawn) if spec.get("usermeta", {}).get(IS_PAGE) else drawn


def svg_with_font(spec: Mapping[str, Any]) -> str:
    """Render the plot as SVG with the font of its characters embedded."""
    drawn = svg(spec)
    head, opened, rest = drawn.partition(">")
    return f"{head}{opened}<style>{face(frozenset(drawn))}</style>{rest}"


def png(spec: Mapping[str, Any]) -> bytes:
    """Render the plot as PNG."""
    drawn: bytes = _converter().svg_to_png(_lettered(spec), scale=_PNG_SCALE)
    return drawn


def pdf(spec: Mapping[str, Any]) -> bytes:
    """Render the plot as PDF."""
    drawn: bytes = _converter().svg_to_pdf(sized_in_points(_lettered(spec)))
    return drawn


def _lettered(spec: Mapping[str, Any]) -> str:
    """Render the plot as SVG for the converter, which takes each letter from the fonts that it knows."""
    plain = svg(spec)
    named = with_letters_named(plain)
    if named != plain:
        _register_latin()
    return named


def html(spec: Mapping[str, Any]) -> str:
    """Render the plot as a self-contained page with Vega-Lite.

    The specification is inside a script, which `</script>` in a name would end: each `<` is escaped for JavaScript.
    """
    veiled = json.loads(json.dumps(spec).replace("<", json.dumps(_VEILED_LESS_THAN)[1:-1]))
    page: str = _converter().vegalite_to_html(veiled, bundle=True)
    style = f"<style>{face(frozenset(svg(spec)))}</style>"
    return page.replace(_VEILED_LESS_THAN, "\\u003c").replace("<head>", f"<head>{style}", 1)


def spec_json(spec: Mapping[str, Any]) -> str:
    """Format the specification as JSON."""
    return json.dumps(spec, ensure_ascii=False, separators=(",", ":")) + "\n"


FORMS: Final[Mapping[str, Callable[[Mapping[str, Any]], str | bytes]]] = {
    ".png": png,
    ".svg": svg_with_font,
    ".pdf": pdf,
    ".html": html,
    ".json": spec_json,
}
"""Renderers by file extension."""


def written(spec: Mapping[str, Any], name: str) -> bytes:
    """Render the plot in the format of a file's extension. Raise `NotFoundError` for an unknown one."""
    content = form_of(name)(spec)
    return content.encode() if isinstance(content, str) else content


def form_of(name: str) -> Callable[[Mapping[str, Any]], str | bytes]:
    """Return the renderer for a file's extension. Raise `NotFoundError` with the known ones for another."""
    form = FORMS.get(PurePath(name).suffix.lower())
    if form is None:
        raise NotFoundError("usage", phrase("error.no_form", text=name, known=tuple(FORMS)))
    return form


SHEET_MM: Final = (210, 297)
MARGIN: Final = 0.05
"""Share of the sheet's width, on each side."""

_MM_AN_INCH: Final = 25.4
_PIXELS_AN_INCH: Final = 96
_POINTS_AN_INCH: Final = 72

_SIZE: Final = re.compile(r'width="([\d.]+)(mm|)" height="([\d.]+)(?:mm|)"')
_GROUND: Final = re.compile(r"<rect [^>]*/>")


def on_sheet(svg: str) -> str:
    """Place Vega's drawing on a sheet: size in millimetres, white paper, scaled content."""
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
    """Convert the drawing's size to points, because the PDF converter takes each unit for a point."""
    return _SIZE.sub(_in_points, svg, count=1)


def _in_points(size: re.Match[str]) -> str:
    an_inch = _MM_AN_INCH if size[2] else _PIXELS_AN_INCH
    width, height = (float(side) * _POINTS_AN_INCH / an_inch for side in (size[1], size[3]))
    return f'width="{width:.2f}" height="{height:.2f}"'
