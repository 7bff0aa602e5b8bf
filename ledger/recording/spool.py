"""What an import has read so far, in a temporary file: its memory does not grow with the size of the events."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import SEEK_END
from itertools import groupby
from operator import attrgetter
from tempfile import SpooledTemporaryFile
from typing import Final, overload

import msgspec
from msgspec import Raw, Struct

from ledger.errors import MalformedError, refused_by_system
from ledger.events import LIFTS, Event, lifted
from ledger.i18n.foreign import retold
from ledger.log.append_rules import CHUNK, new_id, payload_of
from ledger.log.base import Prepared, PreparedBatch
from ledger.recording.told import Told
from ledger.recording.words import phrase

IN_MEMORY_BYTES: Final = 16_000_000
"""Up to this size there is no file."""

_BLOCK_BYTES: Final = 1_000_000
"""Written and read at once, since what follows is mostly read next."""


class Spool(Sequence[Told]):
    """Records of one kind with their line numbers; `decode` returns the event of a record. Must be closed."""

    def __init__(self, decode: Callable[[bytes, int], Told]) -> None:
        self._decode = decode
        self._file = SpooledTemporaryFile(IN_MEMORY_BYTES)  # noqa: SIM115 - closed by `close`
        self._ends = array("Q", (0,))
        self._lines = array("Q")
        self._unwritten = bytearray()
        self._block, self._block_start = b"", 0

    def add(self, record: bytes, line: int) -> None:
        """Append a record; raises `UnreadableError` where the temporary folder takes no more."""
        self._unwritten += record
        self._unwritten += b","
        self._ends.append(self._ends[-1] + len(record) + 1)
        self._lines.append(line)
        if len(self._unwritten) > _BLOCK_BYTES:
            self._write()

    def _write(self) -> None:
        with _system_errors():
            self._file.seek(0, SEEK_END)
            self._file.write(self._unwritten)
        self._unwritten.clear()

    def _bytes(self, first: int, last: int) -> bytes:
        """Return the records from one index to another, with commas between."""
        start, end = self._ends[first], self._ends[last + 1] - 1
        at = start - self._block_start
        if at < 0 or end > self._block_start + len(self._block):
            if self._unwritten:
                self._write()
            with _system_errors():
                self._file.seek(start)
                self._block, self._block_start = self._file.read(max(_BLOCK_BYTES, end - start)), start
            at = 0
        return self._block[at : at + end - start]

    def record(self, index: int) -> bytes:
        """Return the bytes of a record."""
        return self._bytes(index, index)

    def lists(self, at: Sequence[int] | None = None) -> Iterator[bytes]:
        """Yield all records in order, or those at rising indexes, as JSON lists of some at once."""
        at = range(len(self)) if at is None else at
        first = 0
        while first < len(at):
            last = min(first + CHUNK, len(at)) - 1
            while at[last] - at[first] > last - first or (
                last > first and self._ends[at[last] + 1] - self._ends[at[first]] > _BLOCK_BYTES
            ):
                last = (first + last) // 2
            yield b"[%b]" % self._bytes(at[first], at[last])
            first = last + 1

    def __len__(self) -> int:
        return len(self._lines)

    @overload
    def __getitem__(self, index: int) -> Told: ...
    @overload
    def __getitem__(self, index: slice) -> list[Told]: ...
    def __getitem__(self, index: int | slice) -> Told | list[Told]:
        if isinstance(index, slice):
            return [self[one] for one in range(*index.indices(len(self)))]
        return self._decode(self.record(index), self._lines[index])

    def close(self) -> None:
        """Remove the temporary file."""
        self._file.close()


def events_at(told: Sequence[Told], at: Sequence[int]) -> Iterator[Event]:
    """Yield the events at these ascending indexes."""
    if not isinstance(told, Spool):
        return (told[index].event for index in at)
    events = (line.event for part in told.lists(at) for line in _decode_events(part))
    return map(lifted, events) if LIFTS else events


@contextmanager
def _system_errors() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise refused_by_system(error.errno, phrase("import.temporary", why=retold(error.strerror))) from None


class _Bare(Struct, omit_defaults=True, gc=False):
    """A bare line whose event is spelled as the log stores it."""

    stream: str
    event: Raw
    id: str | None = None
    happened_at: str | None = None


class _EventOfLine(Struct, gc=False):
    """What a bare line and a line of an export have in common."""

    event: Event


_encode: Final = msgspec.json.Encoder().encode
_decode_lines: Final = msgspec.json.Decoder(list[_Bare]).decode
_decode_events: Final = msgspec.json.Decoder(list[_EventOfLine]).decode


def bare_record(item: Told) -> bytes:
    """Return the bare line of an event as the log will store it; raise `MalformedError` with its place."""
    try:
        return _encode(_Bare(item.stream, Raw(payload_of(item.event)), item.id, item.happened_at))
    except MalformedError as error:
        raise error.at(item.where) from None


def prepared_batches(spool: Spool, versions: Mapping[str, int]) -> Iterator[list[PreparedBatch]]:
    """Yield the entries of a spool of bare records for `append_prepared`; `versions`: of each stream before them."""
    reached = dict(versions)
    for part in spool.lists():
        group = []
        for stream, run in groupby(_decode_lines(part), key=attrgetter("stream")):
            entries = [
                Prepared(new_id() if line.id is None else line.id, line.happened_at, bytes(line.event), line.id is None)
                for line in run
            ]
            group.append(PreparedBatch(stream, reached[stream], entries))
            reached[stream] += len(entries)
        yield group
