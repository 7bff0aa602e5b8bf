"""Draw every page and state in a real browser next to its mock-up, every plot and a report: `make gallery`, then open
gallery/index.html.

The mock-ups are not part of the repository: `MOCKUPS=folder make gallery` reads them from there; otherwise their column
stays empty. The states are those of the tests (`tests/site/states.py`).
"""

from __future__ import annotations

import html
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from playwright.sync_api import Browser, Page, sync_playwright

from tests.site.browser import ARGUMENTS, DESK, PHONE, SMALL_PHONE, TABLET, Site, serving, window
from tests.site.house import house_of
from tests.site.states import STATES, State, View, reached
from tools.gallery_paper import LANGUAGES, club, drawn_plots, drawn_report
from tools.gallery_readme import draw as readme_pictures

FOLDER: Final = Path("gallery")

_SHOTS: Final[Sequence[tuple[str, View]]] = (
    ("phone", View("en", "light", PHONE)),
    ("phone, dark", View("ja", "dark", PHONE)),
    ("tablet", View("ja", "light", TABLET)),
    ("desktop", View("en", "dark", DESK)),
    ("small phone", View("en", "light", SMALL_PHONE)),
    ("phone on its side", View("ja", "light", (740, 360))),
)
"""Each size, both languages, light and dark, but not every combination; `--all` draws more."""
_ALL: Final[Sequence[tuple[str, View]]] = tuple(
    (f"{size_name}, {lang}, {theme}", View(lang, theme, size))
    for size_name, size in (("phone", PHONE), ("tablet", TABLET), ("desktop", DESK))
    for lang in ("en", "ja")
    for theme in ("light", "dark")
)
_PRINT: Final = "print"
_INLINE: Final = r"Applying inline style violates"
"""The browser's complaint about Playwright, which hides the caret by an inline style when it takes a picture."""

_STYLE: Final = """
body { font: 16px/1.4 system-ui, sans-serif; margin: 1rem; background: #fff; color: #000; }
.state { display: flex; gap: 1rem; overflow-x: auto; align-items: flex-start; padding-bottom: 1rem; }
figure { margin: 0; flex: none; }
img { width: 300px; border: 1px solid #999; display: block; }
.wide img { width: 520px; }
.none { width: 300px; color: #666; }
"""


class Shot(NamedTuple):
    """A picture of a state: the view's name, and the file."""

    name: str
    file: str
    is_wide: bool


def main() -> None:
    """Draw the gallery; with `--all`, in every combination of size, language and theme.

    With `--readme`, draw the pictures of README.md instead.
    """
    mockups = Path(os.environ["MOCKUPS"]) if os.environ.get("MOCKUPS") else None
    shots = _ALL if "--all" in sys.argv[1:] else _SHOTS
    program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if program is None:
        raise SystemExit("chromium is missing: apt-get install chromium fonts-ipaexfont-gothic")
    if "--readme" in sys.argv[1:]:
        _draw_readme(program)
        return
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir()
    rows = []
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(house_of(Path(folder))) as site,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=program, args=list(ARGUMENTS))
        for number, state in enumerate(STATES, 1):
            print(f"{number:3}/{len(STATES)}  {state.name}", flush=True)
            drawn = list(_drawn(browser, site, state, shots))
            rows.append(_row(state, drawn, _mockup(browser, mockups, state)))
        paper = list(_on_paper(browser, Path(folder)))
        browser.close()
    (FOLDER / "index.html").write_text(_page([*paper, *rows]), encoding="utf-8")
    print(f"{FOLDER / 'index.html'}: {len(STATES)} states, {len(list(FOLDER.glob('*.png')))} pictures")


def _draw_readme(program: str) -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(ARGUMENTS))
        for path in readme_pictures(browser, Path(folder)):
            print(f"{path}: {path.stat().st_size / 1000:.0f} kB")
        browser.close()


def _drawn(browser: Browser, site: Site, state: State, shots: Sequence[tuple[str, View]]) -> Iterator[Shot]:
    allowing = state._replace(allowed=(*state.allowed, _INLINE))
    for name, view in shots:
        with reached(browser, site, allowing, view) as page:
            yield Shot(name, _taken(page, f"{state.name}--{name}"), view.size != PHONE)
            if (name, view) == shots[0]:
                page.emulate_media(media=_PRINT)
                page.set_viewport_size({"width": 794, "height": 1123})
                yield Shot(_PRINT, _taken(page, f"{state.name}--{_PRINT}"), True)


def _on_paper(browser: Browser, folder: Path) -> Iterator[str]:
    """Yield a row for each kind of printed output."""
    made = folder / "paper"
    made.mkdir()
    cli = club(made)
    for name, files in (*drawn_plots(cli, FOLDER), ("report", drawn_report(cli, FOLDER, browser))):
        print(f"{name} on paper", flush=True)
        shots = (Shot(lang, file.name, True) for lang, file in zip(LANGUAGES, files, strict=True))
        yield f'<h2>{html.escape(name)}</h2><div class="state">{"".join(map(_figure, shots))}</div>'


def _mockup(browser: Browser, mockups: Path | None, state: State) -> Shot | None:
    if mockups is None or not state.mockup or not (mockups / state.mockup).is_file():
        return None
    address = (mockups / state.mockup).resolve().as_uri()
    with window(browser, "file:", PHONE, allowed=(".*",)) as page:
        page.goto(address)
        return Shot(f"mock-up {state.mockup}", _taken(page, f"{state.name}--mock-up"), False)


def _taken(page: Page, name: str) -> str:
    file = "".join(sign if sign.isalnum() else "-" for sign in name) + ".png"
    page.screenshot(path=FOLDER / file, full_page=True, animations="disabled", caret="initial")
    return file


def _row(state: State, drawn: Sequence[Shot], mockup: Shot | None) -> str:
    first = _figure(mockup) if mockup is not None else '<p class="none">no mock-up</p>'
    figures = "".join(map(_figure, drawn))
    head = f"<h2>{html.escape(state.name)}</h2><p>{html.escape(state.address)}</p>"
    return f'{head}<div class="state">{first}{figures}</div>'


def _figure(shot: Shot) -> str:
    wide = ' class="wide"' if shot.is_wide else ""
    name = html.escape(shot.name)
    return (
        f'<figure{wide}><figcaption>{name}</figcaption><a href="{shot.file}">'
        f'<img src="{shot.file}" alt="{name}" loading="lazy"></a></figure>'
    )


def _page(rows: Sequence[str]) -> str:
    return (
        '<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Every page and state</title>'
        f"<style>{_STYLE}</style><h1>Every page and state</h1>{''.join(rows)}</html>\n"
    )


if __name__ == "__main__":
    main()
