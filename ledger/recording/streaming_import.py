"""Import of bare lines as they arrive: each is recorded for itself and then answered with its receipt or error.

A rejected line does not stop the import. Only a ledger that cannot be written any more ends it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import BinaryIO, Final, TypeAlias

from msgspec import Struct

from ledger import limits
from ledger.errors import (
    ErrorDetail,
    LedgerError,
    MalformedError,
    UnreadableError,
    in_stream,
    line_of,
    within,
)
from ledger.limits import exceeded
from ledger.log.base import Acknowledgement, Batch, LogStore, Row
from ledger.recording.commands import Command, Decision, States, execute
from ledger.recording.handles import entries_with_handles
from ledger.recording.hands import CLOSINGS, opening_after
from ledger.recording.importing import ImportAs, ImportReport, check_same, pending_entry, report_of
from ledger.recording.ndjson import BARE_LINE, read_line
from ledger.recording.new_names import NAMING, check_new_names
from ledger.recording.pending_entry import PendingEntry
from ledger.recording.stream_checks import check_streams, findings_since, stored_validator
from ledger.recording.validator import StreamValidator, TableValidator

_ATTEMPTS: Final = 20
"""How often a line is tried while other programs record at its table."""

_STREAMS_CACHED: Final = 1_000


class LineReceipt(Struct, frozen=True, kw_only=True, tag_field="answer", tag="recorded"):
    """The receipt of a recorded line. `already_recorded`: the ledger already had the line; nothing was added."""

    line: int
    stream: str
    version: int
    position: int
    id: str
    already_recorded: bool


class LineRefused(Struct, frozen=True, kw_only=True, tag_field="answer", tag="refused"):
    """The answer for a rejected line, with its error."""

    line: int
    error: ErrorDetail


AnswerCallback: TypeAlias = Callable[[LineReceipt | LineRefused, LedgerError | None], None]
"""A function that receives each answer, and the error if the line was rejected."""


def import_lines(store: LogStore, file: BinaryIO, source: str, how: ImportAs, answered: AnswerCallback) -> ImportReport:
    """Record and answer each line of a file when it arrives, until the end of the file; `source`: its name in messages.

    The report counts the recorded entries, and the findings in their tables since the first one. Raise
    `UnreadableError` if the ledger cannot be written any more.
    """
    states, strict = _CachedStreams(store), how.options.strict
    begun: dict[str, int] = {}
    kinds: Counter[type] = Counter()
    already = 0
    for number, line, size in _lines_as_they_come(file):
        try:
            if size > limits.LINE_BYTES:
                raise exceeded("line", size, limits.LINE_BYTES, "bytes", line_of(source, number))
            entry = pending_entry(read_line(BARE_LINE, line, source, number)[0], source, number)
            if store.has_handles:
                (entry,) = entries_with_handles(store, [entry], creates=False)
            receipt = execute(store, _RecordLine(by=how.by, store=store, entry=entry, strict=strict), states)
        except UnreadableError:
            raise
        except LedgerError as error:
            answered(LineRefused(line=number, error=error.answer(how.lang).error), error)
            continue
        if receipt.already_recorded:
            already += 1
        else:
            begun.setdefault(entry.stream, receipt.version - 1)
            kinds[type(entry.event)] += 1
        answered(receipt, None)
    findings = sum(
        findings_since(so_far.entries, version)
        for stream, version in begun.items()
        if isinstance(so_far := states.stream(stream), TableValidator)
    )
    return report_of(source, "bare events", kinds, already, findings)


def _lines_as_they_come(file: BinaryIO) -> Iterator[tuple[int, bytes, int]]:
    """Yield number (from 1), content and size of the lines that are not empty; lines beyond the limit are cut."""
    number = 0
    while line := file.readline(limits.LINE_BYTES + 2):
        number += 1
        if stripped := line.removeprefix(b"\xef\xbb\xbf" if number == 1 else b"").rstrip():
            yield number, stripped, len(stripped) + (0 if line.endswith(b"\n") else _to_line_end(file))


def _to_line_end(file: BinaryIO) -> int:
    """Skip the rest of a line and return its size in bytes."""
    size = 0
    while rest := file.readline(limits.LINE_BYTES):
        size += len(rest.rstrip(b"\r\n"))
        if rest.endswith(b"\n"):
            break
    return size


class _CachedStreams(States):
    """The validators of recently used streams."""

    def __init__(self, store: LogStore) -> None:
        self._store = store
        self._streams: dict[str, StreamValidator] = {}

    def stream(self, name: str) -> StreamValidator:
        """Return the validator of a stream after all recorded entries, including those of other programs."""
        so_far = self._streams.get(name)
        if so_far is None:
            if len(self._streams) >= _STREAMS_CACHED:
                self._streams.clear()
            so_far = self._streams[name] = stored_validator(self._store, name)
        else:
            for row in self._store.read_stream(name, after_version=len(so_far.entries)):
                so_far.take(row.event())
        return so_far

    def move(self, batch: Batch, by: str) -> None:
        if (so_far := self._streams.get(batch.stream)) is not None:
            for entry in batch.entries:
                so_far.take(entry.event)

    def drop(self, streams: Iterable[str]) -> None:
        for stream in streams:
            self._streams.pop(stream, None)


class _RecordLine(Command[LineReceipt], frozen=True, kw_only=True):
    """The command that records one line."""

    store: LogStore
    entry: PendingEntry
    strict: bool
    attempts: int = _ATTEMPTS

    @property
    def ids(self) -> Sequence[str]:
        return () if self.entry.id is None else (self.entry.id,)

    def decide(self, states: _CachedStreams, known: Mapping[str, Row]) -> Decision[LineReceipt]:
        entry = self.entry
        for row in known.values():
            check_same(entry, row)
            first = Acknowledgement(row.stream, row.version, row.version, row.position, row.position, (row.id,), True)
            return lambda _: self._receipt([first])
        so_far = states.stream(entry.stream)
        version = len(so_far.entries)
        if self.strict:
            check_streams(self.store, [entry], strict=True)
        try:
            so_far.check(entry.event)
        except MalformedError as error:
            raise error.at(within(entry.where, in_stream(entry.stream))) from None
        kind = type(entry.event)
        if kind in NAMING:
            try:
                check_new_names(entry.stream, so_far.entries, [entry.event])
            except MalformedError as error:
                raise error.at(entry.where) from None
        yield Batch(entry.stream, version, (entry,))
        if kind in CLOSINGS:
            yield from opening_after(self.store, [entry.stream], {entry.stream: version}, lambda stream: [entry.event])
        return self._receipt

    def _receipt(self, acknowledged: Sequence[Acknowledgement]) -> LineReceipt:
        at, line = acknowledged[0], self.entry.line
        assert line is not None
        return LineReceipt(
            line=line,
            stream=at.stream,
            version=at.first_version,
            position=at.first_position,
            id=at.ids[0],
            already_recorded=at.already_recorded,
        )
