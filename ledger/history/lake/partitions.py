"""Folding one partition of a ledger into Parquet files: a task that may run on any host, and more than once.

The partition of a stream follows from its name alone. Files are written under temporary names and then renamed, and
equal tasks write equal rows; so a killed worker or a doubled task spoils nothing.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import astuple
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import duckdb
from duckdb import DuckDBPyConnection
from msgspec import Struct, msgpack, structs

from ledger.errors import MalformedError, UnreadableError
from ledger.history.catalogue import phrase
from ledger.history.lake.manifest import LakeFile, other_version
from ledger.history.lake.storage import Storage, storage_at
from ledger.history.model.database import NO_EXTENSIONS, infrequent_gc
from ledger.history.model.loading import RowLoader, write_entries_of
from ledger.history.model.projections import projections
from ledger.history.model.schema import bare_tables, column_types, schema_version
from ledger.history.model.table_rows import collect_table
from ledger.log import MemoryStore
from ledger.log.base import LogStore, Row
from ledger.log.bulk import BulkReader
from ledger.log.stores import bulk_reader, open_store
from ledger.streams import TABLE

NOT_PARTITIONED: Final = ("meta", "player_links", "card_facts")
"""The tables that follow from the manifest and from the program."""

_TABLES: Final = "SELECT table_name FROM duckdb_tables() WHERE NOT temporary ORDER BY table_oid"


class PartitionTask(Struct, frozen=True, kw_only=True):
    """The work on one partition.

    `ledger`: its address, which the worker opens. `folder`: the address of the club's; `path`: the folder of the
    partition in it. `until`: the last position. `persons`: the person of each linked spelling. `zone`: the time zone of
    days. `version`: that of the tables; another one is refused. `streams`: those of the partition. `session_days`:
    dates by session. `entries`: the file of the lake with the entries, for workers without access to the ledger.
    """

    ledger: str
    folder: str
    path: str
    until: int
    persons: Mapping[str, str]
    zone: str
    version: str
    streams: list[str] = []
    session_days: Mapping[str, str | None] = {}
    entries: str | None = None


class PartitionResult(Struct, frozen=True, kw_only=True):
    """The files of one partition, or the fields of its `MalformedError`, which does not survive pickling."""

    files: list[LakeFile] = []
    malformed: tuple[Any, ...] | None = None


def partition_of(stream: str, partitions: int) -> int:
    """Return the partition of a stream, the same on every machine."""
    return int.from_bytes(sha256(stream.encode()).digest()[:8]) % partitions


def fold_partition(task: PartitionTask) -> PartitionResult:
    """Write the files of one partition. Raise `UnreadableError` for a task of another version, and a full disk."""
    if task.version != schema_version():
        raise other_version(task.version)
    try:
        with (
            TemporaryDirectory(prefix="trickledger-") as work,
            closing(_empty_tables()) as own,
        ):
            _fold(own, task, Path(work, "rows"))
            return PartitionResult(files=list(_written(own, task, storage_at(task.folder))))
    except MalformedError as error:
        return PartitionResult(malformed=astuple(error))
    except duckdb.IOException as error:
        why = str(error).splitlines()[0]
        raise UnreadableError("disk", phrase("parquet_cannot_be_written", why=why)) from error


def write_entries(store: LogStore, task: PartitionTask, folder: str) -> PartitionTask:
    """Write the entries of a partition to a folder of the lake; return the task with their file."""
    rows = [row for stream in task.streams for row in store.read_stream(stream, until_position=task.until)]
    path = f"{folder}/{task.path.rpartition('/')[2]}"
    with storage_at(task.folder).draft(path) as draft:
        draft.write_bytes(zlib.compress(msgpack.encode(rows)))
    return structs.replace(task, entries=path)


@contextmanager
def _source(task: PartitionTask) -> Iterator[BulkReader]:
    """Yield a reader of the entries of the partition."""
    if task.entries is None:
        with open_store(task.ledger, access="read") as store, closing(bulk_reader(store)) as source:
            yield source
        return
    folder = storage_at(task.folder)
    stored = folder.read(task.entries)
    if stored is None:
        raise UnreadableError("damaged", phrase("lake.damaged", file=f"{folder.address}/{task.entries}"))
    rows = msgpack.decode(zlib.decompress(stored[0]), type=list[Row])
    yield BulkReader(MemoryStore.of_rows(rows))


def _fold(connection: DuckDBPyConnection, task: PartitionTask, work: Path) -> None:
    """Fill the tables of a private database with the rows of the partition."""
    with (
        infrequent_gc(),
        _source(task) as source,
        RowLoader(connection, work) as loader,
    ):
        loader.take(write_entries_of(dict.fromkeys(task.streams, (0, task.until)), source, loader.folder))
        for stream in task.streams:
            for projection in projections():
                if projection.kind.has(stream):
                    projection.collect(loader.rows, projection.kind.slug(stream), source, task.until)
            if TABLE.has(stream):
                slug, days = TABLE.slug(stream), task.session_days.get
                collect_table(loader.rows, slug, source, task.until, days, persons=task.persons, zone=task.zone)
            loader.take_rows_if_many()
        loader.load()


def _empty_tables() -> DuckDBPyConnection:
    """Return a private database with the tables, without their comments."""
    connection = duckdb.connect(config=dict(NO_EXTENSIONS))
    connection.execute(bare_tables())
    return connection


def partitioned_tables() -> Mapping[str, Mapping[str, str]]:
    """Return the tables whose rows are in the files of the partitions, in the order of their creation, with the types
    of their columns.
    """
    return _types_of_tables(schema_version())


@cache
def _types_of_tables(version: str) -> Mapping[str, Mapping[str, str]]:
    with closing(_empty_tables()) as connection:
        names = [name for (name,) in connection.execute(_TABLES).fetchall() if name not in NOT_PARTITIONED]
        return {name: column_types(connection, name) for name in names}


def _written(connection: DuckDBPyConnection, task: PartitionTask, target: Storage) -> Iterator[LakeFile]:
    """Write each table with rows to its file; yield the files."""
    for table, types in partitioned_tables().items():
        if connection.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone() is None:
            continue
        path = f"{task.path}/{table}.parquet"
        columns = ", ".join(_as_stored(name, kind) for name, kind in types.items())
        with target.draft(path) as draft:
            quoted = str(draft).replace("'", "''")
            counted = connection.execute(
                f"COPY (SELECT {columns} FROM {table} ORDER BY ALL) TO '{quoted}' (FORMAT parquet, COMPRESSION zstd)"
            ).fetchone()
            assert counted is not None, "COPY answers the number of rows"
            size = draft.stat().st_size
        yield LakeFile(table=table, path=path, rows=counted[0], size_bytes=size)


def _as_stored(column: str, kind: str) -> str:
    """Return the column's SQL; JSON becomes text, because other programs do not know Parquet's JSON type."""
    return f"CAST({column} AS VARCHAR) AS {column}" if kind == "JSON" else column
