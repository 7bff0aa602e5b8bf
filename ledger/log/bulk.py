"""What the read model reads from a log: the events of a stream, where entries stand, and entries as lines of text."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Protocol

from msgspec import json

from ledger.events import Event
from ledger.log.base import LogStore, Row
from ledger.log.sqlite import SqliteStore
from ledger.log.sqlite_bulk import SEPARATOR, EntryPlace, SqliteBulk


class Source(Protocol):
    """A log as `SqliteBulk` reads it."""

    def streams(self, after: int, until: int) -> list[str]: ...

    def events(self, stream: str, until: int) -> Sequence[Event]: ...

    def places(self, stream: str, versions: Collection[int]) -> Mapping[int, EntryPlace]: ...

    def lines(self, after: int, until: int) -> Iterator[bytes]: ...


class RowSource:
    """A log of any kind, read row by row."""

    def __init__(self, store: LogStore) -> None:
        self._store = store

    def streams(self, after: int, until: int) -> list[str]:
        return list(dict.fromkeys(row.stream for row in self._store.read(after, until)))

    def events(self, stream: str, until: int) -> list[Event]:
        return [row.event() for row in self._store.read_stream(stream, until_position=until)]

    def places(self, stream: str, versions: Collection[int]) -> dict[int, EntryPlace]:
        rows = self._store.read_stream(stream)
        return {
            version: EntryPlace(
                rows[version - 1].position, rows[version - 1].happened_at or rows[version - 1].recorded_at
            )
            for version in versions
        }

    def lines(self, after: int, until: int) -> Iterator[bytes]:
        return map(_line, self._store.read(after, until))


@contextmanager
def opened_source(store: LogStore) -> Iterator[Source]:
    """The quickest source for this store."""
    if isinstance(store, SqliteStore):
        bulk = SqliteBulk(store)
        try:
            yield bulk
        finally:
            bulk.close()
    else:
        yield RowSource(store)


def _line(row: Row) -> bytes:
    fields = (
        str(row.position), row.stream, str(row.version), row.recorded_at, json.encode(row.recorded_by).decode(),
        row.happened_at or "", row.payload.decode(),
    )  # fmt: skip
    return SEPARATOR.join(fields).encode() + b"\n"
