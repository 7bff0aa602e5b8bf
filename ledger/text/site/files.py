"""The files that pages load: one style sheet, our scripts, and htmx. Their address names what all of them hold."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final, NamedTuple

STYLES: Final = "pages.css"
ROOT: Final = "/files"

_MEDIA: Final[Mapping[str, str]] = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
}

_CSS_COMMENT: Final = re.compile(rb"/\*.*?\*/", re.DOTALL)
_JS_COMMENT_LINES: Final = re.compile(rb"^[ \t]*(?://.*|/\*\*(?:[^*]|\*(?!/))*\*/[ \t]*)$", re.MULTILINE)
"""What is said to readers of the source is not sent along; the lines of a script keep their numbers."""


class SiteFile(NamedTuple):
    """A file as it is sent: as it is, and packed by gzip."""

    media_type: str
    content: bytes
    gzipped: bytes


@cache
def site_files() -> Mapping[str, SiteFile]:
    """All there are by their names."""
    return {name: _file(name, content) for name, content in _contents()}


@cache
def version() -> str:
    """What the files hold, in ten signs: a changed one has another address."""
    digest = sha256()
    for name, file in sorted(site_files().items()):
        digest.update(f"{name}\0{len(file.content)}\0".encode() + file.content)
    return digest.hexdigest()[:10]


def address_of(name: str) -> str:
    """Where a file is; raises `KeyError` where there is none of that name."""
    site_files()[name]
    return f"{ROOT}/{version()}/{name}"


@cache
def modules(name: str) -> Sequence[str]:
    """A script and all that it imports at once, directly or not, so that a page may ask for them together."""
    names = [name]
    for one in names:
        text = site_files()[one].content.decode()
        imported = re.findall(r'(?:from|import) "\./([^"]+)"', text)
        names += [other for other in site_files() if other in imported and other not in names]
    return tuple(names)


def _contents() -> Iterator[tuple[str, bytes]]:
    here = files(__package__)
    styles = sorted(_files_in(here / "styles"), key=lambda one: one.name)
    yield STYLES, _CSS_COMMENT.sub(b"", b"\n".join(one.read_bytes() for one in styles))
    for one in _files_in(here / "scripts"):
        yield one.name, _JS_COMMENT_LINES.sub(_newlines_only, one.read_bytes())
    for folder in (here / "vendored" / "htmx", here / "images"):
        for one in _files_in(folder):
            if one.name.rpartition(".")[2] in _MEDIA:
                yield one.name, one.read_bytes()


def _newlines_only(comment: re.Match[bytes]) -> bytes:
    return b"\n" * comment[0].count(b"\n")


def _files_in(folder: Traversable) -> list[Traversable]:
    return [one for one in folder.iterdir() if one.is_file()] if folder.is_dir() else []


def _file(name: str, content: bytes) -> SiteFile:
    return SiteFile(_MEDIA[name.rpartition(".")[2]], content, gzip.compress(content, 9, mtime=0))
