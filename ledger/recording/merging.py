"""Merge of another ledger's entries into this one, stream by stream.

If both ledgers have a stream, the longer one must begin with all of the shorter one; a fork is never resolved by
guessing. An entry keeps its id, version, event, times and recorder, and gets a new position and digest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from itertools import chain, islice

from msgspec import Struct, structs

from ledger.errors import ConflictError, LedgerError, MalformedError
from ledger.events import Envelope, encode_event, upcast
from ledger.i18n import Phrase
from ledger.log.append_rules import CHUNK
from ledger.log.base import Head, LogStore, Row
from ledger.log.chain import canonical, digest_after
from ledger.recording.catalogue import phrase
from ledger.recording.handles import check_handles
from ledger.recording.importing import ImportAs, ImportReport, dry_run_report, report_of
from ledger.recording.ndjson import EXPORT_LINE, Spool, decode_envelopes
from ledger.recording.pending_entry import PendingEntry
from ledger.recording.stream_checks import check_streams


class Fork(Struct, frozen=True):
    """The first version at which a stream differs between two ledgers, with the entry of each."""

    ours: Row
    theirs: Row


class ForkError(ConflictError):
    """The error for streams that continue differently in both ledgers; the message shows both branches of each."""

    def __init__(self, source: str, forks: Sequence[Fork]) -> None:
        self.forks = tuple(forks)
        message: Phrase = _branches(source, forks[0])
        for fork in forks[1:]:
            message = phrase("fork.more", forks=message, fork=_branches(source, fork))
        super().__init__("forked", message, stream=forks[0].ours.stream, version=forks[0].ours.version)


def is_of_another_club(error: LedgerError) -> bool:
    """Return whether an import failed because the file uses the name of a table or session for something else."""
    if isinstance(error, ForkError):
        return any(fork.ours.version == 1 for fork in error.forks)
    said = error.what if isinstance(error, MalformedError) else error.said
    if not isinstance(said, Phrase):
        return False
    is_open = said.key in ("entry.table_is_open", "entry.session_is_open")
    return is_open or (said.key == "import.another_entry" and said.values["position"] == 1)


def merge(store: LogStore, other: LogStore, source: str, how: ImportAs) -> ImportReport:
    """Store all entries that only the `other` ledger has, or none; `source`: the other's name in messages.

    The entries keep their recorders. Raise `ForkError`, `ConflictError` for an id that this ledger uses elsewhere, and
    what an import of the events would raise; then nothing was stored.
    """
    head = store.head()
    common = _common(store, other, source)
    with closing(Spool(partial(_pending_entry, source))) as new:
        checked = check_streams(
            store, new, how.options.strict, arriving=_arriving(store, other, source, common, new), is_export=True
        )
        report = report_of(source, "ledger", checked.kinds, sum(common.values()), checked.findings)
        if store.head() != head:
            raise ConflictError("changed", phrase("changed_while_compared"))
        if how.dry_run:
            return dry_run_report(store, report, new, checked, how)
        store.append_envelopes(_continuing(head, new))
    return report


def _pending_entry(ledger: str, record: bytes, position: int) -> PendingEntry:
    envelope = EXPORT_LINE.decode(record)
    source = phrase("merge.source", ledger=ledger, place=position)
    return PendingEntry(upcast(envelope.event), stream=envelope.stream, source=source)


def _common(store: LogStore, other: LogStore, source: str) -> dict[str, int]:
    """Return how many entries both ledgers have of each stream. Raise `ForkError` if they differ."""
    forks: list[Fork] = []
    common: dict[str, int] = {}
    for head in other.streams():
        ours, theirs = store.read_stream(head.stream), other.read_stream(head.stream)
        fork = next((Fork(*pair) for pair in zip(ours, theirs, strict=False) if not _is_same(*pair)), None)
        if fork is not None:
            forks.append(fork)
        common[head.stream] = min(len(ours), len(theirs))
    if forks:
        raise ForkError(source, forks)
    return common


def _arriving(
    store: LogStore, other: LogStore, source: str, common: Mapping[str, int], new: Spool
) -> Iterator[PendingEntry]:
    """Yield the new entries in the other ledger's order, after adding each to the spool."""
    rows = (row for row in other.read() if row.version > common.get(row.stream, 0))
    while some := list(islice(rows, CHUNK)):
        _check_ids(store, some, source)
        for row in some:
            check_handles(store, row.event(), row.recorded_by)
            new.add(row.line(), row.position)
            yield PendingEntry(
                row.event(), stream=row.stream, source=phrase("merge.source", ledger=source, place=row.position)
            )


def _is_same(ours: Row, theirs: Row) -> bool:
    """Return whether two entries have the same id, time and content, as a request sent to both ledgers has."""
    is_same_event = ours.payload == theirs.payload or ours.event() == theirs.event()
    return (ours.id, ours.happened_at) == (theirs.id, theirs.happened_at) and is_same_event


def _check_ids(store: LogStore, new: Iterable[Row], source: str) -> None:
    known = store.known_ids(row.id for row in new)
    for row in new:
        if row.id in known:
            ours = known[row.id]
            theirs = phrase("merge.theirs", position=row.position, id=row.id, stream=row.stream, version=row.version)
            here = phrase("merge.ours", version=ours.version, stream=ours.stream)
            raise ConflictError("id_used", phrase("merge.id_used", file=source, theirs=theirs, ours=here))


def _continuing(head: Head, new: Spool) -> Iterator[Envelope]:
    """Yield the entries chained to the head."""
    digest = head.digest
    entries = chain.from_iterable(map(decode_envelopes, new.lists()))
    for position, entry in enumerate(entries, start=head.position + 1):
        digest = digest_at(position, entry, digest)
        yield structs.replace(entry, position=position, digest=digest.hex())


def digest_at(position: int, entry: Envelope, before: bytes) -> bytes:
    """Return the digest of an entry at a position, given the digest of the entry before it."""
    parts = (entry.stream, entry.version, entry.id, entry.recorded_at, entry.recorded_by, entry.happened_at)
    return digest_after(before, canonical(position, *parts, encode_event(entry.event)))


def _branches(source: str, fork: Fork) -> Phrase:
    at = {"stream": fork.ours.stream, "version": fork.ours.version}
    return phrase("fork.branches", file=source, **at, ours=_branch(fork.ours), theirs=_branch(fork.theirs))


def _branch(row: Row) -> Phrase:
    recorded = {"recorded_at": row.recorded_at, "recorded_by": row.recorded_by, "id": row.id}
    return phrase("fork.branch", event=row.payload.decode(), **recorded)
