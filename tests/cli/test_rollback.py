"""Detection of rollbacks if files are damaged or cannot be written; the rest is in `transcripts/`."""

from __future__ import annotations

import json
import os
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from ledger.log import SqliteStore
from tests.cli.commands import CommandLine, two_tables

NAME = "club.example/ledger"
UNCHECKED = "Not checked for removed entries"


def note(text: str) -> dict[str, Any]:
    return {"type": "noted", "text": text}


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
    home.record(note("goes on"))
    assert json.loads(seen(home).read_bytes())["position"] == entries(home)


def test_a_folder_that_cannot_be_written_to_is_verified() -> None:
    with tempfile.TemporaryDirectory() as folder:
        cli = CommandLine(Path(folder))
        cli.ok("init")
        cli.record({"type": "table_opened", "game": "ombre", "players": ["Ann", "Ben", "Cleo"]})
        cli.folder.chmod(0o555)
        child = os.fork()
        if child == 0:
            if os.geteuid() == 0:
                os.setuid(65534)  # nobody, for whom the folder's permissions hold
            try:
                completed = cli.run("verify")
                status = completed.exit_code if UNCHECKED not in completed.stdout else 98
            except BaseException:
                status = 99
            os._exit(status)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        cli.folder.chmod(0o755)


def test_an_appended_entry_stays_even_where_the_file_cannot_be_written(home: CommandLine) -> None:
    seen(home).unlink()
    seen(home).mkdir()
    before = entries(home)
    home.record(note("goes on"))
    assert entries(home) == before + 1
    with closing(sqlite3.connect(home.ledger)) as connection:
        assert connection.execute("SELECT max(position) FROM entries").fetchone() == (before + 1,)
