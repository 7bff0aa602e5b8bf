"""Vega's scene for a specification: its texts with the areas that they cover, and its marks by role."""

from __future__ import annotations

from cmath import rect
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from math import inf, radians
from typing import Any, NamedTuple, TypeAlias

import vl_convert
from fontTools.ttLib import TTFont

from ledger.plots.fonts import font_file

Scene: TypeAlias = dict[str, Any]
_LEFT = {"center": -0.5, "right": -1}
_TOP = {"top": 0, "middle": -0.5, "bottom": -1, "alphabetic": -0.8}


class Box(NamedTuple):
    """A text with the corners of its area as complex numbers."""

    text: str
    corners: tuple[complex, ...]

    def hides(self, other: Box) -> bool:
        """Return whether no line along a side of either box separates the two."""
        for first, second, third, _ in (self.corners, other.corners):
            for side in (second - first, third - second):
                mine, theirs = ([(corner * side.conjugate()).real for corner in box.corners] for box in (self, other))
                if max(mine) <= min(theirs) or max(theirs) <= min(mine):
                    return False
        return True


def scene_of(spec: dict[str, Any]) -> Scene:
    scene: Scene = vl_convert.vegalite_to_scenegraph(spec, allowed_base_urls=[])["scenegraph"]
    return scene


def with_role(scene: Scene, role: str) -> Iterator[Scene]:
    """Yield the marks of this role at any depth."""
    if scene.get("role") == role:
        yield scene
    for item in scene.get("items", ()):
        for mark in item.get("items", ()):
            yield from with_role(mark, role)


def views(scene: Scene) -> Iterator[list[Scene]]:
    """Yield the content of each view, without axes and titles."""
    for item in scene.get("items", ()):
        inner = item.get("items", ())
        if marks := [mark for mark in inner if mark.get("role") == "mark"]:
            yield marks
        for mark in inner:
            if mark.get("marktype") == "group" and not str(mark.get("role")).startswith(("axis", "legend", "title")):
                yield from views(mark)


def labels(scene: Scene, role: str) -> list[str]:
    return [item["text"] for mark in with_role(scene, role) for item in mark["items"] if _is_seen(item)]


def boxes(scene: Scene, origin: complex = 0) -> Iterator[Box]:
    """Yield all visible texts, in pixels of the picture."""
    for item in scene.get("items", ()):
        at = origin + complex(item.get("x", 0), item.get("y", 0))
        if scene["marktype"] == "group":
            for mark in item.get("items", ()):
                yield from boxes(mark, at)
        elif scene["marktype"] == "text" and _is_seen(item):
            yield from _lines(item, at)


def hidden(placed: list[Box]) -> list[tuple[str, str]]:
    return [(one.text, other.text) for one, other in combinations(placed, 2) if one.hides(other)]


def _is_seen(item: Scene) -> bool:
    return bool(item.get("text")) and item.get("opacity", 1) > 0


def _lines(item: Scene, at: complex) -> Iterator[Box]:
    size, turn = item.get("fontSize", 11), rect(1, radians(item.get("angle", 0)))
    texts = item["text"] if isinstance(item["text"], list) else [item["text"]]
    for number, text in enumerate(map(str, texts)):
        width = min(_width(text) * size, item.get("limit") or inf)
        left = _LEFT.get(item.get("align", "left"), 0) * width + item.get("dx", 0) + 1
        top = _TOP[item.get("baseline", "alphabetic")] * size + item.get("dy", 0) + number * (size + 2) + 1
        sides = ((0, 0), (width - 2, 0), (width - 2, size - 2), (0, size - 2))
        yield Box(text, tuple(at + complex(left + x, top + y) * turn for x, y in sides))


@cache
def _advances() -> dict[int, float]:
    font = TTFont(font_file())
    return {code: font["hmtx"][name][0] / font["head"].unitsPerEm for code, name in font.getBestCmap().items()}


def _width(text: str) -> float:
    """Return the width of a text in the size of its font."""
    return sum(_advances().get(ord(sign), 0.6) for sign in text)


Spec: TypeAlias = dict[str, Any]
Row: TypeAlias = dict[str, Any]


def panels_of(spec: Spec) -> list[Spec]:
    """Return the pictures side by side, also in nested rows; the specification itself if it is one picture."""
    return [panel for part in spec["concat"] for panel in panels_of(part)] if "concat" in spec else [spec]


def layers_of(spec: Spec) -> list[Spec]:
    return [layer for panel in panels_of(spec) for layer in panel["layer"]]


def layers_with(spec: Spec, mark: str) -> list[Spec]:
    return [layer for layer in layers_of(spec) if layer["mark"]["type"] == mark]


def rows_of(spec: Spec, layer: Spec) -> list[Row]:
    """Return the rows that a layer draws: its own, or those of the chart around it."""
    panel = next(panel for panel in panels_of(spec) if any(layer is one for one in panel["layer"]))
    data = next(part["data"] for part in (layer, panel, spec) if "data" in part)
    rows: list[Row] = data["values"] if "values" in data else spec["datasets"][data["name"]]
    return rows


def rows_in(spec: Spec) -> list[Row]:
    """Return the rows that the lowest layer of each picture draws."""
    return [row for panel in panels_of(spec) for row in rows_of(spec, panel["layer"][0])]
