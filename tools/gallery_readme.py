"""Draw the pictures of README.md into docs/images/, light and dark: `make gallery ALL=--readme`.

`revoke-*.png` is a page of the service, drawn by the browser. `terminal-*.svg` is a recording of commands with their
real output: an SVG whose frames are animated by CSS. Where nothing is animated, it shows the frame of the audit.
`python -m tools.gallery_readme` writes the recordings alone, without a browser.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import chdir
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import wrap
from typing import Final, NamedTuple

from click.testing import CliRunner
from PIL import Image
from playwright.sync_api import Browser

from ledger.cli import main
from tests.hand_records import REPLAYS
from tests.site.browser import serving
from tests.site.states import STATES, Theme, View, reached
from tests.web.serving import ledger_of

ROOT: Final = Path(__file__).parents[1]
IMAGES: Final = Path("docs", "images")
THEMES: Final[Sequence[Theme]] = ("light", "dark")
CLUB: Final = "Thursday Card Club"

_STATE: Final = "ombre"
_WINDOW: Final = (1366, 750)
_INLINE: Final = r"Applying inline style violates"
_COLOURS: Final = 256
"""With fewer, and no rounds of `_KMEANS`, suits lose their colours, because few pixels have them."""
_KMEANS: Final = 4

FRAMES: Final[Sequence[tuple[tuple[str, ...], float]]] = (
    (("examples", "init", "import examples/ombre/*.toml"), 5),
    (("replay ombre-revoke --deal 1 --step 24",), 7),
    (("audit ombre-revoke",), 8),
    (("score ombre-revoke",), 6),
)
"""The commands of each frame, and how many seconds it is shown."""

_STILL: Final = 2
"""The frame to show where nothing is animated."""

_COLUMNS: Final = 104
_CELL: Final = (8.4, 19.0)
"""Width and height of a character in pixels."""
_MARGIN: Final = 16
_ALONE: Final = "♠♥♦♣→·–"
"""Characters that many fonts lack; each gets a place of its own, so that a font of another width moves nothing."""

_INKS: Final[Mapping[str, tuple[str, str, str]]] = {
    "light": ("#fbfcf8", "#1c1d1f", "#0b6b3a"),
    "dark": ("#16181a", "#e8e8e3", "#7fd6a3"),
}
"""The background, the text and the prompt of each theme."""


class Screen(NamedTuple):
    """The lines of a terminal, and the seconds for which they are shown."""

    lines: Sequence[str]
    seconds: float


def screens(folder: Path) -> Iterator[Screen]:
    """Run the commands in an empty folder and yield the screen after each frame."""
    with chdir(folder):
        for commands, seconds in FRAMES:
            lines = [line for command in commands for line in (f"$ trickledger {command}", *_answer(command), "")]
            yield Screen(lines[:-1], seconds)


def recording(shown: Sequence[Screen], theme: str) -> str:
    """Return the animated SVG."""
    paper, ink, prompt = _INKS[theme]
    width = _COLUMNS * _CELL[0] + 2 * _MARGIN
    height = max(len(one.lines) for one in shown) * _CELL[1] + 2 * _MARGIN
    whole, begin = sum(one.seconds for one in shown), 0.0
    rules, groups = [], []
    for number, one in enumerate(shown):
        first, last = (f"{100 * moment / whole:.2f}%" for moment in (begin, begin + one.seconds))
        before = "" if number == 0 else "0%{opacity:0}"
        rules.append(f"@keyframes f{number}{{{before}{first}{{opacity:1}}{last},100%{{opacity:0}}}}")
        rules.append(f".f{number}{{animation:f{number} {whole:g}s step-end infinite}}")
        opacity = "" if number == _STILL else ' opacity="0"'
        groups.append(f'<g class="f{number}"{opacity}>\n{"".join(_drawn(one.lines, prompt))}</g>\n')
        begin += one.seconds
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" font-family="ui-monospace,Menlo,Consolas,DejaVu Sans Mono,monospace" font-size="14" '
        f'fill="{ink}">\n<style>@media (prefers-reduced-motion:no-preference){{{"".join(rules)}}}</style>\n'
        f'<rect width="100%" height="100%" rx="8" fill="{paper}" stroke="{ink}" stroke-opacity=".3"/>\n'
        f"{''.join(groups)}</svg>\n"
    )


def record(folder: Path) -> Iterator[Path]:
    """Write the recordings into `IMAGES` and yield their paths; `folder` is empty."""
    (ROOT / IMAGES).mkdir(exist_ok=True)
    shown = list(screens(folder))
    for theme in THEMES:
        path = ROOT / IMAGES / f"terminal-{theme}.svg"
        path.write_text(recording(shown, theme), encoding="utf-8")
        yield path


def draw(browser: Browser, folder: Path) -> Iterator[Path]:
    """Draw all pictures into `IMAGES` and yield their paths; `folder` is empty."""
    (folder / "terminal").mkdir()
    yield from record(folder / "terminal")
    state = next(one for one in STATES if one.name == _STATE)
    allowing = state._replace(allowed=(*state.allowed, _INLINE))
    with serving(ledger_of(folder, REPLAYS / "ombre" / "revoke.toml"), "--club", CLUB) as site:
        for theme in THEMES:
            with reached(browser, site, allowing, View("en", theme, _WINDOW)) as page:
                taken = page.screenshot(animations="disabled", caret="initial")
            path = ROOT / IMAGES / f"revoke-{theme}.png"
            Image.open(io.BytesIO(taken)).convert("RGB").quantize(_COLOURS, kmeans=_KMEANS).save(path, optimize=True)
            yield path


def _answer(command: str) -> Iterator[str]:
    """Run the command and yield the lines of its answer, broken as a terminal breaks them."""
    words = [str(name) for word in command.split() for name in (sorted(Path().glob(word)) if "*" in word else [word])]
    answered = CliRunner().invoke(main, words, prog_name="trickledger")
    if answered.exit_code not in (0, 1):
        raise RuntimeError(f"{command}: {answered.output}")
    for line in answered.output.rstrip("\n").splitlines():
        yield from wrap(line.rstrip(), _COLUMNS, subsequent_indent=" " * 10, replace_whitespace=False) or [""]


def _drawn(lines: Sequence[str], prompt: str) -> Iterator[str]:
    """Yield the lines as SVG."""
    for number, line in enumerate(lines):
        if line:
            y = f"{_MARGIN + (number + 0.8) * _CELL[1]:.1f}"
            how = f' fill="{prompt}" font-weight="600"' if line.startswith("$ ") else ""
            yield f'<text y="{y}"{how}>{"".join(_pieces(line))}</text>\n'


def _pieces(line: str) -> Iterator[str]:
    """Yield the pieces of a line between wide blanks and rare characters, each at its column."""
    column = 0
    while column < len(line):
        if line[column] == " ":
            column += 1
            continue
        end = column + 1
        if line[column] not in _ALONE:
            while end < len(line) and line[end] not in _ALONE and line[end : end + 2] != "  ":
                end += 1
        piece = line[column:end].rstrip()
        x, length = _MARGIN + column * _CELL[0], len(piece) * _CELL[0]
        yield f'<tspan x="{x:.1f}" textLength="{length:.1f}">{escape(piece)}</tspan>'
        column = end


if __name__ == "__main__":
    with TemporaryDirectory() as empty:
        for written in record(Path(empty)):
            print(written.relative_to(ROOT))
