"""U+0000, where other programs end a text, stands in no name; a ledger that holds one already stays readable."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ledger.errors import MalformedError
from ledger.log import MemoryStore, SqliteStore, open_store, sqlite
from ledger.log.verify import verify
from ledger.recording.importing import import_content
from tests.cli.commands import OPENED, CommandLine


def bare(stream: str, event: dict[str, Any]) -> bytes:
    return json.dumps({"stream": stream, "event": event}).encode()


def test_no_recorder_holds_zero() -> None:
    store = MemoryStore()
    with pytest.raises(MalformedError) as refused:
        import_content(store, bare("table/t", OPENED), "file", recorded_by="Ann\0")
    assert str(refused.value) == r"not a recorder's name: 'Ann\x00'; expected a name that can be read"
    assert store.head().position == 0


def test_a_ledger_that_holds_one_stays_readable_and_is_not_taken_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "club.ledger"
    with monkeypatch.context() as before, SqliteStore.create(path) as store:
        before.setattr(sqlite, "recorder_name", lambda name: name)
        import_content(store, bare("table/t", OPENED), "file", recorded_by="Ann\0")
    assert verify(path).damage is None
    with open_store(path, access="read") as store:
        (line,) = (row.line() for row in store.read())
    assert json.loads(line)["recorded_by"] == "Ann\0"
    cli = CommandLine(tmp_path)
    assert json.loads(cli.ok("export"))["recorded_by"] == "Ann\0"
    assert cli.json("score", "t")["players"] == OPENED["players"]
    cli.ok("backup", tmp_path / "copy.ledger")
    with pytest.raises(MalformedError, match="position 1: not a recorder's name"):
        import_content(MemoryStore(), line, "file", recorded_by="test")
