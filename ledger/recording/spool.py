"""What an import has read so far, in a temporary file: its memory does not grow with the size of the events."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby, islice
from operator import attrgetter
from tempfile import SpooledTemporaryFile
from types import TracebackType
from typing import Final, Self, overload

import msgspec
from msgspec import Raw, Struct

from ledger.errors import refused_by_system
from ledger.i18n.foreign import retold
from ledger.log.admission import CHUNK, Prepared, PreparedBatch, new_id, payload_of
from ledger.recording.told import Told
from ledger.recording.words import phrase

IN_MEMORY_BYTES: Final = 16_000_000
"""Up to this size there is no file."""

_WINDOW_BYTES: Final = 1_000_000
"""Read at once, since what follows is mostly read next."""


class Spool(Sequence[Told]):
    """Records of one kind with their line numbers; `decode` makes of both what the source tells. To be closed."""

    def __init__(self, decode: Callable[[bytes, int], Told]) -> None:
        self._decode = decode
        self._file = SpooledTemporaryFile(IN_MEMORY_BYTES)  # noqa: SIM115 - closed by `close`
        self._ends = array("Q", (0,))
        self._lines = array("Q")
        self._window, self._window_start = b"", 0

    def add(self, record: bytes, line: int) -> None:
        """Append a record; raises `UnreadableError` where the temporary folder takes no more."""
        with _system_errors():
            if self._window:
                self._window = b""
                self._file.seek(self._ends[-1])
            self._file.write(record)
        self._ends.append(self._ends[-1] + len(record))
        self._lines.append(line)

    def record(self, index: int) -> bytes:
        """Return the bytes of a record."""
        start, end = self._ends[index], self._ends[index + 1]
        first = start - self._window_start
        if first < 0 or end > self._window_start + len(self._window):
            with _system_errors():
                self._file.seek(start)
                self._window, self._window_start = self._file.read(max(_WINDOW_BYTES, end - start)), start
            first = 0
        return self._window[first : first + end - start]

    def records(self) -> Iterator[bytes]:
        """Yield the bytes of all records in order."""
        return map(self.record, range(len(self)))

    def line(self, index: int) -> int:
        """Return the line number of a record."""
        return self._lines[index]

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

    def __iter__(self) -> Iterator[Told]:
        return map(self._decode, self.records(), self._lines)

    def close(self) -> None:
        """Remove the temporary file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


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


_encode: Final = msgspec.json.Encoder().encode
_decode: Final = msgspec.json.Decoder(_Bare).decode


def bare_record(item: Told) -> bytes:
    """Return a bare line of what is told, as the log will store it."""
    return _encode(_Bare(item.stream, Raw(payload_of(item.event)), item.id, item.happened_at))


def prepared_batches(spool: Spool, versions: Mapping[str, int]) -> Iterator[list[PreparedBatch]]:
    """Yield the entries of a spool of bare records for `append_prepared`; `versions`: of each stream before them."""
    reached = dict(versions)
    lines = map(_decode, spool.records())
    while chunk := list(islice(lines, CHUNK)):
        group = []
        for stream, run in groupby(chunk, key=attrgetter("stream")):
            entries = [
                Prepared(new_id() if line.id is None else line.id, line.happened_at, bytes(line.event), line.id is None)
                for line in run
            ]
            group.append(PreparedBatch(stream, reached[stream], entries))
            reached[stream] += len(entries)
        yield group
