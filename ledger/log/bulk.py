"""Bulk reading of a whole log: the events of a stream at once, or entries as lines of text.

`stores.bulk_reader` returns the fastest reader of a store.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Final

import msgspec
from msgspec import Struct, json, structs

from ledger.events import UPCASTERS, Event, upcast
from ledger.log.base import Head, LogStore, Row

SEPARATOR: Final = "\x1f"
"""The separator of the fields of a line. No field contains it: JSON would escape it."""

_FIELD_END: Final = SEPARATOR.encode()
_decode_events: Final = json.Decoder(list[Event]).decode


class EntryPlace(Struct, frozen=True, gc=False):
    """The position of an entry, the time when it happened or, if unknown, was recorded, and its digest (hexadecimal).

    No digest where entries may be held back, because it depends on those before.
    """

    position: int
    moment: str
    digest: str | None


class BulkReader:
    """A bulk reader of any store, row by row; faster readers override it."""

    def __init__(self, store: LogStore) -> None:
        self._store = store

    def streams(self, after: int, until: int) -> list[str]:
        """Return the streams that have entries with `after` < position <= `until`, in order of appearance there."""
        return list(dict.fromkeys(row.stream for row in self._store.read(after, until)))

    def events(self, stream: str, until: int) -> list[Event]:
        """Return the events of a stream up to a position, version 1 first; none for an unknown stream.

        Raise `UnreadableError` for a damaged entry: this is the only bulk method that verifies digests.
        """
        rows = self._store.read_stream(stream, until_position=until)
        try:
            events = _decode_events(b"[%b]" % b",".join([row.payload for row in rows]))
        except (msgspec.DecodeError, UnicodeDecodeError):
            return [row.event() for row in rows]  # raises an error that names the entry
        return list(map(upcast, events)) if UPCASTERS else events

    def places(self, stream: str, versions: Collection[int]) -> dict[int, EntryPlace]:
        """Return the places of these versions of a stream."""
        rows = self._store.read_stream(stream)
        of_versions = {version: rows[version - 1] for version in versions}
        return {
            version: EntryPlace(row.position, row.happened_at or row.recorded_at, row.digest.hex())
            for version, row in of_versions.items()
        }

    def lines(self, after: int, until: int) -> Iterator[bytes]:
        """Return the entries with `after` < position <= `until` in order, some lines at a time, each with a line feed.

        A line has the fields position, stream, version, recorded_at, recorded_by (JSON), happened_at (empty if unknown)
        and event (JSON), separated by `SEPARATOR`.
        """
        return map(_line, self._store.read(after, until))

    def lines_of(self, stream: str, after: int, until: int) -> Iterator[bytes]:
        """Return the lines of one stream, as `lines` does."""
        return (_line(row) for row in self._store.read_stream(stream, until_position=until) if row.position > after)

    def close(self) -> None:
        """Close everything opened for reading; the store stays open."""


def _line(row: Row) -> bytes:
    fields = (
        str(row.position), row.stream, str(row.version), row.recorded_at, json.encode(row.recorded_by).decode(),
        row.happened_at or "", row.payload.decode(),
    )  # fmt: skip
    return SEPARATOR.join(fields).encode() + b"\n"


class Cut(Struct, frozen=True):
    """The limit of reading: the last entry, and by stream the position from which on its entries are held back."""

    head: Head
    held_back: Mapping[str, int] = {}


class CutBulkReader(BulkReader):
    """A bulk reader that treats held-back entries as not recorded yet.

    `streams` may return a stream whose new entries are held back. Only lines after the first held-back entry are
    examined one by one. Places have digests only with `has_digests`.
    """

    def __init__(self, bulk: BulkReader, held_back: Mapping[str, int], *, has_digests: bool = False) -> None:
        self._bulk = bulk
        self._held_back = held_back
        self._has_digests = has_digests
        self._from = {stream.encode(): position for stream, position in held_back.items()}
        self._first = min(held_back.values(), default=0)

    def streams(self, after: int, until: int) -> list[str]:
        return [name for name in self._bulk.streams(after, until) if self._seen_until(name, until) > after]

    def events(self, stream: str, until: int) -> list[Event]:
        return self._bulk.events(stream, self._seen_until(stream, until))

    def places(self, stream: str, versions: Collection[int]) -> dict[int, EntryPlace]:
        places = self._bulk.places(stream, versions)
        if self._has_digests:
            return places
        return {version: structs.replace(place, digest=None) for version, place in places.items()}

    def lines(self, after: int, until: int) -> Iterator[bytes]:
        if not self._held_back or until < self._first:
            yield from self._bulk.lines(after, until)
            return
        if after < self._first - 1:
            yield from self._bulk.lines(after, self._first - 1)
        for lines in self._bulk.lines(max(after, self._first - 1), until):
            seen = b"".join(line for line in lines.splitlines(keepends=True) if self._is_seen(line))
            if seen:
                yield seen

    def lines_of(self, stream: str, after: int, until: int) -> Iterator[bytes]:
        return self._bulk.lines_of(stream, after, self._seen_until(stream, until))

    def uncut_lines_of(self, stream: str, after: int, until: int) -> Iterator[bytes]:
        """Return the lines of one stream, held-back entries included."""
        return self._bulk.lines_of(stream, after, until)

    def close(self) -> None:
        self._bulk.close()

    def _seen_until(self, stream: str, until: int) -> int:
        return min(until, self._held_back.get(stream, until + 1) - 1)

    def _is_seen(self, line: bytes) -> bool:
        position, stream, _ = line.split(_FIELD_END, 2)
        first = self._from.get(stream)
        return first is None or int(position) < first
