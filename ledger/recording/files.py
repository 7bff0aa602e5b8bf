"""Imports a file by its path: lines of events, a hand record, or another ledger, told apart by content (contract 7).

What another club recorded may get a prefix before the names of its tables and sessions: names that both clubs use
stay apart. The id of an entry follows from the one in the file and the prefix, so the same file imported again with the
same prefix records nothing twice.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, Final
from uuid import NAMESPACE_URL, UUID, uuid5

import msgspec
from msgspec import structs

from ledger import limits
from ledger.errors import ConflictError, MalformedError, UnreadableError, in_file, line_of
from ledger.events import Corrected, Envelope, Event, StreamName, TableOpened, encode_event
from ledger.limits import exceeded
from ledger.log.append_rules import canonical_id
from ledger.log.base import EMPTY, LogStore
from ledger.log.chain import canonical, digest_after
from ledger.log.memory import MemoryStore
from ledger.log.paths import LEDGER_FILE
from ledger.log.stores import open_store
from ledger.log.verify import verify
from ledger.outside import opened
from ledger.recording.importing import (
    BEGIN_BYTES,
    BY_DEFAULT,
    ImportAs,
    ImportOptions,
    ImportReport,
    Progress,
    import_content,
    text_of,
)
from ledger.recording.merging import merge
from ledger.recording.ndjson import BARE_LINE, EXPORT_LINE, is_whole, numbered_lines, read_line
from ledger.recording.words import phrase


def import_path(
    store: LogStore,
    path: Path,
    *,
    recorded_by: str,
    options: ImportOptions = BY_DEFAULT,
    dry_run: bool = False,
    progress: Progress | None = None,
    lang: str = "en",
) -> ImportReport:
    """Stores what a file tells, all or nothing; parameters and errors as in `import_content` and `merge`.

    A ledger is verified first; raises `UnreadableError` where it is damaged.
    """
    with opened(path, may_be_pipe=True) as file:
        size = os.fstat(file.fileno()).st_size
        if size > limits.FILE_BYTES:
            raise exceeded("file", size, limits.FILE_BYTES, "bytes", in_file(path))
        if not file.peek(len(LEDGER_FILE)).startswith(LEDGER_FILE):
            how: dict[str, Any] = {"options": options, "dry_run": dry_run, "progress": progress, "lang": lang}
            return import_content(store, file, str(path), recorded_by=recorded_by, **how)
    with verified_ledger(path, progress) as other:
        return merge(store, other, str(path), strict=options.strict, dry_run=dry_run, lang=lang)


@contextmanager
def verified_ledger(path: Path, progress: Progress | None) -> Iterator[LogStore]:
    """Open another ledger once every byte of it was checked; raise `UnreadableError` where it is damaged."""
    found = verify(path, progress=None if progress is None else lambda done, _: progress(done))
    if found.damage is not None:
        at = found.damage.position
        key = "damaged_ledger" if at is None else "damaged_ledger_at"
        raise UnreadableError("damaged", phrase(key, file=path, position=at, what=found.damage.what))
    with open_store(path, access="allowed") as other:
        yield other


def hand_record_text(path: Path) -> str:
    """The text of a hand record; raises `MalformedError` where it is too long or no text."""
    with opened(path, may_be_pipe=True) as file:
        content = file.read(BEGIN_BYTES)
    return text_of(content, str(path))


_BLOCK_BYTES: Final = 1_000_000
_encode: Final = msgspec.json.Encoder().encode


def import_prefixed(
    store: LogStore,
    file: Path | BinaryIO,
    source: str,
    how: ImportAs,
    progress: Callable[[int], None] | None = None,
) -> ImportReport:
    """Store what a file of lines, or another ledger, holds, all or nothing; `source` names it in messages.

    Raises `MalformedError` for a hand record, which names its table itself, and for an export that does not begin with
    the first entry; else as `import_content` and `merge`.
    """
    if not isinstance(file, Path):
        return _import_lines(store, file, source, how)
    with opened(file, may_be_pipe=True) as content:
        if not content.peek(len(LEDGER_FILE)).startswith(LEDGER_FILE):
            return _import_lines(store, content, source, how)
    with verified_ledger(file, progress) as other:
        return _merge(store, (row.envelope() for row in other.read()), source, how)


def _import_lines(store: LogStore, file: BinaryIO, source: str, how: ImportAs) -> ImportReport:
    begin = file.read(_BLOCK_BYTES).removeprefix(b"\xef\xbb\xbf")
    lines = numbered_lines(chain([begin], iter(partial(file.read, _BLOCK_BYTES), b"")), source)
    first = next(lines, None)
    if first is None or not first[1].lstrip().startswith(b"{"):
        raise MalformedError(phrase("prefix.no_lines"), phrase("prefix.lines"), where=in_file(source))
    lines = chain([first], lines)
    if is_whole(first[1]):
        return structs.replace(_merge(store, _checked(lines, source), source, how), form="export")
    content = BytesIO(b"".join(_bare_lines(lines, source, how.options.prefix)))
    options = ImportOptions(strict=how.options.strict)
    return import_content(
        store, content, source, recorded_by=how.by, options=options, dry_run=how.dry_run, lang=how.lang
    )


def _merge(store: LogStore, envelopes: Iterable[Envelope], source: str, how: ImportAs) -> ImportReport:
    with MemoryStore() as other:
        other.append_envelopes(_renamed(envelopes, source, how.options.prefix))
        return merge(store, other, source, strict=how.options.strict, dry_run=how.dry_run, lang=how.lang)


def _checked(lines: Iterable[tuple[int, bytes]], source: str) -> Iterator[Envelope]:
    """Yield the entries of a whole export; raise `ConflictError` where one is missing or was altered."""
    digest = EMPTY.digest
    for position, (number, line) in enumerate(lines, start=1):
        entry, _ = read_line(EXPORT_LINE, line, source, number)
        where = line_of(source, number)
        if entry.position != position:
            said = phrase("import.not_next", place=where, expected=position, actual=entry.position)
            raise ConflictError("not_next", said)
        digest = _digest(digest, entry)
        if digest.hex() != entry.digest:
            raise MalformedError(phrase("prefix.altered"), phrase("prefix.as_exported"), entry.digest, where)
        yield entry


def _renamed(envelopes: Iterable[Envelope], source: str, prefix: str) -> Iterator[Envelope]:
    """Yield the entries with other names and ids, chained anew."""
    digest = EMPTY.digest
    for entry in envelopes:
        renamed = structs.replace(
            entry,
            stream=_stream(entry.stream, prefix, source),
            id=_id(entry.id, prefix),
            event=_event(entry.event, prefix),
        )
        digest = _digest(digest, renamed)
        yield structs.replace(renamed, digest=digest.hex())


def _digest(before: bytes, entry: Envelope) -> bytes:
    parts = (entry.stream, entry.version, entry.id, entry.recorded_at, entry.recorded_by, entry.happened_at)
    return digest_after(before, canonical(entry.position, *parts, encode_event(entry.event)))


def _bare_lines(lines: Iterable[tuple[int, bytes]], source: str, prefix: str) -> Iterator[bytes]:
    """Yield the lines with other names and ids, each with its number in the file."""
    written, versions = 1, Counter[str]()
    for number, line in lines:
        read, _ = read_line(BARE_LINE, line, source, number)
        yield b"\n" * (number - written)
        written = number
        versions[read.stream] += 1
        content = f"{read.stream} {versions[read.stream]} {encode_event(read.event).decode()}"
        renamed = structs.replace(
            read,
            stream=_stream(read.stream, prefix, source),
            id=_id(str(uuid5(NAMESPACE_URL, content)) if read.id is None else read.id, prefix),
            event=_event(read.event, prefix),
        )
        yield _encode(renamed)


def _stream(stream: str, prefix: str, source: str) -> str:
    kind, _, slug = stream.partition("/")
    try:
        return msgspec.convert(f"{kind}/{prefix}{slug}", StreamName)
    except msgspec.ValidationError:
        what = phrase("prefix.too_long")
        raise MalformedError(what, phrase("prefix.shorter"), f"{prefix}{slug}", in_file(source)) from None


def _event(event: Event, prefix: str) -> Event:
    if isinstance(event, TableOpened) and event.session is not None:
        return structs.replace(event, session=prefix + event.session)
    if isinstance(event, Corrected) and event.events is not None:
        return structs.replace(event, events=tuple(_event(instead, prefix) for instead in event.events))
    return event


def _id(id: str, prefix: str) -> str:
    return str(uuid5(UUID(canonical_id(id)), prefix))
