"""Reading a log in bulk, for who needs all of it: the events of a stream at once, entries as lines of text.

`stores.bulk_of` says how a store is read quickest.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final, Protocol

from msgspec import Struct, json

from ledger.events import Event
from ledger.log.base import LogStore, Row

SEPARATOR: Final = "\x1f"
"""Between the fields of a line. It cannot be in one: in JSON it would be escaped."""


class EntryPlace(Struct, frozen=True, gc=False):
    """Where an entry stands in the log, and when it happened as far as told, else when it was recorded."""

    position: int
    moment: str


class Bulk(Protocol):
    """A log that is read in bulk."""

    def streams(self, after: int, until: int) -> list[str]:
        """The streams that have entries with `after` < position <= `until`, in order of appearance there."""
        ...

    def events(self, stream: str, until: int) -> Sequence[Event]:
        """Return the events of a stream up to a position, version 1 first; an unknown stream has none.

        Raises `UnreadableError` where an entry is damaged: of what is read in bulk, this alone verifies digests.
        """
        ...

    def places(self, stream: str, versions: Collection[int]) -> Mapping[int, EntryPlace]:
        """The places of these versions of a stream."""
        ...

    def lines(self, after: int, until: int) -> Iterator[bytes]:
        """The entries with `after` < position <= `until` in order, some lines at a time, each ended by a line feed.

        A line has the fields position, stream, version, recorded_at, recorded_by (as JSON), happened_at (empty: not
        told) and event (as JSON), with `SEPARATOR` between.
        """
        ...

    def lines_of(self, stream: str, after: int, until: int) -> Iterator[bytes]:
        """As `lines`, those of one stream alone."""
        ...

    def close(self) -> None:
        """Let go of what was opened for this reading; the store stays as it is."""
        ...


class RowBulk:
    """A log of any kind, read row by row. Fulfils `Bulk`."""

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

    def lines_of(self, stream: str, after: int, until: int) -> Iterator[bytes]:
        return (_line(row) for row in self._store.read_stream(stream, until_position=until) if row.position > after)

    def close(self) -> None:
        """Nothing was opened."""


def _line(row: Row) -> bytes:
    fields = (
        str(row.position), row.stream, str(row.version), row.recorded_at, json.encode(row.recorded_by).decode(),
        row.happened_at or "", row.payload.decode(),
    )  # fmt: skip
    return SEPARATOR.join(fields).encode() + b"\n"
