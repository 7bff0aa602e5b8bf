"""Serve the files that pages load: a style sheet, our scripts and htmx. Their address contains a hash of all files."""

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
RECORDER_STYLES: Final = "recorder.css"
"""The style sheet of the recorder: that of all pages without the styles that it never needs, for slow phones."""

_NOT_RECORDED_WITH: Final = ("70-", "85-")
"""The beginnings of the names of styles that the recorder leaves out."""

ROOT: Final = "/files"

_MEDIA: Final[Mapping[str, str]] = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
}

_CSS_COMMENT: Final = re.compile(rb"/\*.*?\*/", re.DOTALL)
_JS_COMMENT_LINES: Final = re.compile(rb"^[ \t]*(?://.*|/\*\*(?:[^*]|\*(?!/))*\*/[ \t]*)$", re.MULTILINE)
"""Comments are not sent to browsers; the lines of a script keep their numbers."""


class SiteFile(NamedTuple):
    """A file as it is sent: as it is, and compressed by gzip."""

    media_type: str
    content: bytes
    gzipped: bytes


@cache
def site_files() -> Mapping[str, SiteFile]:
    """Return all files by name."""
    return {name: _file(name, content) for name, content in _contents()}


@cache
def version() -> str:
    """Return ten hexadecimal digits of a hash of all files; a changed file changes all addresses."""
    digest = sha256()
    for name, file in sorted(site_files().items()):
        digest.update(f"{name}\0{len(file.content)}\0".encode() + file.content)
    return digest.hexdigest()[:10]


def address_of(name: str) -> str:
    """Return the path of a file. Raise `KeyError` if no file has that name."""
    site_files()[name]
    return f"{ROOT}/{version()}/{name}"


@cache
def modules(name: str) -> Sequence[str]:
    """Return a script followed by all scripts that it imports, directly or not, for preloading."""
    names = [name]
    for one in names:
        text = site_files()[one].content.decode()
        imported = re.findall(r'(?:from|import) "\./([^"]+)"', text)
        names += [other for other in site_files() if other in imported and other not in names]
    return tuple(names)


def _contents() -> Iterator[tuple[str, bytes]]:
    here = files(__package__)
    styles = sorted(_files_in(here / "styles"), key=lambda one: one.name)
    yield STYLES, _sheet(styles)
    yield RECORDER_STYLES, _sheet([one for one in styles if not one.name.startswith(_NOT_RECORDED_WITH)])
    for one in _files_in(here / "scripts"):
        yield one.name, _JS_COMMENT_LINES.sub(_newlines_only, one.read_bytes())
    for folder in (here / "vendored" / "htmx", here / "images"):
        for one in _files_in(folder):
            if one.name.rpartition(".")[2] in _MEDIA:
                yield one.name, one.read_bytes()


def _sheet(styles: Sequence[Traversable]) -> bytes:
    return _CSS_COMMENT.sub(b"", b"\n".join(one.read_bytes() for one in styles))


def _newlines_only(comment: re.Match[bytes]) -> bytes:
    return b"\n" * comment[0].count(b"\n")


def _files_in(folder: Traversable) -> list[Traversable]:
    return [one for one in folder.iterdir() if one.is_file()] if folder.is_dir() else []


def _file(name: str, content: bytes) -> SiteFile:
    return SiteFile(_MEDIA[name.rpartition(".")[2]], content, gzip.compress(content, 9, mtime=0))
