"""Verification detects each kind of tampering; every answer and export has the entries as recorded, or fails."""

import sqlite3
import tomllib
from collections.abc import Callable, Collection
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ledger.errors import UnreadableError
from ledger.log import EMPTY, Head, MemoryStore, Row, SqliteStore
from ledger.log.chain import digest_after
from ledger.log.stores import bulk_reader
from ledger.log.verified_rows import sound_rows
from ledger.log.verify import Verification, verify
from tests.contracts.log_builders import RECORDER, an_id, batch, play
from tests.log.damages import alter, described
from tests.log.proof_builders import altered

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


def answered_before(position: int, rows: list[Row], streams: Collection[str] = ()) -> list[int]:
    """Return the positions that are read before the one at which damage is reported."""
    answered = []
    with pytest.raises(UnreadableError, match=f"^the ledger is damaged at position {position}; verify it and restore"):
        for row in sound_rows(rows, SIZE, streams):
            answered.append(row.position)
    return answered


def test_a_sound_ledger_is_answered_as_it_is(store: MemoryStore) -> None:
    rows = list(store.read())
    assert list(sound_rows(rows, SIZE)) == list(sound_rows(rows, SIZE, {"table/a"})) == rows
    assert list(sound_rows([], 0)) == []


NO_JSON = {"payload": b'{"type":"noted","text:"remark 7"}'}


@pytest.mark.parametrize("change", [
    {"payload": b'{"type":"noted","text":"remark 8"}'}, {"payload": b'{"type":"hummed","text":"remark 7"}'}, NO_JSON,
    {"payload": None}, {"recorded_by": "somebody"}, {"stream": "table/c"}, {"version": 9}, {"digest": bytes(32)},
    {"digest": None},
], ids=str)  # fmt: skip
def test_an_altered_entry_is_not_answered(store: MemoryStore, change: dict[str, object]) -> None:
    rows = list(altered(store, 7, **change).read())
    assert answered_before(7, rows) == [1, 2, 3, 4, 5, 6]


def test_an_entry_that_cannot_be_read_is_named_though_all_are_read_at_once(store: MemoryStore) -> None:
    with pytest.raises(UnreadableError, match="position 7"):
        bulk_reader(altered(store, 7, **NO_JSON)).events("table/a", 12)


def test_a_missing_entry_is_noticed_wherever_it_was(store: MemoryStore) -> None:
    rows = list(store.read())
    assert answered_before(1, rows[1:]) == []
    assert answered_before(7, [*rows[:6], *rows[7:]]) == [1, 2, 3, 4, 5, 6]
    assert len(answered_before(12, rows[:-1])) == 11
    assert len(answered_before(12, rows[:-1], {"table/a"})) == 11, "nobody knows of which table it was"


def test_of_the_streams_that_are_wanted_every_entry_must_fit_and_of_others_none(store: MemoryStore) -> None:
    rows = list(altered(store, 7, payload=b'{"type":"noted","text":"remark 8"}').read())
    assert list(sound_rows(rows, SIZE, {"table/b"})) == rows
    assert len(answered_before(7, rows, {"table/a"})) == 6
    assert len(answered_before(7, rows, {"table/a", "table/b"})) == 6


@pytest.mark.parametrize("digest", [bytes(32), None])
def test_what_follows_an_altered_digest_cannot_be_known_to_be_sound(store: MemoryStore, digest: object) -> None:
    rows = list(altered(store, 7, digest=digest).read())
    assert len(answered_before(8, rows, {"table/b"})) == 7


ALTERED = {
    "SET event = replace(event, 'remark 7', 'remark 8') WHERE position = 7": 7,
    "SET recorded_by = 'somebody' WHERE position = 1": 1,
    "SET recorded_at = '2026-01-05T18:30:00.000001Z' WHERE position = 11": 11,
    "SET digest = zeroblob(32) WHERE position = 7": 7,
    "SET version = 9 WHERE position = 11": 11,
}
"""SQL that alters an entry of `table/a`, and its position."""

READERS: dict[str, Callable[[SqliteStore], object]] = {
    "read": lambda store: list(store.read()),
    "read_stream": lambda store: store.read_stream("table/a"),
    "known_ids": lambda store: store.known_ids(map(an_id, range(1, SIZE + 1))),
    "events in bulk": lambda store: bulk_reader(store).events("table/a", SIZE),
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("change", ALTERED)
def test_every_reader_refuses_an_altered_entry_and_names_its_position(path: Path, change: str, reader: str) -> None:
    alter(path, f"UPDATE entries {change}")
    with SqliteStore(path) as store:
        with pytest.raises(UnreadableError) as refused:
            READERS[reader](store)
        assert (refused.value.code, refused.value.values["position"]) == ("damaged", ALTERED[change])
        assert [row.position for row in store.read_stream("table/b")] == [2, 4, 6, 8, 10, 12]


@pytest.mark.parametrize("digest", [1, 5, 11])
def test_an_altered_digest_says_nothing_against_the_entry_after_it(path: Path, digest: int) -> None:
    alter(path, f"UPDATE entries SET digest = zeroblob(32) WHERE position = {digest}")
    with SqliteStore(path) as store:
        assert [row.position for row in store.read_stream("table/b")] == [2, 4, 6, 8, 10, 12]


@pytest.mark.parametrize("removed", [1, 5])
def test_a_stream_of_which_an_entry_is_missing_is_damaged(path: Path, removed: int) -> None:
    alter(path, f"DELETE FROM entries WHERE position = {removed}")
    with SqliteStore(path) as store, pytest.raises(UnreadableError, match="comes next"):
        store.read_stream("table/a")


def test_entries_before_and_after_an_altered_one_are_answered(path: Path) -> None:
    alter(path, "UPDATE entries SET recorded_by = 'somebody' WHERE position = 5")
    with SqliteStore(path) as store:
        assert len(store.read_stream("table/a", until_position=4)) == 2
        assert [row.version for row in store.read_stream("table/a", 3)] == [4, 5, 6]
        assert [row.position for row in store.read(5)] == [6, 7, 8, 9, 10, 11, 12]
        assert len(list(store.read(verified=False))) == SIZE
