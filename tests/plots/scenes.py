"""What Vega draws of a specification: its texts with the room that they take, its axes, legends and views."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from math import cos, radians, sin
from typing import Any, TypeAlias

import vl_convert
from fontTools.ttLib import TTFont
from msgspec import Struct

from ledger.plots.extra import font_file

Scene: TypeAlias = dict[str, Any]
Point: TypeAlias = tuple[float, float]


class Box(Struct, frozen=True):
    """A text with the four corners of the room that it takes."""

    text: str
    corners: tuple[Point, ...]

    def spans(self, axis: Point) -> tuple[float, float]:
        along = [x * axis[0] + y * axis[1] for x, y in self.corners]
        return min(along), max(along)

    def hides(self, other: Box) -> bool:
        """Whether no straight line separates the two."""
        for box in (self, other):
            for (x1, y1), (x2, y2) in ((box.corners[0], box.corners[1]), (box.corners[1], box.corners[2])):
                axis = (x2 - x1, y2 - y1)
                (low, high), (other_low, other_high) = self.spans(axis), other.spans(axis)
                if high <= other_low or other_high <= low:
                    return False
        return True


def scene_of(spec: dict[str, Any]) -> Scene:
    scene: Scene = vl_convert.vegalite_to_scenegraph(spec, allowed_base_urls=[])["scenegraph"]
    return scene


def groups(scene: Scene, role: str) -> Iterator[Scene]:
    """Yield the marks of this role, wherever they lie."""
    if scene.get("role") == role:
        yield scene
    for item in scene.get("items", ()):
        for mark in item.get("items", ()):
            yield from groups(mark, role)


def labels(scene: Scene, role: str) -> list[str]:
    return [item["text"] for mark in groups(scene, role) for item in mark["items"] if _is_seen(item)]


def boxes(scene: Scene, x: float = 0, y: float = 0) -> Iterator[Box]:
    """Yield all texts that are seen, in pixels of the picture."""
    for item in scene.get("items", ()):
        if scene["marktype"] == "group":
            for mark in item.get("items", ()):
                yield from boxes(mark, x + item.get("x", 0), y + item.get("y", 0))
        elif scene["marktype"] == "text" and _is_seen(item):
            yield from _lines(item, x, y)


def hidden(found: list[Box]) -> list[tuple[str, str]]:
    return [(one.text, other.text) for one, other in combinations(found, 2) if one.hides(other)]


def _is_seen(item: Scene) -> bool:
    return bool(item.get("text")) and item.get("opacity", 1) > 0


def _lines(item: Scene, x: float, y: float) -> Iterator[Box]:
    texts = item["text"] if isinstance(item["text"], list) else [item["text"]]
    size, turn = item.get("fontSize", 11), radians(item.get("angle", 0))
    for number, text in enumerate(texts):
        width = min(_width(str(text)) * size, item.get("limit") or float("inf"))
        left = {"center": -width / 2, "right": -width}.get(item.get("align", "left"), 0) + item.get("dx", 0)
        top = {"top": 0, "middle": -size / 2, "bottom": -size}.get(item.get("baseline", "alphabetic"), -0.8 * size)
        top += item.get("dy", 0) + number * item.get("lineHeight", size + 2)
        room = (
            (left + 1, top + 1),
            (left + width - 1, top + 1),
            (left + width - 1, top + size - 1),
            (left + 1, top + size - 1),
        )
        at_x, at_y = x + item.get("x", 0), y + item.get("y", 0)
        yield Box(
            str(text),
            tuple((at_x + u * cos(turn) - v * sin(turn), at_y + u * sin(turn) + v * cos(turn)) for u, v in room),
        )


@cache
def _advances() -> tuple[dict[int, str], Any, int]:
    font = TTFont(font_file())
    return font.getBestCmap(), font["hmtx"], font["head"].unitsPerEm


def _width(text: str) -> float:
    """The width of a text in the size of its font."""
    glyph_of, metrics, em = _advances()
    return sum(metrics[glyph_of[ord(sign)]][0] / em if ord(sign) in glyph_of else 0.6 for sign in text)
