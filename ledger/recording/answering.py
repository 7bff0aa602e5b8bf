"""Records bare lines as they come, each for itself: durable first, then answered with its receipt or its refusal.

What is refused stops nothing: whoever sends knows by the answer, and sends on. Only a ledger that cannot be written any
more ends it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import BinaryIO, Final, TypeAlias

from msgspec import Struct

from ledger import limits
from ledger.errors import (
    ConflictError,
    ErrorDetail,
    LedgerError,
    MalformedError,
    UnreadableError,
    in_stream,
    line_of,
    within,
)
from ledger.limits import exceeded
from ledger.log.base import Batch, LogStore
from ledger.recording.admissible import StreamState, TableSoFar
from ledger.recording.hands import CLOSINGS, opening_after
from ledger.recording.importing import ImportReport, report_of, told_by, without_known
from ledger.recording.judging import check_streams, findings_since, recorded_so_far
from ledger.recording.ndjson import decode_bare
from ledger.recording.new_names import NAMING, check_new_names
from ledger.recording.told import Told

_ATTEMPTS: Final = 20
"""How often a line is tried while others go on with its table."""

_STREAMS_KEPT: Final = 1_000


class LineReceipt(Struct, frozen=True, kw_only=True, tag_field="answer", tag="recorded"):
    """A line that is on disk: where it stands. `already_recorded`: it stood there before, and nothing was added."""

    line: int
    stream: str
    version: int
    position: int
    id: str
    already_recorded: bool


class LineRefused(Struct, frozen=True, kw_only=True, tag_field="answer", tag="refused"):
    """A line of which nothing was recorded, and why."""

    line: int
    error: ErrorDetail


Answered: TypeAlias = Callable[[LineReceipt | LineRefused, LedgerError | None], None]
"""Told each answer, with the error of a refusal."""


def import_lines(
    store: LogStore, file: BinaryIO, source: str, *, recorded_by: str, strict: bool, lang: str, answered: Answered
) -> ImportReport:
    """Records the lines of a file to its end, each when it has come, and answers each; `source` names it in messages.

    The report counts what was recorded, and the findings in the tables since their first line. Raises
    `UnreadableError` where the ledger cannot be written any more.
    """
    recorder = _Recorder(store, source, recorded_by, strict)
    kinds: Counter[type] = Counter()
    already = 0
    for number, line, size in _lines_as_they_come(file):
        try:
            if size > limits.LINE_BYTES:
                raise exceeded("line", size, limits.LINE_BYTES, "bytes", line_of(source, number))
            told = _told(number, line, source)
            receipt = recorder.record(number, told)
        except UnreadableError:
            raise
        except LedgerError as error:
            answered(LineRefused(line=number, error=error.answer(lang).error), error)
            continue
        if receipt.already_recorded:
            already += 1
        else:
            kinds[type(told.event)] += 1
        answered(receipt, None)
    return report_of(source, "bare events", kinds, already, recorder.findings())


def _lines_as_they_come(file: BinaryIO) -> Iterator[tuple[int, bytes, int]]:
    """The lines that hold something, with their numbers from 1 and sizes; of one beyond its limit the beginning."""
    number = 0
    while line := file.readline(limits.LINE_BYTES + 2):
        number += 1
        if stripped := line.removeprefix(b"\xef\xbb\xbf" if number == 1 else b"").rstrip():
            yield number, stripped, len(stripped) + (0 if line.endswith(b"\n") else _to_line_end(file))


def _to_line_end(file: BinaryIO) -> int:
    """How many bytes are left of a line, which are read and let go."""
    size = 0
    while rest := file.readline(limits.LINE_BYTES):
        size += len(rest.rstrip(b"\r\n"))
        if rest.endswith(b"\n"):
            break
    return size


def _told(number: int, line: bytes, source: str) -> Told:
    (_, read, _), *_ = decode_bare([(number, line)], source)
    return told_by(read, source, number)


class _Recorder:
    """Judges and records lines one by one; what was read of a stream is kept for its next line."""

    def __init__(self, store: LogStore, source: str, recorded_by: str, strict: bool) -> None:
        self._store = store
        self._source = source
        self._recorded_by = recorded_by
        self._strict = strict
        self._streams: dict[str, StreamState] = {}
        self._begun: dict[str, int] = {}

    def record(self, number: int, told: Told) -> LineReceipt:
        """Raises what an import of the line alone would raise; then nothing was recorded."""
        for attempt in range(_ATTEMPTS, 0, -1):
            try:
                return self._known(number, told) or self._recorded(number, told)
            except ConflictError as error:
                self._streams.pop(told.stream, None)
                if attempt == 1 or error.code != "wrong_version":
                    raise
        raise AssertionError

    def _known(self, number: int, told: Told) -> LineReceipt | None:
        """The first receipt of a line that was recorded before."""
        if told.id is None or without_known(self._store, [told]):
            return None
        row = self._store.known_ids([told.id])[told.id]
        return LineReceipt(
            line=number,
            stream=row.stream,
            version=row.version,
            position=row.position,
            id=row.id,
            already_recorded=True,
        )

    def _recorded(self, number: int, told: Told) -> LineReceipt:
        so_far = self._so_far(told.stream)
        version = len(so_far.entries)
        if self._strict:
            check_streams(self._store, [told], strict=True)
        try:
            so_far.take(told.event)
        except MalformedError as error:
            raise error.at(within(told.where, in_stream(told.stream))) from None
        if type(told.event) in NAMING:
            try:
                check_new_names(told.stream, so_far.entries[:version], [told.event])
            except MalformedError as error:
                self._streams.pop(told.stream)
                raise error.at(told.where) from None
        try:
            closed = [told.stream] if type(told.event) in CLOSINGS else []
            shown = opening_after(self._store, closed, {told.stream: version}, lambda stream: [told.event])
            batches = [Batch(told.stream, version, (told,)), *shown]
            made = self._store.append_all(batches, recorded_by=self._recorded_by)[0]
        except BaseException:
            self._streams.pop(told.stream, None)
            raise
        self._begun.setdefault(told.stream, version)
        for one in shown:
            self._streams.pop(one.stream, None)  # they have gone on
        return LineReceipt(
            line=number,
            stream=made.stream,
            version=made.first_version,
            position=made.first_position,
            id=made.ids[0],
            already_recorded=made.already_recorded,
        )

    def _so_far(self, stream: str) -> StreamState:
        """What stands in the stream, what others have recorded meanwhile included."""
        so_far = self._streams.get(stream)
        if so_far is None:
            if len(self._streams) >= _STREAMS_KEPT:
                self._streams.clear()
            so_far = self._streams[stream] = recorded_so_far(self._store, stream)
        else:
            for row in self._store.read_stream(stream, after_version=len(so_far.entries)):
                so_far.take(row.event())
        return so_far

    def findings(self) -> int:
        """How many findings above `info` have come since the first line of each table."""
        return sum(
            findings_since(so_far.entries, begun)
            for stream, begun in self._begun.items()
            if isinstance(so_far := self._so_far(stream), TableSoFar)
        )
