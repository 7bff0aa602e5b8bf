"""Reading a log as if some of its entries had not been recorded yet: those from some position on, of some streams."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from msgspec import Struct

from ledger.events import Event
from ledger.log.base import Head
from ledger.log.bulk import SEPARATOR, Bulk, EntryPlace

_FIELD_END = SEPARATOR.encode()


class Cut(Struct, frozen=True):
    """Up to which entry a log is read; `held_back`: by stream, the position from which on its entries are left out."""

    head: Head
    held_back: Mapping[str, int] = {}


class CutBulk:
    """A log in bulk without what is held back. Fulfils `Bulk`; `streams` may name one whose new entries are held back.

    Only the lines after the first entry held back are looked at one by one.
    """

    def __init__(self, bulk: Bulk, held_back: Mapping[str, int]) -> None:
        self._bulk = bulk
        self._held_back = held_back
        self._from = {stream.encode(): position for stream, position in held_back.items()}
        self._first = min(held_back.values(), default=0)

    def streams(self, after: int, until: int) -> list[str]:
        return [name for name in self._bulk.streams(after, until) if self._seen_until(name, until) > after]

    def events(self, stream: str, until: int) -> Sequence[Event]:
        return self._bulk.events(stream, self._seen_until(stream, until))

    def places(self, stream: str, versions: Collection[int]) -> Mapping[int, EntryPlace]:
        return self._bulk.places(stream, versions)

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
        """As `lines_of`, what is held back among them."""
        return self._bulk.lines_of(stream, after, until)

    def close(self) -> None:
        self._bulk.close()

    def _seen_until(self, stream: str, until: int) -> int:
        return min(until, self._held_back.get(stream, until + 1) - 1)

    def _is_seen(self, line: bytes) -> bool:
        position, stream, _ = line.split(_FIELD_END, 2)
        first = self._from.get(stream)
        return first is None or int(position) < first
