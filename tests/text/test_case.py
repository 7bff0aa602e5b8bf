"""A case sheet as text and as a page; more tests are in `tests/cli/transcripts/case-sheet.txt`."""

from __future__ import annotations

import re
from io import BytesIO
from unittest.mock import ANY

import msgspec
import pytest
from pypdf import PdfReader

from ledger.games import rule_named
from ledger.text.pages import page_pdf
from tests.cli.commands import FIRST_DEAL, OPENED, REVOKED, ROOT, CommandLine, result

EVERY_GAME = (
    "couillon/22-concession.toml",
    "kop/22-two-irregularities.toml",
    "kop/match-baska.toml",
    "ombre/revoke-found-later.toml",
    "quadrille/27-audited-record.toml",
)
SHEET = ("dispute", REVOKED, "--case-sheet", 39)
JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")


def page_of(cli: CommandLine, *words: object, lang: str = "en") -> str:
    """Return the page that a command writes."""
    path = cli.folder / "case.html"
    assert cli.ok(*words, "-o", path, "--overwrite", lang=lang) == (f"Wrote {path}.\n" if lang == "en" else ANY)
    return path.read_text(encoding="utf-8")


def test_times_are_those_of_the_session_else_of_tz_else_of_the_machine(cli: CommandLine) -> None:
    opened = {"type": "session_opened", "title": "Evening", "date": "2014-03-01"}
    happened = {"happened_at": "2014-03-01T06:12:00.000000Z"}
    for slug, session in (("tokyo", opened | {"zone": "Asia/Tokyo"}), ("nowhere", opened)):
        events = [OPENED | {"session": slug}, FIRST_DEAL, result(5, 2, 2)]
        lines = [{"stream": f"session/{slug}", "event": session}]
        lines += [happened | {"stream": f"table/{slug}", "event": event} for event in events]
        cli.ok("import", "-", stdin=b"\n".join(map(msgspec.json.encode, lines)))
        cli.ok("dispute", slug, "--deal", 1, "wrongly added up")

    def played(slug: str, *options: str) -> str:
        return cli.ok(*options, "dispute", slug, "--case-sheet", 4).splitlines()[1]

    assert played("tokyo") == played("tokyo", "--tz", "Europe/Berlin") == "Played 2014-03-01 15:12 UTC+09:00"
    assert played("nowhere", "--tz", "Europe/Berlin") == "Played 2014-03-01 07:12 UTC+01:00"
    assert played("nowhere") == "Played 2014-03-01 06:12 UTC"
    assert cli.json("dispute", "tokyo", "--case-sheet", 4)["zone"] == "Asia/Tokyo"
    page = page_of(cli, "dispute", "nowhere", "--case-sheet", 4, "--tz", "Asia/Tokyo")
    assert '<time datetime="2014-03-01T06:12:00.000000Z">2014-03-01 15:12 UTC+09:00</time>' in page
    assert cli.run("tables", "--tz", "Mars/Olympus").exit_code == 2


MENDED = [
    ("correct", REVOKED, "replace", card, "--deal", 1, "--step", step, "--reason", "misread")
    for step, card in ((24, "D4"), (26, "H2"))
]


@pytest.mark.parametrize("lang", [pytest.param("en", marks=pytest.mark.soak), "ja"])
def test_the_usual_case_fits_one_page(ruled: CommandLine, lang: str) -> None:
    """A fined revoke, two corrections, and the returned fine, as in the guide."""
    back = ("the fine is given back: there was no revoke", "--deltas", "Baron +10, Belinda -10")
    for words in (*MENDED, ("ruling", REVOKED, "adjust", *back, "--deal", 1, "--dispute", 39)):
        ruled.ok(*words)
    assert len(PdfReader(BytesIO(page_pdf(page_of(ruled, *SHEET, lang=lang)))).pages) == 1


def test_the_case_sheet_speaks_japanese(ruled: CommandLine) -> None:
    sheet_text = ruled.ok(*SHEET, lang="ja")
    assert "問題の箇所:第5トリック" in sheet_text
    assert f"OMB-6.5 {rule_named('OMB-6.5', 'ja').text}" in sheet_text
    english = ruled.ok(*SHEET)
    titles = [line for line in english.splitlines() if line and not line.startswith((" ", ">"))]
    assert not [title for title in titles if f"\n{title}\n" in sheet_text]


def test_the_page_needs_nothing_else_and_prints_in_grey(ruled: CommandLine) -> None:
    page = page_of(ruled, *SHEET)
    assert page.startswith("<!DOCTYPE html>")
    assert not re.search(r"<script|<img|<link|https?://|url\(|@import", page)
    assert set(re.findall(r"#[0-9a-fA-F]{3,6}\b", page)) <= {"#000", "#fff"}
    for text in ("In question: trick 5 (step 24, entry 25)", "♥2 Baron", "OMB-6.5", "a fine", "-20", "-10"):
        assert text in page


def test_every_recorded_game_has_a_case_sheet(cli: CommandLine) -> None:
    cli.ok("import", *(ROOT / "replays" / name for name in EVERY_GAME))
    for table in cli.json("tables"):
        cli.ok("dispute", table["table"], "is this right?", "--deal", 1)
        (dispute,) = cli.json("dispute", table["table"])
        for lang in ("en", "ja"):
            sheet_text = cli.ok("dispute", table["table"], "--case-sheet", dispute["version"], lang=lang)
            assert bool(JAPANESE.search(sheet_text)) == (lang == "ja")
        page_of(cli, "dispute", table["table"], "--case-sheet", dispute["version"])
