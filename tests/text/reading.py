"""A strict reader of pages for tests."""

from html.parser import HTMLParser
from typing import Final

_VOID: Final = frozenset(("area", "br", "col", "hr", "img", "input", "link", "meta", "wbr"))
_EMPTY_IN_SVG: Final = frozenset(("rect", "use", "path", "circle", "line"))

Attributes = list[tuple[str, str | None]]


class PageReader(HTMLParser):
    """Reads a page strictly: every element is closed where it was opened, and every id is unique."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self._open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[tuple[str, ...], str]] = []
        self.feed(page)
        self.close()
        assert self._open == [], f"never closed: {self._open}"
        ids = self.values_of("id")
        assert sorted(ids) == sorted(set(ids)), "an id stands twice"

    def handle_starttag(self, tag: str, attrs: Attributes) -> None:
        self._seen(tag, attrs)
        if tag not in _VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: Attributes) -> None:
        assert tag in _VOID | _EMPTY_IN_SVG, f"<{tag}/> is no element without content"
        self._seen(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self._open and self._open[-1] == tag, f"</{tag}> closes {self._open[-1:]}"
        self._open.pop()

    def handle_data(self, data: str) -> None:
        self.texts.append((tuple(self._open), data))

    def _seen(self, tag: str, attrs: Attributes) -> None:
        attributes = dict(attrs)
        assert len(attributes) == len(attrs), f"<{tag}> has an attribute twice"
        assert not any(name.startswith("on") or name == "style" for name in attributes), (
            f"<{tag}> has script or style in it"
        )
        self.elements.append((tag, attributes))

    def values_of(self, *names: str) -> list[str]:
        """Return the values of these attributes, in their order, empty ones left out."""
        return [value for _, given in self.elements for name, value in given.items() if name in names and value]

    @property
    def tags(self) -> list[str]:
        return [tag for tag, _ in self.elements]

    @property
    def text(self) -> str:
        """The readable text in one line."""
        shown = (text for within, text in self.texts if within[-1:] not in (("style",), ("script",)))
        return " ".join(" ".join(shown).split())


class Page(PageReader):
    def __init__(self, page: str) -> None:
        super().__init__(page)
        assert self.values_of("src", "href", "xlink:href") == []
