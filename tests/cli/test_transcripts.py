"""Typed commands and their answers: `transcripts/*.txt`, and cases that no transcript can show."""

import re
from datetime import UTC, datetime
from pathlib import Path
from unittest.mock import Mock

import pytest

from tests.cli import commands
from tests.cli.commands import OPENED, ROOT, CommandLine, named_club, small_club
from tests.cli.japanese import english_in
from tests.cli.terminal import at_a_terminal
from tests.cli.transcripts import Transcript, all_transcripts, play
from tests.recording.test_slips import SLIP


@pytest.mark.usefixtures("quick_plots")
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


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let commands that run in this process find a terminal."""
    monkeypatch.setattr("click.testing._NamedTextIOWrapper.isatty", lambda _: True)


OPEN = "Some tables of the session are still open: t, u. Close it anyway? [y/N] "


@pytest.mark.usefixtures("watched")
@pytest.mark.parametrize(("typed", "status"), [("y\n", 0), ("はい\n", 0), ("\n", 2), ("n\n", 2)])
def test_a_question_names_open_tables(seated: CommandLine, typed: str, status: int) -> None:
    answered = seated.run("session", "close", "friday", stdin=typed.encode())
    assert (answered.exit_code, OPEN in answered.stderr) == (status, True)
    assert (seated.last_event()["type"] == "session_closed") is (status == 0)


def test_a_question_is_answered_at_a_terminal(seated: CommandLine) -> None:
    ended, shown = at_a_terminal(seated, "y\n", "session", "close", "friday")
    assert (ended, OPEN in shown, seated.last_event()["type"]) == (0, True, "session_closed")


HINT = "line 10: HT was played in line 9; with HQ the rest of the deal is in order"


@pytest.fixture
def slip(cli: CommandLine) -> Path:
    return cli.file("slip.toml", SLIP.encode())


def has_queen(cli: CommandLine) -> bool | None:
    cards = [entry["event"].get("card") for entry in cli.entries()]
    return cards.count("HQ") == 1 if cards else None


@pytest.mark.usefixtures("watched")
@pytest.mark.parametrize(
    ("typed", "status", "is_taken"),
    [("a\n", 0, False), ("s\n", 3, None), ("x\nＴ\n", 0, True), ("", 3, None)],
    ids=["as typed", "stopped", "asked again", "nobody there"],
)
def test_a_slip_opens_questions(cli: CommandLine, slip: Path, typed: str, status: int, is_taken: bool | None) -> None:
    answered = cli.run("import", slip, stdin=typed.encode())
    assert answered.exit_code == status
    assert (HINT in answered.stderr, "Error" in answered.output) == (True, False)
    assert "[t] take the suggestion [a] record it as typed [s] stop" in answered.output
    assert has_queen(cli) is is_taken


AWAY = Path("away.ledger")


@pytest.mark.parametrize(("lang", "said"), [
    ("en", ["Level with club.ledger: 42 ", "Interrupted: there is no ledger", "Level with", "Stopped: 43 "]),
    ("ja", ["club.ledgerに追いついています:記録42件", "中断しました:", "club.ledgerに追", "終わりました:記録43件"]),
])  # fmt: skip
def test_a_copy_follows_until_ctrl_c(
    bare_cli: CommandLine, monkeypatch: pytest.MonkeyPatch, lang: str, said: list[str]
) -> None:
    club = bare_cli.made_by(small_club)
    monkeypatch.chdir(club.folder)

    def lose() -> None:
        club.record({"type": "noted", "text": "later"})
        club.ledger.rename(AWAY)

    interrupt = Mock(side_effect=KeyboardInterrupt)
    parts = iter((lambda: None, lose, lambda: None, lambda: AWAY.rename(club.ledger), interrupt))
    monkeypatch.setattr("ledger.api.proofs.sleep", lambda seconds: next(parts)())
    lines = club.ok("copy", "club.ledger", "copy.ledger", "--follow", lang=lang).splitlines()
    assert [line[: len(start)] for line, start in zip(lines, said, strict=True)] == said
    assert not Path("copy.ledger-wal").exists()
