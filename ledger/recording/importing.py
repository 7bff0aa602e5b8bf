"""Import of bare lines, an export, or a hand record (contract 4), all of it or nothing.

Events that cannot be entries are rejected. Events against the rules are recorded and counted, unless `strict` is set.
"""

from __future__ import annotations

from codecs import getincrementaldecoder
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from io import BytesIO
from itertools import chain, groupby, islice
from operator import attrgetter
from typing import BinaryIO, Final, TypeAlias
from unicodedata import normalize

from msgspec import Struct, field, structs

from ledger import limits
from ledger.errors import ConflictError, MalformedError, in_file, line_of
from ledger.events import BareLine, DealStarted, Envelope, TableOpened, encode_event, upcast
from ledger.i18n import Text
from ledger.limits import exceeded
from ledger.log.append_rules import CHUNK, canonical_id, prepare, wrong_version
from ledger.log.base import Batch, LogStore, Row
from ledger.log.paths import LEDGER_FILE
from ledger.recording.canonical import canonical_event, canonical_time
from ledger.recording.catalogue import phrase
from ledger.recording.commands import Command, Decision, LostRaceError, execute
from ledger.recording.dry_run import LocatedFinding, TableChange, try_entries, try_envelopes
from ledger.recording.hand.record import (
    AskAboutSlip,
    HandRecord,
    SlipMessage,
    is_hand_record,
    read_with_answers,
    refuse_impossible,
    refuse_slips,
    slip_messages,
)
from ledger.recording.handles import check_handles, entries_with_handles
from ledger.recording.hands import opening_after
from ledger.recording.ndjson import (
    BARE_LINE,
    EXPORT_LINE,
    Spool,
    bare_record,
    decode_envelopes,
    is_whole,
    not_utf8,
    numbered_lines,
    prepared_batches,
    read_line,
)
from ledger.recording.new_names import check_readable
from ledger.recording.pending_entry import PendingEntry
from ledger.recording.reimport import ChangedLine, ChangedLinesError, new_slips, reimport_diff
from ledger.recording.stream_checks import Checked, check_streams

Progress: TypeAlias = Callable[[int], None]
"""A function that receives the number of events read so far."""

_PROGRESS_EVERY: Final = 5_000

BEGIN_BYTES: Final = 4 * limits.HAND_RECORD_CHARS + 4
"""The size of the first read: more than the longest allowed hand record, at four bytes a character."""

_BLOCK_BYTES: Final = 1_000_000


class ImportReport(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What an import stored. `events` counts new entries, `already_recorded` those that the ledger had before.

    `source`: the file's name. `form`: the kind of file. `tables`, `deals`: how many the new entries open and start.
    `findings`: the new findings of severity error or warning. `slips`: suspected typing mistakes, recorded as typed.
    `corrected`: the entries about which the file disagreed with the ledger. `lacking`: how many later entries the table
    has that its hand record lacks.

    `dry_run`: nothing was stored, and the other fields show what an import would store, corrections included. Then
    `found` has the findings with their places in the file, and `changes` the score of each table before and after.
    """

    source: str
    form: str
    tables: int
    deals: int
    events: int
    already_recorded: int
    findings: int
    slips: tuple[SlipMessage, ...] = ()
    corrected: tuple[ChangedLine, ...] = ()
    lacking: int = 0
    dry_run: bool = False
    new_findings: tuple[LocatedFinding, ...] = field(default=(), name="found")
    changes: tuple[TableChange, ...] = ()


class ImportOptions(Struct, frozen=True, kw_only=True):
    """Options of an import.

    `strict`: reject events against the rules. `as_typed`: record impossible lines of a hand record as typed. `correct`:
    record disagreements of a hand record with the ledger as corrections, for this `reason`. `prefix`: put before the
    names of all tables and sessions of lines or of another ledger. `name`: the name of an open file in messages. `ask`:
    decides what to do about an impossible line; without it the file is rejected, unless `as_typed` is set.
    `shows_hands`: open the hands of ended deals when their table or session is closed.
    """

    strict: bool = False
    as_typed: bool = False
    correct: bool = False
    reason: str | None = None
    prefix: str = ""
    name: str = "standard input"
    ask: AskAboutSlip | None = None
    shows_hands: bool = True


BY_DEFAULT: Final = ImportOptions()


class ImportAs(Struct, frozen=True, kw_only=True):
    """Who imports, and how. `by`: the recorder. `dry_run`: store nothing, and report the changes in language `lang`,
    with the displayed `names` of players.

    `progress` receives the number of events read so far.
    """

    by: str
    options: ImportOptions = BY_DEFAULT
    dry_run: bool = False
    lang: str = "en"
    names: Mapping[str, str] = {}
    progress: Progress | None = None


def import_content(store: LogStore, content: bytes | BinaryIO, source: str, how: ImportAs) -> ImportReport:
    """Store the events of one file, read in blocks. `source`: its name in messages.

    A suspected slip in a hand record is recorded and reported. Raise `MalformedError`, with `strict` also
    `AgainstRulesError`, `ChangedLinesError` if a hand record disagrees with the ledger and no reason is given, and the
    errors of the store; then nothing was stored.
    """
    file = BytesIO(content) if isinstance(content, bytes) else content
    how = structs.replace(how, by=store.recorder(how.by, creates=not how.dry_run))
    begin = file.read(BEGIN_BYTES).removeprefix(b"\xef\xbb\xbf")
    if begin.startswith(LEDGER_FILE):
        raise MalformedError(phrase("import.from_pipe"), phrase("import.file_name"), where=in_file(source))
    if not begin.lstrip().startswith(b"{") and is_hand_record(text := text_of(begin, source)):
        record = read_with_answers(text, source, how.options.ask, not (how.options.as_typed or how.dry_run))
        return execute(
            store, ImportHandRecord(by=how.by, store=store, record=record, text=text, source=source, how=how)
        )
    lines = numbered_lines(chain([begin], iter(partial(file.read, _BLOCK_BYTES), b"")), source)
    first = next(lines, None)
    if first is None:
        raise MalformedError(phrase("import.nothing"), phrase("import.importable"), where=in_file(source))
    import_, decode = (
        (_import_whole, _pending_from_export) if is_whole(first[1]) else (_import_lines, _pending_from_bare)
    )
    with closing(Spool(partial(decode, source))) as new:
        return import_(store, chain([first], lines), source, how, new)


class ImportHandRecord(Command[ImportReport], frozen=True, kw_only=True):
    """The command that imports a hand record: it opens the table, or adds what the ledger lacks.

    It is decided again, with a new comparison, if others record meanwhile.
    """

    store: LogStore
    record: HandRecord
    text: str
    source: str
    how: ImportAs
    attempts: int = 5

    def decide(self, states: object, known: Mapping[str, Row]) -> Decision[ImportReport]:
        """Decide which entries of the record are new. Raise the errors of `import_content`."""
        store, record, how = self.store, self.record, self.how
        if store.has_handles:
            record = structs.replace(record, entries=entries_with_handles(store, record.entries, creates=False))
        hands_later = phrase("recorder.hands_later").in_words(how.lang)
        diff = reimport_diff(store, record, self.text, self.source, how.options.reason, hands_later)
        slips = record.slips if diff.is_new else new_slips(record, diff)
        try:
            if diff.contradicts and how.options.reason is None and not how.dry_run:
                raise ChangedLinesError(self.source, diff)
            if how.options.strict:
                refuse_slips(slips)
            if not (how.options.as_typed or how.dry_run):
                refuse_impossible(slips)
            new = diff.pending
            played = {record.stream: record.table} if diff.is_new else {}
            checked = check_streams(store, new, how.options.strict, played, diff.known)
            if not diff.is_new:
                _check_unmoved(diff.versions, checked.versions)
            report = report_of(self.source, "hand record", checked.kinds, diff.already, checked.findings)
            report = structs.replace(report, corrected=diff.changed, lacking=diff.lacking)
            if how.dry_run:
                report = dry_run_report(store, report, new, checked, how)
        except (ConflictError, MalformedError) as error:
            if error.code == "wrong_version" or (diff.is_new and store.read_stream(record.stream)):
                raise LostRaceError(error) from None
            raise
        if new and not how.dry_run:
            yield from _batches(new, checked.versions)
            yield from _opening(store, checked, how)
        return lambda _: structs.replace(report, slips=slip_messages(slips, how.lang))


def text_of(begin: bytes, source: str) -> str:
    """Return the text of a file, or of its first block, which is longer than an allowed hand record."""
    decoder = getincrementaldecoder("utf-8")()
    try:
        return decoder.decode(begin, final=len(begin) <= limits.HAND_RECORD_CHARS)
    except UnicodeDecodeError as error:
        number = begin[: error.start].count(b"\n") + 1
        raise not_utf8(begin, error.start, line_of(source, number)) from None


def _read_bare_lines(
    lines: Iterable[tuple[int, bytes]], source: str, progress: Progress | None
) -> Iterator[tuple[PendingEntry, bytes]]:
    """Yield the entry of each line, and the line itself if `bare_record` would write the same bytes."""
    for count, (number, line) in enumerate(lines, start=1):
        read, is_exact = read_line(BARE_LINE, line, source, number)
        if count > limits.EVENTS_PER_APPEND:
            raise exceeded("together", count, limits.EVENTS_PER_APPEND, "events", line_of(source, number))
        if progress is not None and count % _PROGRESS_EVERY == 0:
            progress(count)
        entry = pending_entry(read, source, number)
        is_same = (entry.event is read.event or entry.event == read.event) and entry.id == read.id
        yield entry, line if is_exact and is_same and line.isascii() else b""


def _pending_from_bare(source: str, record: bytes, number: int) -> PendingEntry:
    line = BARE_LINE.decode(record)
    return PendingEntry(line.event, line.id, line.happened_at, stream=line.stream, source=source, line=number)


def pending_entry(line: BareLine, source: str, number: int) -> PendingEntry:
    """Return the entry of a bare line in canonical form. Raise `MalformedError` with its place."""
    try:
        happened_at = None if line.happened_at is None else canonical_time(line.happened_at)
        entry_id = None if line.id is None else canonical_id(line.id)
        event = canonical_event(upcast(line.event))
        return PendingEntry(event, entry_id, happened_at, stream=line.stream, source=source, line=number)
    except MalformedError as error:
        raise error.at(line_of(source, number)) from None


def _import_lines(
    store: LogStore, lines: Iterable[tuple[int, bytes]], source: str, how: ImportAs, new: Spool
) -> ImportReport:
    """Record the entries that neither the ledger nor an earlier line has.

    Raise `ConflictError` for an id used for something else.
    """
    already = 0

    def arriving() -> Iterator[PendingEntry]:
        nonlocal already
        first: dict[str, int] = {}
        entries = _read_bare_lines(lines, source, how.progress)
        while some := list(islice(entries, CHUNK)):
            ids = [item.id for item, _ in some if item.id is not None]
            known = store.known_ids(ids) if ids else {}
            for item, record in _with_handles(store, some, how) if store.has_handles else some:
                if item.id is not None:
                    if (row := known.get(item.id)) is not None:
                        check_same(item, row)
                        already += 1
                        continue
                    if (index := first.setdefault(item.id, len(new))) < len(new):
                        _check_same_line(item, new[index])
                        already += 1
                        continue
                new.add(record or bare_record(item), item.line or 0)
                yield item

    checked = check_streams(store, new, how.options.strict, arriving=arriving())
    report = report_of(source, "bare events", checked.kinds, already, checked.findings)
    if how.dry_run:
        return dry_run_report(store, report, new, checked, how)
    if new:
        shown = _opening(store, checked, how)
        more = [prepare(shown, how.by)[0]] if shown else []
        store.append_prepared(chain(prepared_batches(new, checked.versions), more), recorded_by=how.by)
    return report


def _with_handles(
    store: LogStore, some: Sequence[tuple[PendingEntry, bytes]], how: ImportAs
) -> Iterator[tuple[PendingEntry, bytes]]:
    for item, _ in some:
        try:
            check_readable(item.event)
        except MalformedError as error:
            raise error.at(item.where) from None
    entries = entries_with_handles(store, [item for item, _ in some], creates=not how.dry_run)
    for entry, (item, record) in zip(entries, some, strict=True):
        yield entry, record if entry is item else b""


def _opening(store: LogStore, checked: Checked, how: ImportAs) -> list[Batch]:
    """Return the batches that open hands after closings."""
    return opening_after(store, checked.closed, checked.versions, checked.events) if how.options.shows_hands else []


def _check_unmoved(compared: Mapping[str, int], judged: Mapping[str, int]) -> None:
    """Raise `ConflictError` if a stream has got new entries since it was compared."""
    for stream, version in judged.items():
        if compared[stream] != version:
            raise wrong_version(stream, version, compared[stream])


def dry_run_report(
    store: LogStore, report: ImportReport, new: Sequence[PendingEntry], checked: Checked, how: ImportAs
) -> ImportReport:
    """Return the report of an import that stores nothing, with its changes and findings."""
    outcome = try_entries(store, new, checked.places, how.lang, how.names)
    return structs.replace(report, dry_run=True, new_findings=outcome.findings, changes=outcome.changes)


def _batches(pending: Sequence[PendingEntry], versions: Mapping[str, int]) -> Iterator[Batch]:
    """Yield the entries in the order of the file, grouped by runs of one stream."""
    reached = dict(versions)
    for stream, run in groupby(pending, key=attrgetter("stream")):
        entries = tuple(run)
        yield Batch(stream, reached[stream], entries)
        reached[stream] += len(entries)


def check_same(item: PendingEntry, row: Row) -> None:
    """Raise `ConflictError` if the id of an entry is recorded with another content."""
    if (row.stream, row.happened_at) != (item.stream, item.happened_at) or not row.has_payload(_payload(item)):
        raise _id_taken(item, phrase("import.entry_at", position=row.position, stream=row.stream))


def _check_same_line(item: PendingEntry, before: PendingEntry) -> None:
    if (before.stream, before.happened_at, _payload(before)) != (item.stream, item.happened_at, _payload(item)):
        raise _id_taken(item, before.where)


def _payload(item: PendingEntry) -> bytes:
    """Return the payload as the log would store it, with all text in NFC."""
    return normalize("NFC", encode_event(item.event).decode()).encode()


def _id_taken(item: PendingEntry, place: Text) -> ConflictError:
    return ConflictError("id_used", phrase("import.id_used", place=item.where, id=item.id, entry=place))


def _pending_from_export(source: str, record: bytes, number: int) -> PendingEntry:
    envelope = EXPORT_LINE.decode(record)
    return PendingEntry(upcast(envelope.event), envelope.id, stream=envelope.stream, source=source, line=number)


def _import_whole(
    store: LogStore, lines: Iterable[tuple[int, bytes]], source: str, how: ImportAs, new: Spool
) -> ImportReport:
    """Continue the ledger with the entries of an export, digests included; known entries must be the same.

    The file may begin at any recorded position, or at the next one.
    """
    head = store.head().position
    already = 0

    def arriving() -> Iterator[PendingEntry]:
        nonlocal already
        recorded: Iterator[Row] = iter(())
        position = 0
        ids: dict[str, int] = {}
        for number, line in lines:
            envelope, _ = read_line(EXPORT_LINE, line, source, number)
            if not position:
                position = min(envelope.position, head + 1) - 1
                recorded = store.read(after=position, until=head)
            where = line_of(source, number)
            if envelope.position <= position:  # a line sent twice
                if envelope != _earlier_entry(store, new, head, envelope.position):
                    what = phrase("import.told_before", place=where, position=envelope.position)
                    raise ConflictError("id_used", what)
                already += 1
                continue
            position += 1
            if envelope.position != position:
                continues = phrase("import.not_next", place=where, expected=position, actual=envelope.position)
                raise ConflictError("not_next", continues)
            row = next(recorded, None)
            if row is not None:
                _check_recorded(row, line, envelope, where)
                already += 1
                continue
            item = _as_written(store, envelope, source, number)
            if (index := ids.setdefault(envelope.id, len(new))) < len(new):
                raise _id_taken(item, new[index].where)
            new.add(line, number)
            if how.progress is not None and len(new) % _PROGRESS_EVERY == 0:
                how.progress(len(new))
            yield item

    checked = check_streams(store, new, how.options.strict, arriving=arriving(), is_export=True)
    report = report_of(source, "export", checked.kinds, already, checked.findings)
    try:
        if how.dry_run:
            try_envelopes(store, chain.from_iterable(map(decode_envelopes, new.lists())))
            return dry_run_report(store, report, new, checked, how)
        store.append_envelopes(chain.from_iterable(map(decode_envelopes, new.lists())))
    except MalformedError as error:
        raise error.at(in_file(source)) from None
    return report


def _earlier_entry(store: LogStore, new: Spool, head: int, position: int) -> Envelope:
    """Return the entry at a position, from the ledger up to its `head` or from the `new` entries after it."""
    if position > head:
        return EXPORT_LINE.decode(new.record(position - head - 1))
    return next(store.read(after=position - 1, until=position)).envelope()


def _check_recorded(row: Row, line: bytes, envelope: Envelope, where: Text) -> None:
    if row.line() != line and row.envelope() != envelope:
        raise ConflictError("not_next", phrase("import.another_entry", place=where, position=row.position))


def _as_written(store: LogStore, envelope: Envelope, source: str, number: int) -> PendingEntry:
    """Return an entry of an export. Raise `MalformedError` if its event is not canonical: the digest covers its
    spelling, or as `check_handles`.
    """
    entry = PendingEntry(upcast(envelope.event), envelope.id, stream=envelope.stream, source=source, line=number)
    try:
        if canonical_event(entry.event) != entry.event:
            raise MalformedError(phrase("import.not_canonical"), phrase("import.canonical"))
        check_handles(store, entry.event, envelope.recorded_by)
    except MalformedError as error:
        raise error.at(entry.where) from None
    return entry


def report_of(source: str, form: str, kinds: Counter[type], already: int, findings: int) -> ImportReport:
    """Return the report of an import; `kinds`: how many new events it has of each type."""
    return ImportReport(
        source=source,
        form=form,
        tables=kinds[TableOpened],
        deals=kinds[DealStarted],
        events=kinds.total(),
        already_recorded=already,
        findings=findings,
    )
