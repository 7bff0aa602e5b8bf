"""Draw the printed output for the gallery: every plot and the report of a session, in both languages.

The club is made up and always the same. The browser draws a report as it would print it; the PDF is written next to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, ViewportSize

from ledger.plots.figures import plots
from tests.cli.commands import CommandLine

LANGUAGES: Final = ("en", "ja")
PLAYER: Final = "Łukasz Święty"
_MEMBERS: Final = f"""\
{PLAYER}; counting; 0.95
鈴木 愛子; careful; 0.9
Ève Dubois; counting; 0.8
Ben; careful; 0.8
Ann; random; 0.7
Cleo; counting; 0.9
Dan; careful; 0.6
Zofia Gęś; careful; 0.7
Marie-Louise van den Broeck; counting; 0.8
"""
_SHEET: Final[ViewportSize] = {"width": 794, "height": 1123}
"""A4 in the pixels of a browser."""


def club(folder: Path, evenings: int = 60) -> CommandLine:
    """Create a ledger with a year of all games."""
    cli = CommandLine(folder)
    members, entries = folder / "members.txt", folder / "year.ndjson"
    members.write_text(_MEMBERS, encoding="utf-8")
    cli.ok("init")
    cli.ok("simulate", "--evenings", evenings, "--from", "2025-03-06", "--players", members, "-o", entries)
    cli.ok("import", entries)
    return cli


def drawn_plots(cli: CommandLine, folder: Path) -> Iterator[tuple[str, list[Path]]]:
    """Draw each plot and yield its name with one picture for each language."""
    for name in plots():
        whose = ("--player", PLAYER) if name == "year" else ()
        files = []
        for lang in LANGUAGES:
            files.append(folder / f"plot-{name}-{lang}.png")
            cli.ok("plot", name, *whose, "-o", files[-1], lang=lang)
        yield name, files


def drawn_report(cli: CommandLine, folder: Path, browser: Browser) -> list[Path]:
    """Draw the report of the session with the most tables and rulings, and return one picture for each language."""
    session = cli.json("query", _FULLEST)[0]["session"]
    files = [folder / f"report-{lang}.png" for lang in LANGUAGES]
    for lang, file in zip(LANGUAGES, files, strict=True):
        page = file.with_suffix(".html")
        cli.ok("report", session, "-o", page, lang=lang)
        cli.ok("report", session, "-o", page.with_suffix(".pdf"), lang=lang)
        window = browser.new_page()
        window.emulate_media(media="print")
        window.set_viewport_size(_SHEET)
        window.goto(page.resolve().as_uri())
        window.screenshot(path=file, full_page=True)
        window.close()
    return files


_FULLEST: Final = """
  SELECT session FROM tables LEFT JOIN rulings USING (table_name)
  WHERE session IS NOT NULL GROUP BY session ORDER BY count(*) DESC, session LIMIT 1"""
