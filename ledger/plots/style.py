"""The look of plots: lines and points differ in shape and dash, so that plots are readable in grey."""

from __future__ import annotations

from typing import Any, Final

FONT: Final = "Noto Sans JP"
FONTS: Final = f"{FONT}, sans-serif"

COLOURS: Final = ("#000000", "#D55E00", "#0072B2", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7F7F7F")
"""Okabe and Ito's colours, which colour-blind people can distinguish; grey replaces their yellow, too faint on
paper.
"""

DASHES: Final = ((1, 0), (6, 3), (2, 2), (10, 3), (6, 2, 2, 2), (1, 3), (10, 2, 2, 2, 2, 2), (4, 6))
SHAPES: Final = (
    "circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right", "triangle-left",
)  # fmt: skip

LINES_MAX: Final = len(SHAPES)
"""The most lines that a reader can distinguish."""

ZERO_GRID_COLOUR: Final[dict[str, Any]] = {
    "condition": {"test": "datum.value === 0", "value": "#444444"},
    "value": "#DDDDDD",
}
"""The colour of grid lines, darker at zero."""

DIVERGING: Final = ("#D55E00", "#FFFFFF", "#0072B2")
"""From behind to ahead. Both ends are dark in grey, so each cell also has the share."""

_PLAIN: Final = {"titleFontSize": 12, "titleFontWeight": "normal"}
"""The font has one weight; browsers would fake a bold one."""

CONFIG: Final[dict[str, Any]] = {
    "font": FONTS,
    "background": "white",
    "title": {
        "anchor": "start", "limit": 720, "fontSize": 15, "fontWeight": "normal",
        "subtitleFontSize": 11, "subtitleColor": "#444",
    },
    "axis": {**_PLAIN, "labelFontSize": 11, "gridColor": "#DDDDDD"},
    "legend": {**_PLAIN, "labelFontSize": 11, "symbolSize": 80, "symbolStrokeWidth": 0},
    "view": {"stroke": "#AAAAAA"},
}  # fmt: skip
