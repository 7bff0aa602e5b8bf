"""A case sheet as people read it, as text and as a page."""

from __future__ import annotations

import re
from io import BytesIO
from unittest.mock import ANY

import msgspec
import pytest
from pypdf import PdfReader

from ledger.text.pdf import page_pdf
from tests.cli.commands import FIRST_DEAL, OPENED, REVOKED, ROOT, CommandLine, result

QUADRILLE = "quadrille-example-06-partner-reveals-himself-and-stop"
UPCARD = "couillon-07-bottom-card-decides"
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
    """The page that a command writes."""
    path = cli.folder / "case.html"
    assert cli.ok(*words, "-o", path, "--overwrite", lang=lang) == (f"Wrote {path}.\n" if lang == "en" else ANY)
    return path.read_text(encoding="utf-8")


def test_the_case_sheet_as_text_tells_the_trick_the_rule_and_the_revoke(ruled: CommandLine) -> None:
    told = ruled.ok(*SHEET)
    for line in (
        "In question: trick 5 (step 24, entry 25)",
        "  ♦Q Clarissa  ♣A Belinda  ♥2 Baron  → Belinda (highest trump)",
        "  Legal there: ♦4  ♦6",
        "    established: trick 5 was turned before the next lead, entry 26",
        "  entry 40 · adjust Belinda +10, Baron -10, Clarissa 0: a fine (in force)",
    ):
        assert f"{line}\n" in told
    assert "    OMB-6.5 [broken] If a plain suit is led" in told


def test_the_case_sheet_names_the_card_called_and_what_was_said(examples: CommandLine) -> None:
    raised = examples.json("dispute", QUADRILLE, "--deal", 1, "the king was called too late")
    words = ("dispute", QUADRILLE, "--case-sheet", raised["version"])
    for told in (examples.ok(*words), page_of(examples, *words)):
        assert "called: Cleo ♣K" in told
        assert "announced: Ada says reveal partner, Cleo says premiers stop" in told


def test_the_case_sheet_names_both_declarers_of_a_result(cli: CommandLine) -> None:
    outcome = {"contract": "normal", "declarers": [0, 2], "doublings": 1, "card_points": [60, 44], "tricks": [2, 2]}
    opened = {"type": "table_opened", "game": "kop", "players": ["Ada", "Ben", "Cleo", "Dan"]}
    cli.record(opened, FIRST_DEAL, {"type": "result_recorded", "outcome": outcome}, table="kop")
    cli.ok("dispute", "kop", "--deal", 1, "wrongly added up")
    words = ("dispute", "kop", "--case-sheet", 4)
    assert cli.json(*words)["declarers"] == [0, 2]
    for lang, told in (("en", "declarers Ada and Cleo"), ("ja", "Ada、Cleo")):
        assert told in cli.ok(*words, lang=lang)
        assert told in page_of(cli, *words, lang=lang)


def test_the_case_sheet_names_the_cards_turned_up(examples: CommandLine) -> None:
    raised = examples.json("dispute", UPCARD, "--deal", 2, "the wrong card was turned")
    assert "turned up: ♠9 ♣J" in examples.ok("dispute", UPCARD, "--case-sheet", raised["version"])


def test_the_time_of_recording_is_not_told_as_that_of_play(cli: CommandLine) -> None:
    """Old paper records are entered years later: when a deal was played only the record can tell."""
    told = {"stream": "table/told", "happened_at": "2014-03-01T06:12:00.000000Z"}
    events = [OPENED, FIRST_DEAL, result(5, 2, 2)]
    cli.record(*events, table="untold")
    cli.ok("import", "-", stdin=b"\n".join(msgspec.json.encode(told | {"event": event}) for event in events))
    for table in ("told", "untold"):
        cli.ok("dispute", table, "--deal", 1, "wrongly added up")
    told_at, untold_at = (cli.ok("dispute", table, "--case-sheet", 4).splitlines()[1] for table in ("told", "untold"))
    assert told_at == "Played 2014-03-01 06:12 UTC"
    assert untold_at.startswith("Recorded 20")
    assert cli.json("dispute", "untold", "--case-sheet", 4)["happened_at"] is None
    assert 'Played <time datetime="2014-03-01T06' in page_of(cli, "dispute", "told", "--case-sheet", 4)
    assert "Played" not in page_of(cli, "dispute", "untold", "--case-sheet", 4)


def test_times_are_those_of_the_session_else_of_tz_else_of_the_machine(cli: CommandLine) -> None:
    opened = {"type": "session_opened", "title": "Evening", "date": "2014-03-01"}
    told = {"happened_at": "2014-03-01T06:12:00.000000Z"}
    for slug, session in (("tokyo", opened | {"zone": "Asia/Tokyo"}), ("nowhere", opened)):
        events = [OPENED | {"session": slug}, FIRST_DEAL, result(5, 2, 2)]
        lines = [{"stream": f"session/{slug}", "event": session}]
        lines += [told | {"stream": f"table/{slug}", "event": event} for event in events]
        cli.ok("import", "-", stdin=b"\n".join(map(msgspec.json.encode, lines)))
        cli.ok("dispute", slug, "--deal", 1, "wrongly added up")

    def played(slug: str, *asked: str) -> str:
        return cli.ok(*asked, "dispute", slug, "--case-sheet", 4).splitlines()[1]

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


def test_a_corrected_card_in_question_is_marked_with_what_was_recorded(ruled: CommandLine) -> None:
    assert "recorded as" not in ruled.ok(*SHEET)
    for words in MENDED:
        ruled.ok(*words)
    told = ruled.ok(*SHEET)
    assert "  Baron ♦4 *\n  * recorded as Baron ♥2; by entry 41: misread\n" in told
    assert "<mark>Baron ♦4</mark> * recorded as Baron ♥2; by entry 41: misread" in page_of(ruled, *SHEET)
    assert ruled.json(*SHEET)["in_question"]["correction"]["written"]["card"] == "H2"


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_usual_case_fits_one_page(ruled: CommandLine, lang: str) -> None:
    """A revoke that was fined, two corrections, and the fine given back, as in the guide."""
    back = ("the fine is given back: there was no revoke", "--deltas", "Baron +10, Belinda -10")
    for words in (*MENDED, ("ruling", REVOKED, "adjust", *back, "--deal", 1, "--dispute", 39)):
        ruled.ok(*words)
    assert len(PdfReader(BytesIO(page_pdf(page_of(ruled, *SHEET, lang=lang)))).pages) == 1


def test_the_case_sheet_speaks_japanese(ruled: CommandLine) -> None:
    told = ruled.ok(*SHEET, lang="ja")
    assert "問題の箇所:第5トリック" in told
    english = ruled.ok(*SHEET)
    titles = [line for line in english.splitlines() if line and not line.startswith((" ", ">"))]
    assert not [title for title in titles if f"\n{title}\n" in told]


def test_the_page_needs_nothing_else_and_prints_in_grey(ruled: CommandLine) -> None:
    page = page_of(ruled, *SHEET)
    assert page.startswith("<!DOCTYPE html>")
    assert not re.search(r"<script|<img|<link|https?://|url\(|@import", page)
    assert set(re.findall(r"#[0-9a-fA-F]{3,6}\b", page)) <= {"#000", "#fff"}
    for text in ("In question: trick 5 (step 24, entry 25)", "♥2 Baron", "OMB-6.5", "a fine", "-20", "-10"):
        assert text in page


def test_the_page_escapes_what_people_wrote(cli: CommandLine) -> None:
    evil = "<script>alert(1)</script>"
    opened = {"type": "table_opened", "game": "ombre", "players": [evil, "Ben & Co", "Cleo"]}
    cli.record(opened, FIRST_DEAL, {"type": "noted", "text": evil})
    cli.ok("dispute", "t", evil, "--deal", 1, "--by", evil)
    cli.ok("ruling", "t", "stands", evil, "--deal", 1, "--dispute", 4)
    path = cli.folder / "case.HTML"
    cli.ok("dispute", "t", "--case-sheet", 4, "-o", path)
    page = path.read_text(encoding="utf-8")
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "Ben &amp; Co" in page


def test_every_recorded_game_has_a_case_sheet(cli: CommandLine) -> None:
    cli.ok("import", *(ROOT / "replays" / name for name in EVERY_GAME))
    for table in cli.json("tables"):
        cli.ok("dispute", table["table"], "is this right?", "--deal", 1)
        (dispute,) = cli.json("dispute", table["table"])
        for lang in ("en", "ja"):
            told = cli.ok("dispute", table["table"], "--case-sheet", dispute["version"], lang=lang)
            assert bool(JAPANESE.search(told)) == (lang == "ja")
        page_of(cli, "dispute", table["table"], "--case-sheet", dispute["version"])
