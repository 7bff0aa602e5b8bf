"""Build the site from the Markdown of the project: `build/site/` in English, `build/site/ja/` in Japanese.

`make site` calls it. The pages are copied into folders beside the site's, with links that lead where the site has the
page: a link to a page of the other language leads there, a link to a schema or another file of docs/ takes the file
along, and a link to a source file becomes plain text. The same Markdown therefore works in the repository. The id of a
rule becomes a link to the rulebook. Any warning of Sphinx, e.g. of a link without a target, fails the build.
"""

from __future__ import annotations

import gc
import os
import re
import shutil
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from sphinx.cmd.build import build_main

ROOT: Final = Path(__file__).parents[1]

Page = str
"""The name of a page on its site, without ending, e.g. `how-to/live`."""


class Edition(NamedTuple):
    """The site in one language: the pages, by their file in the repository, and the headings of the navigation."""

    language: str
    folder: str
    pages: Mapping[Path, Page]
    captions: Mapping[str, str]


class Source(NamedTuple):
    """The text of a page for Sphinx, and the files that it links to, by their place on the site."""

    text: str
    files: Mapping[str, Path]


_CAPTIONS: Final = {
    "en": {
        "tutorials": "Tutorials",
        "how-to": "How to",
        "reference": "Reference",
        "explanation": "Explanation",
        "rules": "Rules of the games",
        "": "Contributing",
    },
    "ja": {
        "tutorials": "チュートリアル",
        "how-to": "手順",
        "reference": "リファレンス",
        "explanation": "解説",
        "rules": "ゲームの規則集",
        "": "そのほか",
    },
}
_ABOUT: Final = {"CONTRIBUTING.md": "contributing", "CHANGELOG.md": "changelog", "THIRD-PARTY.md": "third-party"}
_FOR_OPERATORS: Final = {"docs/scaling.md": "how-to/scaling"}
"""Pages of docs/ that the navigation lists with the how-to pages."""

_FENCED: Final = r"^(?P<indent> *)(?P<fence>`{3,}|~{3,})[\s\S]*?^(?P=indent)(?P=fence) *$"
_CODE: Final = r"(?P<ticks>`+)(?!`)(?:[^\n]|\n(?!\s*\n))*?(?<!`)(?P=ticks)(?!`)"
_LINK: Final = r"(?P<image>!?)\[(?P<label>(?:`[^`]*`|\\.|[^\[\]`])*)\]\((?P<target>[^()\s]+)\)"
_HEADING: Final = r"^#{1,6} .*$"
_RULE: Final = r"(?<![*\w-])(?P<rule>[A-Z]{3}-\d+\.\d+)(?![\w*]|\.\d)"
_CJK: Final = r"[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]"
_BREAK: Final = rf"(?P<soft>(?<={_CJK})\n *(?={_CJK}))"
_PARTS: Final = re.compile(f"{_FENCED}|{_HEADING}|{_CODE}|{_LINK}|{_RULE}|{_BREAK}", re.MULTILINE)
"""What changes for the site, and what stays. A line break between Japanese letters would become a space."""

_ELSEWHERE: Final = re.compile(r"[a-z]+:|#")
_GIVEN: Final = re.compile(r"^( *- )\*\*([A-Z]{3}-\d+\.\d+)\*\*", re.MULTILINE)
"""The id of a rule where the rulebook gives it."""


@cache
def editions() -> tuple[Edition, ...]:
    """Return the site in each language."""
    docs = ROOT / "docs"
    english = {path: path.relative_to(docs) for path in docs.rglob("*.md") if docs / "ja" not in path.parents}
    japanese = {path: path.relative_to(docs / "ja") for path in (docs / "ja").rglob("*.md")}
    english |= {ROOT / name: Path(page) for name, page in (_ABOUT | _FOR_OPERATORS).items()}
    for path in ROOT.glob("ledger/games/*/rules.md"):
        english[path] = japanese[path.with_suffix(".ja.md")] = Path("rules", path.parent.name)
    return tuple(
        Edition(language, folder, {path: page.with_suffix("").as_posix() for path, page in pages.items()}, captions)
        for (language, captions), folder, pages in zip(_CAPTIONS.items(), ("", "ja"), (english, japanese), strict=True)
    )


def build(site: Path) -> int:
    """Build the site in each language anew and return the first exit status that is not 0."""
    made = editions()
    shutil.rmtree(site, ignore_errors=True)
    for edition in made:
        source = site.with_name(f"{site.name}-{edition.language}")
        trees = source / ".trees"
        assemble(source, edition, made)
        strictly = ["-q", "-W", "--keep-going", "-c", str(ROOT / "docs"), "-D", f"language={edition.language}"]
        if status := build_main([*strictly, "-d", str(trees), str(source), str(site / edition.folder)]):
            return status
        shutil.rmtree(trees)
    return 0


def assemble(folder: Path, edition: Edition, all_editions: Iterable[Edition]) -> None:
    """Write the source of an edition."""
    shutil.rmtree(folder, ignore_errors=True)
    for path, page in edition.pages.items():
        text, files = source_of(path, page, edition, all_editions)
        (folder / page).parent.mkdir(parents=True, exist_ok=True)
        (folder / f"{page}.md").write_text(text, encoding="utf-8")
        for place, file in files.items():
            (folder / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, folder / place)


def source_of(path: Path, page: Page, edition: Edition, all_editions: Iterable[Edition]) -> Source:
    """Return a page as it is on the site, and the files that it needs there."""
    files: dict[str, Path] = {}
    elsewhere = {
        source: f"{other.folder}/{name}".lstrip("/")
        for other in all_editions
        if other is not edition
        for source, name in other.pages.items()
    }

    def on_site(part: re.Match[str]) -> str:
        target, label, image = part["target"], part["label"], part["image"]
        if part["soft"]:
            return ""
        if (game := _games().get(part["rule"])) is not None:
            return f"[{part[0]}](site:{_relative(f'rules/{game}', page)}.html#{part[0]})"
        if not target or _ELSEWHERE.match(target):
            return part[0]
        name, mark, anchor = target.partition("#")
        file = Path(os.path.normpath(path.parent / name))
        if not file.exists():
            raise FileNotFoundError(f"{page}: the link to {target} leads nowhere")
        if file == ROOT / "README.md":
            file, mark, anchor = _front(edition), "", ""
        if file in edition.pages:
            return f"{image}[{label}]({_relative(edition.pages[file], page)}.md{mark}{anchor})"
        if file in elsewhere:
            address = _relative(elsewhere[file], f"{edition.folder}/{page}".lstrip("/"))
            return f"[{label}](site:{address}.html{mark}{anchor})"
        if (place := _place(file)) is None:
            return label if "`" in label else f"`{label}`"
        files[place] = file
        return f"{image}[{label}]({_relative(place, page)})"

    text = _PARTS.sub(on_site, path.read_text(encoding="utf-8"))
    if page.startswith("rules/"):
        text = _GIVEN.sub(r'\1<span id="\2">**\2**</span>', text)
    return Source(text + _navigation(edition, text) if page == "index" else text, files)


@cache
def _games() -> dict[str, str]:
    """Return the game whose rulebook gives a rule, by the rule's id."""
    books = {path.parent.name: path.read_text(encoding="utf-8") for path in ROOT.glob("ledger/games/*/rules.md")}
    return {given[2]: game for game, text in books.items() for given in _GIVEN.finditer(text)}


def _front(edition: Edition) -> Path:
    return next(path for path, page in edition.pages.items() if page == "index")


def _relative(target: str, page: Page) -> str:
    return os.path.relpath(target, Path(page).parent)


def _place(file: Path) -> str | None:
    """Return the place on the site of a file that is no page, or `None` if it stays in the repository."""
    for folder in (ROOT / "docs" / "ja", ROOT / "docs"):
        if file.is_file() and folder in file.parents:
            return file.relative_to(folder).as_posix()
    return f"schemas/{file.name}" if file.is_file() and file.parent == ROOT / "schemas" else None


def _navigation(edition: Edition, front: str) -> str:
    """Return the tables of contents: the pages that the front page links to in its order, then the others."""

    def key(page: Page) -> tuple[int, Page]:
        at = front.find(f"]({page}.md")
        return (at if at >= 0 else len(front), page)

    parts = []
    for folder, caption in edition.captions.items():
        pages = [page for page in edition.pages.values() if page.rpartition("/")[0] == folder and page != "index"]
        if pages:
            listed = "\n".join(sorted(pages, key=key))
            parts.append(f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{listed}\n```\n")
    return "".join(parts)


if __name__ == "__main__":
    gc.disable()  # the trees of the pages live until the end, and searching them took a quarter of the time
    sys.exit(build(Path(sys.argv[1])))
