"""Import of a file by its path: lines of events, a hand record, or another ledger, recognised by content (contract 7).

A prefix before the names of tables and sessions keeps the records of two clubs apart. The id of each entry then follows
from the original id and the prefix, so that importing the same file again records nothing twice.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import BinaryIO, Final
from uuid import NAMESPACE_URL, UUID, uuid5

import msgspec
from msgspec import structs

from ledger import limits
from ledger.errors import ConflictError, MalformedError, UnreadableError, in_file, line_of
from ledger.events import Corrected, Envelope, Event, StreamName, TableOpened, encode_event
from ledger.limits import exceeded
from ledger.log.append_rules import canonical_id
from ledger.log.base import EMPTY, LogStore
from ledger.log.memory import MemoryStore
from ledger.log.paths import LEDGER_FILE
from ledger.log.stores import open_store
from ledger.log.verify import verify
from ledger.outside import opened
from ledger.recording.catalogue import phrase
from ledger.recording.importing import BEGIN_BYTES, ImportAs, ImportOptions, ImportReport, import_content, text_of
from ledger.recording.merging import digest_at, merge
from ledger.recording.ndjson import BARE_LINE, EXPORT_LINE, is_whole, numbered_lines, read_line


def import_path(store: LogStore, path: Path, how: ImportAs) -> ImportReport:
    """Store all events of a file, or none. A ledger is verified first.

    Raise `UnreadableError` for a damaged ledger, and the errors of `import_open` and `merge`.
    """
    prefix = how.options.prefix
    with opened(path, may_be_pipe=True) as file:
        size = os.fstat(file.fileno()).st_size
        if size > limits.FILE_BYTES and not prefix:
            raise exceeded("file", size, limits.FILE_BYTES, "bytes", in_file(path))
        if not file.peek(len(LEDGER_FILE)).startswith(LEDGER_FILE):
            return import_open(store, file, str(path), how)
    progress = how.progress
    verification = verify(path, progress=None if progress is None else lambda done, _: progress(done))
    if verification.damage is not None:
        at = verification.damage.position
        key = "damaged_ledger" if at is None else "damaged_ledger_at"
        raise UnreadableError("damaged", phrase(key, file=path, position=at, what=verification.damage.what))
    with open_store(path, access="allowed") as other:
        if prefix:
            return _merge_renamed(store, (row.envelope() for row in other.read()), str(path), how)
        return merge(store, other, str(path), how)


def import_open(store: LogStore, file: BinaryIO, source: str, how: ImportAs) -> ImportReport:
    """Store the events of an open file; without a prefix like `import_content`.

    With a prefix, raise `MalformedError` for a hand record, which names its own table, and for an export that does not
    begin with the first entry.
    """
    if not how.options.prefix:
        return import_content(store, file, source, how)
    begin = file.read(_BLOCK_BYTES).removeprefix(b"\xef\xbb\xbf")
    lines = numbered_lines(chain([begin], iter(partial(file.read, _BLOCK_BYTES), b"")), source)
    first = next(lines, None)
    if first is None or not first[1].lstrip().startswith(b"{"):
        raise MalformedError(phrase("prefix.no_lines"), phrase("prefix.lines"), where=in_file(source))
    lines = chain([first], lines)
    if is_whole(first[1]):
        return structs.replace(_merge_renamed(store, _checked(lines, source), source, how), form="export")
    content = BytesIO(b"".join(_bare_lines(lines, source, how.options.prefix)))
    only_strict = ImportOptions(strict=how.options.strict)
    return import_content(store, content, source, structs.replace(how, options=only_strict, progress=None))


def hand_record_text(path: Path) -> str:
    """Return the text of a hand record. Raise `MalformedError` if it is too long or not text."""
    with opened(path, may_be_pipe=True) as file:
        content = file.read(BEGIN_BYTES)
    return text_of(content, str(path))


_BLOCK_BYTES: Final = 1_000_000
_encode: Final = msgspec.json.Encoder().encode


def _merge_renamed(store: LogStore, envelopes: Iterable[Envelope], source: str, how: ImportAs) -> ImportReport:
    with MemoryStore() as other:
        other.append_envelopes(_renamed(envelopes, source, how.options.prefix))
        return merge(store, other, source, how)


def _checked(lines: Iterable[tuple[int, bytes]], source: str) -> Iterator[Envelope]:
    """Yield the entries of a whole export. Raise `ConflictError` if one is missing, `MalformedError` if one was
    altered.
    """
    digest = EMPTY.digest
    for position, (number, line) in enumerate(lines, start=1):
        entry, _ = read_line(EXPORT_LINE, line, source, number)
        where = line_of(source, number)
        if entry.position != position:
            said = phrase("import.not_next", place=where, expected=position, actual=entry.position)
            raise ConflictError("not_next", said)
        digest = digest_at(position, entry, digest)
        if digest.hex() != entry.digest:
            raise MalformedError(phrase("prefix.altered"), phrase("prefix.as_exported"), entry.digest, where)
        yield entry


def _renamed(envelopes: Iterable[Envelope], source: str, prefix: str) -> Iterator[Envelope]:
    """Yield the entries with prefixed names, other ids and a new chain of digests."""
    digest = EMPTY.digest
    for entry in envelopes:
        renamed = structs.replace(
            entry,
            stream=_stream(entry.stream, prefix, source),
            id=_id(entry.id, prefix),
            event=_event(entry.event, prefix),
        )
        digest = digest_at(entry.position, renamed, digest)
        yield structs.replace(renamed, digest=digest.hex())


def _bare_lines(lines: Iterable[tuple[int, bytes]], source: str, prefix: str) -> Iterator[bytes]:
    """Yield the lines with prefixed names and other ids, padded to keep their line numbers."""
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
