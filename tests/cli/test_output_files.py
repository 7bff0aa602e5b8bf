"""Files that `--output` may write: no existing file without `--overwrite`, and none that belongs to a ledger."""

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from ledger.cli.output import output_file
from ledger.errors import ConflictError
from tests.cli.commands import CommandLine, contents, environment, process, ruled_club
from tests.covering import covering

NAME = "club.example/ledger"
OF_A_LEDGER = (
    "club.ledger", "club.key", "club.pub", "club.checkpoint", "club.ledger-wal", "club.ledger-shm",
    "club.ledger-journal", "club.ledger-lock", "club.ledger.history.duckdb", "club.ledger.history.duckdb.wal",
    "club.ledger.history.duckdb.wal.checkpoint", "club.ledger.history.duckdb.wal.recovery",
    "club.ledger.history.duckdb-lock", ".club.ledger.history.duckdb.draft", ".club.ledger.77.new", ".club.key.77.new",
    "club.ledger.queries/mine.sql", "club.ledger.access", "club.ledger.serve.duckdb",
)  # fmt: skip
COMMANDS = {
    "export": ["export"],
    "query": ["query", "SELECT 1", "--format", "csv"],
    "stats": ["stats", "standings"],
    "stats as parquet": ["stats", "standings", "--format", "parquet"],
    "simulate": ["simulate", "ombre", "--deals", 1],
    "dispute": ["dispute", "ombre-revoke", "--case-sheet", 39],
    "receipt": ["receipt", "ombre-revoke", "--deal", 1],
}
EACH = pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)


def with_files(cli: CommandLine) -> None:
    """Make a club with keys, a checkpoint, a read model and a saved query."""
    ruled_club(cli)
    cli.ok("checkpoint", "--make-key", NAME)
    cli.ok("checkpoint")
    cli.ok("query", "SELECT 1", "--save", "mine")
    cli.ok("stats", "standings")


@pytest.fixture
def full_club(bare_cli: CommandLine) -> CommandLine:
    return bare_cli.made_by(with_files)


@EACH
def test_nothing_of_a_ledger_is_written_over(full_club: CommandLine, words: list[object]) -> None:
    before = contents(full_club.folder)
    for name in OF_A_LEDGER:
        for overwrite in ((), ("--overwrite",)):
            refused = full_club.refused(4, *words, "-o", full_club.folder / name, *overwrite)
            assert "it was not overwritten; choose another file" in refused, name
            assert contents(full_club.folder) == before, name


@pytest.mark.parametrize("words", [["report", "evening"], ["plot", "cumulative"]], ids=["report", "plot"])
def test_no_page_or_plot_hides_a_key(full_club: CommandLine, words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """They are written to .html and .svg files; the key of a ledger with such a name ends in the same way."""
    monkeypatch.chdir(full_club.folder)
    key = full_club.folder / "evening.svg.html"
    key.write_bytes((full_club.folder / "club.key").read_bytes())
    key.with_name("evening.html").symlink_to(key)
    key.with_name("cumulative.svg").symlink_to(key)
    file = "evening.html" if words[0] == "report" else "cumulative.svg"
    assert full_club.refused(4, *words, "--overwrite") == (
        f"trickledger: {file} contains a private key; it was not overwritten; choose another file\n"
    )


def test_a_private_key_is_recognised_in_any_place_under_any_name(full_club: CommandLine, tmp_path: Path) -> None:
    away = tmp_path / "away"
    away.mkdir()
    key = away / "notes.txt"
    (full_club.folder / "club.key").rename(key)
    before = key.read_bytes()
    refused = full_club.refused(4, "query", "SELECT 1", "-o", key, "--overwrite", "--format", "json")
    error = json.loads(refused)["error"]
    assert (error["code"], error["file"]) == ("exists", str(key))
    assert error["message"] == f"{key} contains a private key; it was not overwritten; choose another file"
    assert key.read_bytes() == before


def test_databases_are_known_by_what_they_hold(full_club: CommandLine) -> None:
    for name, begin in (("a", b"SQLite format 3\0"), ("b", b"checksum" + b"DUCK"), ("c", b"\x37\x7f\x06\x82")):
        file = full_club.file(name, begin + bytes(100))
        refused = full_club.refused(4, "export", "-o", file, "--overwrite")
        assert "is a database, perhaps a ledger; it was not overwritten" in refused
        assert file.read_bytes()[: len(begin)] == begin


def test_files_of_another_ledger_are_known_too(full_club: CommandLine) -> None:
    other = full_club.elsewhere().folder
    assert full_club.refused(4, "export", "-o", other / "club.ledger-wal") == (
        f"trickledger: {other}/club.ledger-wal belongs to the ledger {other}/club.ledger; "
        "it was not overwritten; choose another file\n"
    )


def test_a_link_to_what_belongs_to_a_ledger_is_followed(full_club: CommandLine, tmp_path: Path) -> None:
    link = tmp_path / "all.ndjson"
    link.symlink_to(full_club.folder / "club.ledger-journal")
    assert full_club.run("export", "-o", link).exit_code == 4
    assert not (full_club.folder / "club.ledger-journal").exists()


def test_what_is_recorded_during_an_export_into_the_write_ahead_log_stays(full_club: CommandLine) -> None:
    writer = sqlite3.connect(full_club.ledger)
    writer.execute("SELECT count(*) FROM entries").fetchone()
    full_club.ok("dispute", "t", "kept?", "--deal", "1")
    assert (full_club.folder / "club.ledger-wal").stat().st_size > 0
    assert full_club.run("export", "-o", full_club.folder / "club.ledger-wal", "--overwrite").exit_code == 4
    writer.close()
    assert "kept?" in full_club.ok("export")


def test_no_copy_takes_the_place_of_a_ledgers_files(full_club: CommandLine) -> None:
    before = contents(full_club.folder)
    for words in (["backup"], ["restore", full_club.ledger]):
        for name in ("club.key", "club.pub", "club.checkpoint", "club.ledger.history.duckdb"):
            assert "it was not overwritten" in full_club.refused(4, *words, full_club.folder / name, "--overwrite")
            assert contents(full_club.folder) == before, (words, name)


@EACH
def test_a_file_that_is_there_needs_overwrite(full_club: CommandLine, words: list[object]) -> None:
    file = full_club.file("last-year", b"kept\n")
    refused = full_club.refused(4, *words, "-o", file)
    assert "last-year already exists and was not overwritten; use --overwrite, or name another file" in refused
    assert file.read_bytes() == b"kept\n"
    full_club.ok(*words, "-o", file, "--overwrite")
    assert file.read_bytes() != b"kept\n"
    assert [left for left in full_club.folder.iterdir() if left.name.endswith(".new")] == []


def test_a_file_that_comes_into_being_meanwhile_stays(full_club: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    place = full_club.folder / "answer.csv"
    with pytest.raises(ConflictError, match="already exists"), output_file(str(place), overwrite=False) as file:
        file.write(b"mine")
        place.write_bytes(b"yours")
    assert place.read_bytes() == b"yours"


@EACH
def test_devices_are_written_to(full_club: CommandLine, words: list[object]) -> None:
    assert full_club.run(*words, "-o", "/dev/null").exit_code == 0
    assert Path("/dev/null").is_char_device()


@pytest.mark.parametrize(
    ("name", "redirected"), covering(("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"), (">", ">>", "|cat>"))
)
def test_what_the_shell_has_opened_is_written_to(bare_cli: CommandLine, name: str, redirected: str) -> None:
    script = f'echo before; "{sys.executable}" -m ledger simulate ombre --deals 1 -o {name}'
    command = ["sh", "-c", f"{{ {script}; }} {redirected} out.txt"]
    subprocess.run(command, cwd=bare_cli.folder, check=True, env=environment())
    assert (bare_cli.folder / "out.txt").read_text() == "before\n" + bare_cli.ok("simulate", "ombre", "--deals", 1)


def test_a_pipe_that_has_a_name_is_written_to(bare_cli: CommandLine) -> None:
    os.mkfifo(bare_cli.folder / "pipe")
    with subprocess.Popen(["cat", "pipe"], cwd=bare_cli.folder, stdout=subprocess.PIPE) as reader:
        answered = process("simulate", "ombre", "--deals", "1", "-o", "pipe", folder=bare_cli.folder)
        assert answered.returncode == 0
        assert reader.stdout is not None
        assert reader.stdout.read().decode() == bare_cli.ok("simulate", "ombre", "--deals", 1)
