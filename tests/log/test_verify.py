"""Verification detects each kind of tampering and names the first bad position."""

import sqlite3
import tomllib
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ledger.errors import UnreadableError
from ledger.log import EMPTY, Head, MemoryStore, Row, SqliteStore
from ledger.log.chain import digest_after
from ledger.log.verify import Verification, verify
from tests.contracts.log_builders import RECORDER, an_id, batch, play
from tests.log.damages import alter, described

SIZE = 12
TAMPERING = tomllib.loads(Path(__file__).with_name("tampering.toml").read_text(encoding="utf-8"))
Tamper = Callable[[str], None]


@pytest.fixture
def tamper(path: Path) -> Tamper:
    return partial(alter, path)


def test_a_sound_ledger_in_a_file_or_in_memory(path: Path, store: MemoryStore) -> None:
    sound = Verification(SIZE, store.head(), None)
    with SqliteStore(path) as opened:
        assert verify(path) == verify(str(path)) == verify(opened) == verify(store) == sound


def test_an_empty_ledger_is_sound(tmp_path: Path) -> None:
    SqliteStore.create(tmp_path / "new.ledger").close()
    assert verify(tmp_path / "new.ledger") == Verification(0, Head(0, bytes(32)), None)


@pytest.mark.parametrize(("change", "position", "what"), TAMPERING["tampered"])
def test_what_was_tampered_with_is_named(path: Path, tamper: Tamper, change: str, position: int, what: str) -> None:
    tamper(change.replace("SET", "UPDATE entries SET"))
    result = verify(path)
    assert described(result.damage) == (position, what)
    assert (result.entries, result.head.position) == (position - 1, position - 1)


def test_entries_cut_off_at_the_end_are_missed_by_a_witness(path: Path, tamper: Tamper) -> None:
    witness = verify(path).head
    tamper("DELETE FROM entries WHERE position > 9")
    assert verify(path).damage is None
    assert described(verify(path, witness=witness).damage) == (
        10,
        "the ledger ends before this entry, but had 12 entries before",
    )


def forged(path: Path, position: int, change: dict[str, Any]) -> str:
    """Return SQL that changes these fields at a position and recomputes the digests."""
    with SqliteStore(path, access="read") as store:
        rows = list(store.read())
    script, digest = "", bytes(32)
    change = {name: value.encode() if name == "payload" else value for name, value in change.items()}
    for row in rows:
        altered: Row = msgspec.structs.replace(row, **(change if row.position == position else {}))
        digest = digest_after(digest, altered.canonical())
        script += (
            f"UPDATE entries SET version = {altered.version}, id = '{altered.id}', digest = x'{digest.hex()}',"
            f" recorded_at = '{altered.recorded_at}', event = '{altered.payload.decode()}'"
            f" WHERE position = {row.position};"
        )
    return script


@pytest.mark.parametrize(("change", "what"), TAMPERING["forged"])
def test_a_repaired_chain_reveals_a_forged_text(path: Path, tamper: Tamper, change: dict[str, Any], what: str) -> None:
    tamper(forged(path, SIZE, change))
    position, result = described(verify(path).damage)
    assert position == 12
    assert what in result


def test_a_forger_who_repairs_everything_is_detected_by_a_witness(path: Path, tamper: Tamper) -> None:
    witness = verify(path).head
    tamper(forged(path, 3, {"payload": '{"type":"noted","text":"a lie"}'}))
    assert verify(path).damage is None
    written_anew = "the digest differs from the one noted earlier: the ledger was rewritten"
    assert described(verify(path, witness=witness).damage) == (12, written_anew)


def test_a_damaged_event_names_its_position(path: Path, tamper: Tamper) -> None:
    tamper("UPDATE entries SET event = '{' WHERE position = 7")
    with SqliteStore(path) as store:
        *_, row = store.read(until=7, verified=False)
    with pytest.raises(
        UnreadableError, match=r"the ledger is damaged at position 7 \(table/a, version 4\): .*; verify it"
    ):
        row.event()


def test_a_null_where_none_can_be_is_damage(path: Path, tamper: Tamper) -> None:
    """A flipped bit in the header of a record causes it."""
    redefine = "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, '{}', '{}'); {}"
    strict, lax, reload = "event TEXT NOT NULL", "event TEXT", "PRAGMA writable_schema = RESET;"
    tamper(
        redefine.format(strict, lax, reload)
        + "UPDATE entries SET event = NULL WHERE position = 7;"
        + redefine.format(lax, strict, reload)
    )
    what = "cannot be read: its columns have wrong types: a page of the file is damaged"
    assert described(verify(path).damage) == (7, what)


@pytest.mark.parametrize(("sql", "what"), TAMPERING["altered"])
def test_what_is_not_as_in_any_ledger_is_damage_of_the_file(path: Path, sql: str, what: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(sql)
    assert described(verify(path).damage) == (None, what)


def test_an_index_that_disagrees_is_damage_at_its_entry(path: Path) -> None:
    page_size = 4096
    with closing(sqlite3.connect(path)) as connection:
        sql = "SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_entries_1'"
        page = connection.execute(sql).fetchone()[0]
    content = bytearray(path.read_bytes())
    place = content.index(an_id(7).encode(), (page - 1) * page_size, page * page_size)
    content[place + 35] = ord("f")
    path.write_bytes(content)
    position, what = described(verify(path).damage)
    assert position == 7
    assert "the database is damaged: row 7 missing from index" in what


def test_a_file_cut_short_is_damage_at_the_first_entry_that_is_gone(path: Path) -> None:
    with SqliteStore(path) as store:
        store.append(batch(*[play()] * 500), recorded_by=RECORDER)
    content = path.read_bytes()
    readable = []
    for pages in range(1, len(content) // 4096):
        path.write_bytes(content[: pages * 4096])
        result = verify(path)
        assert described(result.damage) == (result.entries + 1, "cannot be read: database disk image is malformed")
        readable.append(result.entries)
    assert readable == sorted(readable)
    assert readable[0] == 0
    assert readable[-1] > 400


def test_a_file_with_only_the_mark_of_a_ledger_is_a_damaged_ledger(path: Path) -> None:
    content = path.read_bytes()
    for left, why in (
        (content[:72], "database disk image is malformed"),
        (b"?" + content[1:], "file is not a database"),
        (bytes(68) + content[68:72] + bytes(len(content)), "file is not a database"),
    ):
        path.write_bytes(left)
        result = verify(path)
        assert (result.entries, result.head) == (0, EMPTY)
        assert described(result.damage) == (None, f"cannot be read: {why}")


@pytest.mark.parametrize("left", [b"", b"SQLite format 3\0", b"Dear Sir, " * 1000])
def test_a_file_without_the_mark_is_no_ledger(path: Path, left: bytes) -> None:
    path.write_bytes(left)
    with pytest.raises(UnreadableError, match="is not a ledger; check the path, or restore a backup if it should"):
        verify(path)


def test_a_file_that_is_refused_though_all_entries_can_be_read_is_damaged(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[28] ^= 1  # the number of pages
    path.write_bytes(content)
    result = verify(path)
    assert described(result.damage) == (None, "cannot be read: database disk image is malformed")
    assert result.entries == SIZE


def test_progress_is_reported(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ledger.log.verify._PROGRESS_EVERY", 5)
    described: list[tuple[int, int]] = []
    verify(path, progress=lambda done, total: described.append((done, total)))
    assert described == [(5, 12), (10, 12), (12, 12)]


def test_where_there_is_no_ledger_there_is_nothing_to_check(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="there is no ledger at"):
        verify(tmp_path / "none.ledger")
