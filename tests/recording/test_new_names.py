"""Names that may not be recorded any more: what has them stays readable, and goes on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ledger.events import Noted, PlayerSeated, TableOpened, encode_event
from ledger.log import Batch, MemoryStore, NewEntry, SqliteStore
from ledger.recording.importing import import_content
from ledger.recording.live import LiveTable
from ledger.table.lookup import fold_table
from tests.cli.commands import FIRST_DEAL, OPENED, CommandLine, lines, result

OLD = ("Ann", "ann", "Bo\u200bb")
"""Two that look the same, and one with a sign that nobody sees."""


@pytest.fixture
def old(tmp_path: Path) -> CommandLine:
    """A ledger of before: the table `new`, of those three, as the log alone takes it."""
    with SqliteStore.create(tmp_path / "club.ledger") as store:
        opened = NewEntry(TableOpened(game="ombre", players=OLD))
        store.append(Batch("table/new", 0, (opened,)), recorded_by="test")
    return CommandLine(tmp_path)


def test_a_ledger_with_such_names_is_read_and_taken_over_as_it_is(old: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "play.ndjson").write_bytes(lines(FIRST_DEAL, result(6, 2, 1), table="new"))
    old.ok("import", tmp_path / "play.ndjson")
    assert old.json("score", "new")["players"] == list(OLD)
    assert old.json("audit", "new")["findings"] == []
    assert old.json("replay", "new", "--deal", 1)["dealer"] == 2
    exported = old.ok("export")
    assert json.loads(exported.splitlines()[0])["event"]["players"] == list(OLD)
    other = CommandLine(tmp_path / "other")
    other.folder.mkdir()
    other.ok("init")
    other.ok("import", "-", stdin=exported.encode())
    assert other.ok("export") == exported
    other.refused(3, "import", "-", stdin=lines({**OPENED, "players": OLD}))


def test_a_table_with_such_names_goes_on(old: CommandLine) -> None:
    for event in (Noted(text="x"), PlayerSeated(seat=2, player="Cyd"), PlayerSeated(seat=1, player="Dan")):
        old.ok("import", "-", stdin=b'{"stream":"table/new","event":%b}' % encode_event(event))
    assert old.json("score", "new")["players"] == ["Ann", "Dan", "Cyd"]


def test_players_change_seats_where_that_is_recorded_together() -> None:
    store = MemoryStore()
    table = LiveTable.open(store, "t", TableOpened(game="ombre", players=("Ann", "Ben", "Cyd")), by="me")
    change = (PlayerSeated(seat=0, player="Ben"), PlayerSeated(seat=1, player="Ann"))
    table.record([NewEntry(event) for event in change], by="me")
    back = (PlayerSeated(seat=0, player="Ann"), PlayerSeated(seat=1, player="Ben"))
    content = b"".join(b'{"stream":"table/t","event":%b}\n' % encode_event(event) for event in back)
    import_content(store, content, "file", recorded_by="me")
    assert fold_table(store, "t").players == ["Ann", "Ben", "Cyd"]
