"""Puts a drawing upright on a sheet of A4: as large as the sheet lets it, in the middle of its width, at the top."""

from __future__ import annotations

import re
from typing import Final

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
