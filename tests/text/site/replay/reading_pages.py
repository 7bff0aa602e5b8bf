"""Pages of replays as tests make and read them: rendered as the service does, parsed strictly, and what they say."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final

import ledger
from ledger.log import MemoryStore
from ledger.table.lookup import TableAsRead
from ledger.text.site.frame import Frame
from ledger.text.site.look import Look
from ledger.text.site.replay.choosing import Rights
from ledger.text.site.replay.drawing import replay_part
from ledger.text.site.replay.facts import Replay
from ledger.text.site.replay.replaying import Replaying
from ledger.text.site.replay.viewpoint import Viewpoint

REPLAYS: Final = sorted((Path(__file__).parents[4] / "replays").rglob("*.toml"))
READERS: Final = {"en": Look(), "ja": Look(lang="ja")}

_VOID: Final = frozenset(("area", "br", "col", "hr", "img", "input", "link", "meta", "wbr"))
_EMPTY_IN_SVG: Final = frozenset(("rect", "use", "path", "circle", "line"))


class Parsed(HTMLParser):
    """A page, read strictly: every element is closed where it was opened, and every id stands once."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self._open: list[str] = []
        self.ids: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[tuple[str, ...], str]] = []
        self.feed(text)
        self.close()
        assert self._open == [], f"never closed: {self._open}"
        assert sorted(self.ids) == sorted(set(self.ids)), "an id stands twice"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._seen(tag, attrs)
        if tag not in _VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in _VOID | _EMPTY_IN_SVG, f"<{tag}/> is no element without content"
        self._seen(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self._open and self._open[-1] == tag, f"</{tag}> closes {self._open[-1:]}"
        self._open.pop()

    def handle_data(self, data: str) -> None:
        self.texts.append((tuple(self._open), data))

    def _seen(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        assert len(told) == len(attrs), f"<{tag}> has an attribute twice"
        assert not any(name.startswith("on") or name == "style" for name in told), f"<{tag}> has script or style in it"
        self.elements.append((tag, told))
        if told.get("id"):
            self.ids.append(str(told["id"]))

    def said(self) -> str:
        return " ".join(" ".join(text for _, text in self.texts).split())

    def links(self) -> list[str]:
        return [str(told["href"]) for tag, told in self.elements if tag == "a" and "href" in told]


def replayed(read: TableAsRead, deal: int, step: int | None, lang: str = "en", **how: Any) -> Replay:
    """What a page shows; `how`: as of `Viewpoint`."""
    return replaying(read, deal, lang, **how).page(step)


def replaying(read: TableAsRead, deal: int, lang: str = "en", **how: Any) -> Replaying:
    """A deal of whose steps several pages are looked at."""
    return Replaying(read, Viewpoint(table=read.slug, deal=deal, **how), READERS[lang], Rights())


def rendered(shown: Replay, lang: str = "en") -> str:
    """The part of the page that the frame stands around."""
    frame = Frame(look=READERS[lang], path=shown.at.at(shown.step), club="Thursday Club")
    return str(replay_part(shown, frame, "http://club", 7).content)


@cache
def tables_of(path: Path) -> Sequence[TableAsRead]:
    """The tables of a hand record, which are looked at only."""
    store = MemoryStore()
    ledger.import_file(store, path, ledger.Recording(by="recorder-1"))
    return tuple(ledger.api.read_tables(store))
