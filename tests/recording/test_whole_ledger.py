"""A ledger with corrected, disputed and ruled tables of every game can be moved, digest by digest."""

import json
from pathlib import Path

import pytest

from ledger.games import registered_games
from ledger.log import MemoryStore, SqliteStore
from ledger.log.verify import verify
from ledger.recording.exporting import export_lines
from ledger.recording.importing import ImportAs, import_content
from ledger.recording.merging import merge
from ledger.table.repository import fold_tables, table_slugs
from ledger.table.score import score_answer
from tests.test_project import ROOT

TABLES_PER_GAME = 12


def after_the_fact(table: str, versions: int) -> bytes:
    """Return a correction of the last entry by itself and a note, one that adds an event, a dispute and a ruling."""
    note = {"type": "noted", "text": "read again"}
    events = [
        {"type": "corrected", "version": versions, "action": "insert_after", "events": [note], "reason": "a remark"},
        {"type": "noted", "text": "struck"},
        {"type": "corrected", "version": versions + 2, "action": "strike", "reason": "of no use"},
        {"type": "corrected", "version": 1, "action": "insert_after", "events": [note, note], "reason": "Zoë says so"},
        {"type": "dispute_raised", "deal": 1, "seat": 0, "text": "was it so?"},
        {"type": "ruling_given", "deal": 1, "kind": "stands", "dispute": versions + 5, "text": "it was"},
    ]
    return b"".join(json.dumps({"stream": f"table/{table}", "event": event}).encode() + b"\n" for event in events)


@pytest.fixture(scope="module")
def ledger() -> MemoryStore:
    store = MemoryStore()
    for folder in sorted((ROOT / "replays").iterdir()):
        for path in sorted(folder.glob("*.toml"))[:TABLES_PER_GAME]:
            import_content(store, path.read_bytes(), path.name, ImportAs(by="test"))
    for table in store.streams("table/"):
        import_content(store, after_the_fact(table.stream[6:], table.version), "director", ImportAs(by="director"))
    return store


def scores(store: MemoryStore | SqliteStore) -> list[object]:
    return [score_answer(slug, fold) for slug, fold in fold_tables(store)]


def test_every_game_is_there(ledger: MemoryStore) -> None:
    assert {fold.game.name for _, fold in fold_tables(ledger)} == set(registered_games())


def test_a_whole_export_makes_the_same_ledger(ledger: MemoryStore, tmp_path: Path) -> None:
    lines = list(export_lines(ledger))
    with SqliteStore.create(tmp_path / "moved.ledger") as moved:
        report = import_content(moved, b"\n".join(lines), "export", ImportAs(by="somebody else"))
        assert report.events == len(lines)
        assert list(export_lines(moved)) == lines
        assert moved.head() == ledger.head()
        assert scores(moved) == scores(ledger)
    assert verify(tmp_path / "moved.ledger", witness=ledger.head()).damage is None


def test_a_bare_export_makes_the_same_tables(ledger: MemoryStore) -> None:
    moved = MemoryStore()
    import_content(moved, b"\n".join(export_lines(ledger, bare=True)), "export", ImportAs(by="somebody else"))
    assert list(export_lines(moved, bare=True)) == list(export_lines(ledger, bare=True))
    assert scores(moved) == scores(ledger)


def test_halves_of_a_ledger_merge_to_the_same_tables(ledger: MemoryStore) -> None:
    """The other ledger has every second table, and this one only the beginning of one more."""
    slugs = table_slugs(ledger)
    here, elsewhere = MemoryStore(), MemoryStore()
    for store, tables in ((here, slugs[::2]), (elsewhere, slugs[1::2] + slugs[:1])):
        lines = b"\n".join(export_lines(ledger, bare=True, tables=tables))
        if store is here:
            first = [line for line in lines.split(b"\n") if b'"table/%b"' % slugs[0].encode() in line]
            lines = b"\n".join(line for line in lines.split(b"\n") if line not in first[5:])
        import_content(store, lines, "part", ImportAs(by="test"))
    merge(here, elsewhere, "elsewhere", ImportAs(by="test"))
    tables = {answer.table: answer for answer in scores(here)}
    assert tables == {answer.table: answer for answer in scores(ledger)}
    assert verify(here).damage is None
