"""Lines of events: the bare form of other programs and the whole form of an export (contract 4).

An import keeps the lines it has read in a temporary file, so that its memory does not grow with their size.
"""

from __future__ import annotations

import json
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from io import SEEK_END
from itertools import groupby
from operator import attrgetter
from tempfile import SpooledTemporaryFile
from typing import Any, Final, NoReturn, TypeVar, overload

import msgspec
from msgspec import Raw, Struct

from ledger import limits
from ledger.errors import MalformedError, in_file, line_of, refused_by_system, within
from ledger.events import UPCASTERS, BareLine, Envelope, Event, upcast
from ledger.i18n import Text
from ledger.i18n.library_errors import localised
from ledger.limits import exceeded
from ledger.log.append_rules import CHUNK, new_id, payload_of
from ledger.log.base import PreparedBatch, PreparedEntry
from ledger.recording.catalogue import phrase
from ledger.recording.pending_entry import PendingEntry
from ledger.streams import stream_type
from ledger.validation import malformed

Line = TypeVar("Line", BareLine, Envelope)

BARE_LINE: Final = msgspec.json.Decoder(BareLine)
EXPORT_LINE: Final = msgspec.json.Decoder(Envelope)
decode_envelopes: Final = msgspec.json.Decoder(list[Envelope]).decode

_encode: Final = msgspec.json.Encoder().encode

_SHOWN: Final = 200
"""The most characters of an offending text that a message shows."""

_SHOWN_AFTER_FAULT: Final = 10


def numbered_lines(blocks: Iterable[bytes], source: str) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that are not empty, with their numbers from 1, of a file read in blocks of any size.

    Raise `MalformedError` for a line or a file beyond its limit.
    """
    blocks = _counted(blocks, source)
    number, rest = 0, b""
    for block in blocks:
        *lines, rest = (rest + block).split(b"\n")
        for line in lines:
            number += 1
            if len(line) > limits.LINE_BYTES < _size(line):
                raise _too_long(_size(line), line_of(source, number))
            if stripped := line.rstrip():
                yield number, stripped
        if _size(rest) > limits.LINE_BYTES:
            raise _too_long(len(rest) + _to_line_end(blocks), line_of(source, number + 1))
    if stripped := rest.rstrip():
        yield number + 1, stripped


def _size(line: bytes) -> int:
    """Return the size of a line in bytes, without the carriage return of Windows."""
    return len(line) - line.endswith(b"\r")


def _counted(blocks: Iterable[bytes], source: str) -> Iterator[bytes]:
    size = 0
    for block in blocks:
        size += len(block)
        if size > limits.FILE_BYTES:
            raise exceeded("file", size, limits.FILE_BYTES, "bytes", in_file(source))
        yield block


def _too_long(size: int, where: Text) -> MalformedError:
    return exceeded("line", size, limits.LINE_BYTES, "bytes", where)


def _to_line_end(blocks: Iterator[bytes]) -> int:
    """Return how many bytes come before the next line feed."""
    size = 0
    for block in blocks:
        place = block.find(b"\n")
        if place >= 0:
            return size + place
        size += len(block)
    return size


def is_whole(line: bytes) -> bool:
    """Return whether a line is an entry of an export, with position and digest, and not a bare event."""
    try:
        fields = msgspec.json.decode(line, type=dict[str, msgspec.Raw])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    return "position" in fields or "digest" in fields


def read_line(decoder: msgspec.json.Decoder[Line], line: bytes, source: str, number: int) -> tuple[Line, bool]:
    """Return the content of a line, and whether msgspec would write the same bytes.

    Raise `MalformedError` naming line, field, value and what was expected.
    """
    try:
        read = decoder.decode(line)
        stream_type(read.stream)
        is_exact = _encode(read) == line
        if not is_exact:
            _refuse_repetition(line)
        return read, is_exact
    except MalformedError as error:
        raise error.at(line_of(source, number)) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        _refuse_line(error, line, decoder.type, line_of(source, number))


def _refuse_repetition(line: bytes) -> None:
    """Raise `MalformedError` if an object has a field twice, of which msgspec silently keeps the last.

    A line that msgspec would write again unchanged needs no such check.
    """
    _FIELDS.decode(line.decode())


def _each_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        twice = max(counts, key=counts.__getitem__)
        raise MalformedError(phrase("file.field_twice"), phrase("file.field_once"), twice)
    return fields


_FIELDS: Final = json.JSONDecoder(object_pairs_hook=_each_once, parse_int=str, parse_float=str, strict=False)


def not_utf8(content: bytes, fault: int, where: Text) -> MalformedError:
    """Return the error for a line with bytes that are no text, from the index `fault` on."""
    column = len(content[content.rfind(b"\n", 0, fault) + 1 : fault].decode()) + 1
    text = content[fault : fault + _SHOWN_AFTER_FAULT].decode("utf-8", "replace")
    place = within(where, phrase("place.column", column=column))
    return MalformedError(phrase("file.not_utf8"), phrase("file.text_file"), text, place)


def _refuse_line(error: Exception, line: bytes, kind: Any, where: Text) -> NoReturn:
    """Raise the `MalformedError` for a line that msgspec could not read as a `kind`."""
    with suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        if isinstance(error, msgspec.ValidationError):
            raise malformed(error, msgspec.json.decode(line), kind).at(where) from None
    try:
        text = line.decode()[:_SHOWN]
    except UnicodeDecodeError as fault:
        raise not_utf8(line, fault.start, where) from None
    what, expected = phrase("file.not_json"), phrase("file.event_as_json")
    raise MalformedError(what, expected, text, where, code="not_json") from None


IN_MEMORY_BYTES: Final = 16_000_000
"""The size up to which a spool needs no file."""

_BLOCK_BYTES: Final = 1_000_000
"""The size of one read or write; what follows is usually read next."""


class Spool(Sequence[PendingEntry]):
    """Records of one kind in a temporary file, with their line numbers; it must be closed.

    `decode` returns the entry of a record, given its bytes and line number.
    """

    def __init__(self, decode: Callable[[bytes, int], PendingEntry]) -> None:
        self._decode = decode
        self._file = SpooledTemporaryFile(IN_MEMORY_BYTES)  # noqa: SIM115 - closed by `close`
        self._ends = array("Q", (0,))
        self._lines = array("Q")
        self._unwritten = bytearray()
        self._block, self._block_start = b"", 0

    def add(self, record: bytes, line: int) -> None:
        """Append a record. Raise `UnreadableError` if the temporary folder is full."""
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
        """Return the records from index `first` to `last`, separated by commas."""
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
        """Yield all records in order, or those at ascending indexes, in JSON lists of limited size."""
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
    def __getitem__(self, index: int) -> PendingEntry: ...
    @overload
    def __getitem__(self, index: slice) -> list[PendingEntry]: ...
    def __getitem__(self, index: int | slice) -> PendingEntry | list[PendingEntry]:
        if isinstance(index, slice):
            return [self[one] for one in range(*index.indices(len(self)))]
        return self._decode(self.record(index), self._lines[index])

    def close(self) -> None:
        """Remove the temporary file."""
        self._file.close()


def events_at(pending: Sequence[PendingEntry], at: Sequence[int]) -> Iterator[Event]:
    """Yield the events at these ascending indexes."""
    if not isinstance(pending, Spool):
        return (pending[index].event for index in at)
    events = (line.event for part in pending.lists(at) for line in _decode_events(part))
    return map(upcast, events) if UPCASTERS else events


@contextmanager
def _system_errors() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise refused_by_system(error.errno, phrase("import.temporary", why=localised(error.strerror))) from None


class _Bare(Struct, omit_defaults=True, gc=False):
    """A bare line with the event as the log stores it."""

    stream: str
    event: Raw
    id: str | None = None
    happened_at: str | None = None


class _EventOfLine(Struct, gc=False):
    """The common field of a bare line and a line of an export."""

    event: Event


_decode_lines: Final = msgspec.json.Decoder(list[_Bare]).decode
_decode_events: Final = msgspec.json.Decoder(list[_EventOfLine]).decode


def bare_record(item: PendingEntry) -> bytes:
    """Return an entry as a bare line in the form of the log. Raise `MalformedError` with its place."""
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
                PreparedEntry(
                    new_id() if line.id is None else line.id, line.happened_at, bytes(line.event), line.id is None
                )
                for line in run
            ]
            group.append(PreparedBatch(stream, reached[stream], entries))
            reached[stream] += len(entries)
        yield group
