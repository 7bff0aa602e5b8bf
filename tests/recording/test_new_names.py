"""Names that are not allowed, or not any more; recorded ones stay readable."""

import json
from pathlib import Path

import pytest

from ledger.errors import MalformedError
from ledger.events import Noted, PlayerSeated, TableOpened, encode_event
from ledger.log import Batch, MemoryStore, NewEntry, SqliteStore, open_store, sqlite
from ledger.log.verify import verify
from ledger.recording.importing import ImportAs, import_content
from ledger.recording.live import LiveTable
from ledger.table.repository import fold_table
from tests.cli.commands import FIRST_DEAL, OPENED, CommandLine, lines, result

OLD = ("Ann", "ann", "Bo\u200bb")
"""Two names that look the same, and one with an invisible character."""


@pytest.fixture
def old(tmp_path: Path) -> CommandLine:
    """Return an older ledger with the table `new` of these three players."""
    with SqliteStore.create(tmp_path / "club.ledger") as store:
        opened = NewEntry(TableOpened(game="ombre", players=OLD))
        store.append(Batch("table/new", 0, (opened,)), recorded_by="test")
    return CommandLine(tmp_path)


def test_a_ledger_with_such_names_is_read_and_taken_over_as_it_is(old: CommandLine) -> None:
    old.record(FIRST_DEAL, result(6, 2, 1), table="new")
    assert old.json("score", "new")["players"] == list(OLD)
    assert old.json("audit", "new")["findings"] == []
    assert old.json("replay", "new", "--deal", 1)["dealer"] == 2
    exported = old.ok("export")
    assert json.loads(exported.splitlines()[0])["event"]["players"] == list(OLD)
    other = old.elsewhere()
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
    import_content(store, content, "file", ImportAs(by="me"))
    assert fold_table(store, "t").players == ["Ann", "Ben", "Cyd"]


def test_a_ledger_with_one_stays_readable_and_is_not_merged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "club.ledger"
    with monkeypatch.context() as before, SqliteStore.create(path) as store:
        before.setattr(sqlite, "recorder_name", lambda name: name)
        import_content(store, lines(OPENED), "file", ImportAs(by="Ann\0"))
    assert verify(path).damage is None
    with open_store(path, access="read") as store:
        (line,) = (row.line() for row in store.read())
    assert json.loads(line)["recorded_by"] == "Ann\0"
    cli = CommandLine(tmp_path)
    assert json.loads(cli.ok("export"))["recorded_by"] == "Ann\0"
    assert cli.json("score", "t")["players"] == OPENED["players"]
    cli.ok("backup", tmp_path / "copy.ledger")
    with pytest.raises(MalformedError, match="position 1: not a valid name of a recorder"):
        import_content(MemoryStore(), line, "file", ImportAs(by="test"))
