"""Typed commands and their answers: `transcripts/*.txt`, and cases that no transcript can show."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.cli import commands
from tests.cli.commands import OPENED, ROOT, CommandLine, named_club
from tests.cli.japanese import english_in
from tests.cli.terminal import at_a_terminal
from tests.cli.transcripts import Transcript, all_transcripts, play
from tests.recording.test_slips import SLIP


@pytest.mark.parametrize("transcript", all_transcripts(), ids=lambda transcript: transcript.name)
def test_commands_are_answered(bare_cli: CommandLine, transcript: Transcript, monkeypatch: pytest.MonkeyPatch) -> None:
    """The current folder is that of the ledger, so that messages name it `club.ledger`."""
    monkeypatch.chdir(bare_cli.folder)
    bare_cli.made_by(getattr(commands, transcript.ledger))
    Path("replays").symlink_to(ROOT / "replays")
    bare_cli.ledger = Path("club.ledger")
    play(bare_cli, transcript)


SECRET = "Wisława Szymborska"


@pytest.fixture
def named(bare_cli: CommandLine) -> CommandLine:
    return bare_cli.made_by(named_club)


def test_a_forgotten_name_is_gone_from_texts_and_from_the_disk_and_the_ledger_is_sound(named: CommandLine) -> None:
    before = named.json("verify")
    named.ok("stats", "standings")
    named.ok("players", "Ann", "--forget")
    assert SECRET not in named.ok("score", "t")
    assert "Ann" in named.ok("score", "t")
    assert named.json("verify") == before
    assert not [path for path in named.folder.iterdir() if path.is_file() and SECRET.encode() in path.read_bytes()]
    assert [row["name"] for row in named.json("players") if row["player"] == "Baron"] == ["Lord Petre"]


@pytest.fixture
def seated(cli: CommandLine) -> CommandLine:
    """Make an evening with the tables `t` and `u`."""
    cli.ok("session", "open", "friday", "--title", "Friday evening")
    for table in ("t", "u"):
        cli.record({**OPENED, "session": "friday"}, table=table)
    return cli


def test_without_a_date_it_is_today_in_the_zone_requested(cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ledger.cli.table.utc_now", lambda: datetime(2026, 1, 30, 20, tzinfo=UTC))
    days = {}
    for slug, words in {
        "machine": (),
        "asked": ("--tz", "Asia/Tokyo"),
        "its-own": ("--zone", "Asia/Tokyo"),
        "both": ("--tz", "Europe/London", "--zone", "Asia/Tokyo"),
    }.items():
        cli.ok("session", "open", slug, "--title", "T", *words)
        days[slug] = cli.last_event()["date"]
    assert days == {"machine": "2026-01-30", "asked": "2026-01-31", "its-own": "2026-01-31", "both": "2026-01-30"}


def test_open_tables_are_named_in_japanese(seated: CommandLine) -> None:
    assert english_in(seated.refused(2, "session", "close", "friday", lang="ja"), re.compile("friday|TABLE")) == []


@pytest.mark.parametrize(("typed", "status"), [("y\n", 0), ("はい\n", 0), ("\n", 2), ("n\n", 2)])
def test_at_a_terminal_a_question_names_open_tables(seated: CommandLine, typed: str, status: int) -> None:
    ended, shown = at_a_terminal(seated, typed, "session", "close", "friday")
    assert ended == status
    assert "Some tables of the session are still open: t, u. Close it anyway? [y/N] " in shown
    assert (seated.last_event()["type"] == "session_closed") is (status == 0)


HINT = "line 10: HT was played in line 9; with HQ the rest of the deal is in order"


@pytest.fixture
def slip(cli: CommandLine) -> Path:
    return cli.file("slip.toml", SLIP.encode())


@pytest.mark.parametrize(
    ("typed", "status", "has_queen"),
    [("t\n", 0, True), ("a\n", 0, False), ("s\n", 3, None), ("x\nt\n", 0, True), ("\x04", 3, None)],
    ids=["taken", "as typed", "stopped", "asked again", "nobody there"],
)
def test_a_slip_opens_questions(cli: CommandLine, slip: Path, typed: str, status: int, has_queen: bool | None) -> None:
    ended, shown = at_a_terminal(cli, typed, "import", slip)
    assert ended == status
    assert HINT in shown
    assert "[t] take the suggestion [a] record it as typed [s] stop" in shown
    cards = [entry["event"].get("card") for entry in cli.entries()]
    assert (cards.count("HQ") == 1 if cards else None) == has_queen
