"""A picture read back from its SVG: positions and marks of cards, plates and texts."""

import re
from collections.abc import Iterator
from typing import NamedTuple
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from ledger.cards import UNKNOWN

_SVG = "{http://www.w3.org/2000/svg}"
_AT = re.compile(r"translate\((-?[\d.]+) (-?[\d.]+)\)scale\(([\d.]+)\)")


class Box(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: "Box") -> bool:
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )

    def is_within(self, other: "Box") -> bool:
        return (
            other.left <= self.left
            and other.top <= self.top
            and self.right <= other.right
            and self.bottom <= other.bottom
        )


class DrawnCard(NamedTuple):
    card: str
    box: Box
    is_last: bool
    took: bool
    is_judged: bool


class Plate(NamedTuple):
    name: str
    box: Box
    is_due: bool
    has_disc: bool
    tricks: str | None


VIEW = Box(0, 0, 400, 440)


class Drawing:
    """The content of a picture; `text` is its SVG."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.root = ElementTree.fromstring(text)

    def said(self, name: str) -> str:
        return self.root.findtext(f"{_SVG}{name}") or ""

    def groups(self, name: str) -> Iterator[Element]:
        return (one for one in self.root.iter(f"{_SVG}g") if name in one.get("class", "").split())

    def cards(self) -> list[DrawnCard]:
        return [_card(group) for group in self.groups("card")]

    def lamps(self) -> list[Box]:
        lit = [
            group
            for group in self.root.iter(f"{_SVG}g")
            if group.get("class") is None and any("may" in rect.get("class", "") for rect in group)
        ]
        return [_box(group.get("transform", "")) for group in lit]

    def lit_cards(self) -> list[str]:
        lamps = self.lamps()
        return sorted(card.card for card in self.cards() if card.box in lamps)

    def plates(self) -> list[Plate]:
        return [_plate(group) for group in self.groups("plate")]

    def trumps(self) -> list[str]:
        return [use.get("href", "")[1:] for disc in self.groups("trump") for use in disc.iter(f"{_SVG}use")]

    def disc(self) -> Box | None:
        for disc in self.groups("trump"):
            circle = disc[0]
            x, y, radius = (float(circle.get(name, "")) for name in ("cx", "cy", "r"))
            return Box(x - radius, y - radius, x + radius, y + radius)
        return None

    def rules(self) -> dict[str, dict[str, str]]:
        """Return the style of the screen, by selector."""
        text = (self.root.findtext(f"{_SVG}style") or "").split("@media")[0]
        rules: dict[str, dict[str, str]] = {}
        for selectors, body in re.findall(r"([^{}]+)\{([^{}]*)\}", text):
            declarations = dict(part.split(":", 1) for part in body.split(";") if part.strip())
            for selector in selectors.split(","):
                stated = {key.strip(): value.strip() for key, value in declarations.items()}
                rules.setdefault(selector.strip(), {}).update(stated)
        return rules


def _card(group: Element) -> DrawnCard:
    names = [use.get("href", "")[1:] for use in group.iter(f"{_SVG}use")]
    kinds = {part.get("class") for part in group}
    if names == ["back"]:
        card = UNKNOWN
    else:
        rank, suit = names
        assert rank.startswith("r")
        assert f"k{suit}" in group.get("class", "").split(), "the colour is that of the suit"
        card = suit + rank[1:]
    return DrawnCard(card, _box(group.get("transform", "")), "last" in kinds, "under" in kinds, "badge" in kinds)


def _box(transform: str) -> Box:
    match = _AT.fullmatch(transform)
    assert match is not None, transform
    x, y, scale = map(float, match.groups())
    return Box(x, y, x + 28 * scale, y + 40 * scale)


def _plate(group: Element) -> Plate:
    rect = group[0]
    x, y, width, height = (float(rect.get(name, "")) for name in ("x", "y", "width", "height"))
    texts = {text.get("class", ""): text.text or "" for text in group.iter(f"{_SVG}text")}
    name = texts.get("long", texts.get("", ""))
    return Plate(
        name,
        Box(x, y, x + width, y + height),
        "turn" in group.get("class", "").split(),
        any(part.tag == f"{_SVG}circle" for part in group),
        texts.get("won"),
    )
