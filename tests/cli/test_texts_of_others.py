"""Names and texts from other people: they are shown as they are, cost nothing, and cannot control a terminal."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as some

from ledger.text.layout import visible
from tests.cli.commands import FIRST_DEAL, OPENED, CommandLine, environment, process, result

PLAYERS = ["Ann [guest]", "Bob [/x]", "Cleo :heart:"]
RULED = ("ruling", "t", "adjust", "a [/fine]", "--deal", "1", "--deltas", "5,-5,0")


@pytest.fixture
def guests(cli: CommandLine) -> CommandLine:
    cli.record({**OPENED, "players": PLAYERS}, FIRST_DEAL, result(5, 2, 2))
    return cli


def test_a_text_drives_no_terminal(cli: CommandLine) -> None:
    cli.record(OPENED, FIRST_DEAL, result(5, 2, 2))
    cli.ok("dispute", "t", "a\x1b]0;title\x07b\u202e", "--deal", "1")
    for words in (["tables"], ["score", "t"], ["dispute", "t"], ["dispute", "t", "--case-sheet", "4"], ["audit", "t"]):
        assert not set(cli.ok(*words)) & set("\x1b\x07\u202e")
    assert r"a\x1b]0;title\x07b\u202e" in cli.ok("dispute", "t")
    assert cli.json("dispute", "t")[0]["text"] == "a\x1b]0;title\x07b\u202e"


@given(some.text())
def test_what_is_shown_can_be_read_and_keeps_what_could_be(text: str) -> None:
    shown = visible(text)
    assert not any((ord(sign) < 32 and sign not in "\t\n") or 127 <= ord(sign) < 160 for sign in shown)
    assert shown == text or any(not sign.isprintable() for sign in text)


def test_a_wide_answer_is_not_cut_where_nobody_looks_at_it(guests: CommandLine) -> None:
    shown = guests.ok("query", "FROM deals")
    assert "…" not in shown
    assert all(name in shown for name in guests.json("query", "FROM deals")[0])


def test_csv_is_utf_8_whatever_the_terminal_can_show(cli: CommandLine) -> None:
    args = ("query", "SELECT 'Baśka' AS game", "--format", "csv")
    answered = process(*args, folder=cli.folder, PYTHONIOENCODING="latin-1", PYTHONUTF8="0")
    assert answered.returncode == 0
    assert answered.stdout.decode() == "game\nBaśka\n"


def test_a_file_keeps_who_may_read_it(guests: CommandLine) -> None:
    file = guests.file("names.ndjson", b"older")
    file.chmod(0o600)
    guests.ok("export", "-o", file, "--overwrite")
    assert (file.stat().st_mode & 0o777, file.read_text()) == (0o600, guests.ok("export"))


@pytest.mark.parametrize("closed", [">&-", "<&- >&- 2>&-"])
def test_streams_may_be_closed(guests: CommandLine, closed: str) -> None:
    command = f'exec "{sys.executable}" -m ledger --ledger "{guests.ledger}" tables {closed}'
    answered = subprocess.run(["sh", "-c", command], capture_output=True, check=False, env=environment())
    assert (answered.returncode, answered.stderr) == (0, b"")


def test_two_ledgers_in_one_folder_have_keys_of_their_own(bare_cli: CommandLine) -> None:
    for year in ("2025", "2026"):
        bare_cli.ledger = bare_cli.folder / f"club.{year}"
        bare_cli.ok("init")
        bare_cli.ok("checkpoint", "--make-key", "club")
        bare_cli.ok("checkpoint")
    keys = {bare_cli.folder.joinpath(f"club.{year}.pub").read_text() for year in ("2025", "2026")}
    assert len(keys) == 2


def test_a_ledger_that_can_only_be_read_answers(guests: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = {words: guests.ok(*words) for words in [("tables",), ("score", "t"), ("players",), ("export",)]}
    monkeypatch.setattr("ledger.log.sqlite_file.os.access", lambda *_: False)
    assert {words: guests.ok(*words) for words in shown} == shown
    assert guests.run(*RULED).exit_code == 4
