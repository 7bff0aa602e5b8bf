"""Damaged ledgers: the reports of `verify` and the output of `export`; more in `transcripts/damaged.txt`."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from ledger.log import SqliteStore
from tests.cli.commands import CommandLine, two_tables
from tests.log.damages import alter, swap_cards

DAMAGE = {
    "broken JSON": (b'"deal":1,"dealer":2}', b'"deal":1,"dealer:2"}'),
    "of unknown type": (b'"deal_started","deal":1,"dealer":2}', b'"deal_ztarted","deal":1,"dealer":2}'),
    "altered, but valid": (b'"tricks":[5,2,2]', b'"tricks":[4,3,2]'),
}
"""Changes to the table `t`, positions 1 to 4 of the club: bytes before and after."""


def damage(ledger: Path, before: bytes, after: bytes) -> None:
    """Change the oldest entry with these bytes; SQLite fills pages from their end."""
    content = bytearray(ledger.read_bytes())
    start = content.rindex(before)
    content[start : start + len(before)] = after
    ledger.write_bytes(content)


@pytest.fixture(params=DAMAGE)
def damaged(club: CommandLine, request: pytest.FixtureRequest) -> CommandLine:
    damage(club.ledger, *DAMAGE[request.param])
    return club


FORMS = [[], ["--bare"], ["--anonymous"], ["--bare", "--table", "t"], ["--anonymous", "--table", "t"]]


@pytest.mark.parametrize("words", FORMS, ids=" ".join)
def test_an_export_stops_at_the_first_entry_that_is_not_as_recorded(damaged: CommandLine, words: list[str]) -> None:
    report = damaged.run("verify", "--format", "json")
    position = json.loads(report.stdout)["damage"]["position"]
    assert (report.exit_code, position in (2, 3)) == (1, True)
    assert damaged.run("verify").stdout.startswith(f"Damaged at position {position}:")
    answered = damaged.run("export", *words)
    assert answered.exit_code == 5
    assert answered.stderr == (
        f"trickledger: the ledger is damaged at position {position}; verify it and restore a backup\n"
    )
    written = 0 if "--anonymous" in words else position - 1
    assert len(answered.stdout.splitlines()) == written, "what was written before is sound"
    before = sorted(damaged.folder.iterdir())
    assert damaged.run("export", *words, "--output", damaged.folder / "all.ndjson").exit_code == 5
    assert sorted(damaged.folder.iterdir()) == before, "no file is left"


@pytest.mark.parametrize("form", ["--bare", "--anonymous"])
def test_a_table_that_is_sound_is_exported_where_another_is_damaged(damaged: CommandLine, form: str) -> None:
    output = damaged.ok("export", form, "--table", "ombre-revoke")
    rescued = damaged.elsewhere("rescued")
    rescued.ok("import", "-", stdin=output.encode())
    (row,) = rescued.json("tables")
    assert row["deals"] == 1


@pytest.mark.parametrize("words", [["tables"], ["score", "--all"], ["audit", "--all"], ["replay", "--all"]])
def test_sound_tables_are_listed_before_the_error_that_names_the_damaged(club: CommandLine, words: list[str]) -> None:
    swap_cards(club.ledger, "ombre-revoke")
    answered = club.run(*words, "--format", "json")
    (row,) = json.loads(f"[{','.join(answered.stdout.splitlines())}]")
    assert '"t"' in json.dumps(row) and "ombre-revoke" not in json.dumps(row)
    assert answered.exit_code == 5
    assert json.loads(answered.stderr)["error"]["stream"] == "table/ombre-revoke"
    alter(club.ledger, "UPDATE entries SET recorded_by = 'x' WHERE position = 2")
    assert "several tables are damaged (t, ombre-revoke)" in club.refused(5, *words)


def test_a_moment_is_resolved_in_a_ledger_with_a_damaged_table(club: CommandLine) -> None:
    swap_cards(club.ledger, "ombre-revoke")
    assert club.run("score", "t", "--as-of", "2100-01-01").exit_code == 0
    alter(club.ledger, "UPDATE entries SET recorded_at = '2200-01-01T00:00:00.000000Z' WHERE position = 5")
    assert "at position 5" in club.refused(5, "score", "t", "--as-of", "2100-01-01")


ADVICE = "Keep this file, and restore a backup next to it: trickledger --ledger restored.ledger restore BACKUP\n"


def cut_in_half(ledger: Path) -> None:
    content = ledger.read_bytes()
    ledger.write_bytes(content[: len(content) // 2])


def without_head(ledger: Path) -> None:
    ledger.write_bytes(bytes(16) + ledger.read_bytes()[16:])


def with_a_page_of_noise(ledger: Path) -> None:
    """Overwrite the page that holds the table's entries."""
    content = bytearray(ledger.read_bytes())
    start = content.index(b'"table_opened"') // 4096 * 4096
    content[start : start + 4096] = b"\xaa" * 4096
    ledger.write_bytes(content)


@pytest.mark.parametrize("spoil", [cut_in_half, without_head, with_a_page_of_noise])
def test_unreadable_files_are_damaged_and_refused_elsewhere(club: CommandLine, spoil: Callable[[Path], None]) -> None:
    spoil(club.ledger)
    answered = club.run("verify")
    assert (answered.exit_code, answered.stderr) == (1, "")
    assert answered.stdout.startswith("Damaged")
    assert answered.stdout.endswith(f"\n{ADVICE}")
    assert "verify" not in answered.stdout
    completed = club.run("verify", "--format", "json")
    assert (completed.exit_code, completed.stderr) == (1, "")
    report = json.loads(completed.stdout)
    assert (report["undamaged"], report["entries"], report["digest"]) == (False, 0, "00" * 32)
    assert report["damage"]["what"].startswith("cannot be read: ")
    japanese = json.loads(club.run("verify", "--format", "json", "--lang", "ja").stdout)["damage"]["what"]
    assert japanese.startswith("読めません: データベースのファイル")
    assert japanese in club.run("verify", "--lang", "ja").stdout
    for words in (["export"], ["tables"], ["backup"]):
        assert "club.ledger is damaged" in club.refused(5, *words)


def test_a_larger_ledger_cut_in_half_is_damaged_at_the_first_entry_that_is_gone(club: CommandLine) -> None:
    club.ok("import", "-", stdin=club.ok("simulate", "--deals", 40).encode())
    cut_in_half(club.ledger)
    report = club.json("verify")
    assert report["entries"] > 100
    assert report["damage"]["position"] == report["entries"] + 1
    assert club.run("verify").stdout.startswith(f"Damaged at position {report['entries'] + 1}: cannot be read: ")


def test_a_damaged_ledger_is_not_merged_and_said_to_be_damaged(club: CommandLine) -> None:
    other = club.elsewhere()
    cut_in_half(club.ledger)
    refused = other.refused(5, "import", club.ledger)
    assert refused.startswith(f"trickledger: the ledger {club.ledger} is damaged")
    assert refused.count("is damaged") == 1


NAME = "club.example/ledger"
UNCHECKED = "Not checked for removed entries"

NOTE = {"type": "noted", "text": "goes on"}


@pytest.fixture
def home(bare_cli: CommandLine) -> CommandLine:
    return bare_cli.made_by(two_tables)


def seen(home: CommandLine) -> Path:
    return home.folder / "club.ledger.seen"


def entries(home: CommandLine) -> int:
    with SqliteStore(home.ledger, access="read") as store:
        return store.head().position


@pytest.mark.parametrize("content", [b"", b"{}", b"\0" * 100, b'{"position":-1,"digest":""}', b"[" * 100_000])
def test_what_is_no_such_file_stops_nobody_and_checks_nothing(home: CommandLine, content: bytes) -> None:
    seen(home).write_bytes(content)
    assert UNCHECKED in home.ok("verify")
    home.record(NOTE)
    assert json.loads(seen(home).read_bytes())["position"] == entries(home)


def test_an_appended_entry_stays_even_where_the_file_cannot_be_written(home: CommandLine) -> None:
    seen(home).unlink()
    seen(home).mkdir()
    before = entries(home)
    home.record(NOTE)
    assert entries(home) == before + 1
    with closing(sqlite3.connect(home.ledger)) as connection:
        assert connection.execute("SELECT max(position) FROM entries").fetchone() == (before + 1,)
