"""Brings another ledger's entries into this one, stream by stream: two that were kept apart become one.

Where both hold a stream, the longer one must begin with all of the shorter one; nobody guesses which branch of a fork
is right. An entry keeps its id, version, event, times and recorder; its position and digest are those of its new place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter

from msgspec import Struct, structs

from ledger.errors import ConflictError
from ledger.events import Envelope
from ledger.i18n import Phrase
from ledger.log.base import Head, LogStore, Row
from ledger.log.chain import canonical, digest_after
from ledger.recording.importing import ImportReport, only_tried, report_of
from ledger.recording.judging import check_streams
from ledger.recording.told import Told
from ledger.recording.words import phrase


class Fork(Struct, frozen=True):
    """The first version at which two ledgers tell a stream differently, with the entry of each."""

    ours: Row
    theirs: Row


class ForkError(ConflictError):
    """Streams that both ledgers have gone on with; the message shows both branches of each."""

    def __init__(self, source: str, forks: Sequence[Fork]) -> None:
        self.forks = tuple(forks)
        told: Phrase = _branches(source, forks[0])
        for fork in forks[1:]:
            told = phrase("fork.more", forks=told, fork=_branches(source, fork))
        super().__init__("forked", told, stream=forks[0].ours.stream, version=forks[0].ours.version)


def merge(
    store: LogStore, other: LogStore, source: str, *, strict: bool = False, dry_run: bool = False, lang: str = "en"
) -> ImportReport:
    """Takes what the `other` ledger has and this one has not, all or nothing; `source` names the other in messages.

    With `dry_run` nothing is stored, and the report tells in `lang` what would change.

    Raises `ForkError`, `ConflictError` for an id that this ledger has elsewhere, and what an import of the events would
    raise; then nothing was stored.
    """
    head = store.head()
    new, already = _new_rows(store, other, source)
    _check_ids(store, new, source)
    told = [Told(row.event(), stream=row.stream, source=_source(source, row)) for row in new]
    checked = check_streams(store, told, strict)
    report = report_of(source, "ledger", checked.kinds, already, checked.findings)
    if store.head() != head:
        raise ConflictError("changed", phrase("changed_while_compared"))
    if dry_run:
        return only_tried(store, report, told, checked.places, lang)
    store.append_envelopes(_continuing(head, new))
    return report


def _source(ledger: str, row: Row) -> Phrase:
    return phrase("merge.source", ledger=ledger, place=row.position)


def _new_rows(store: LogStore, other: LogStore, source: str) -> tuple[list[Row], int]:
    """What is new, in the other ledger's order, and how many entries both have."""
    new: list[Row] = []
    forks: list[Fork] = []
    already = 0
    for head in other.streams():
        ours, theirs = store.read_stream(head.stream), other.read_stream(head.stream)
        fork = next((Fork(*pair) for pair in zip(ours, theirs, strict=False) if not _is_same(*pair)), None)
        if fork is not None:
            forks.append(fork)
        already += min(len(ours), len(theirs))
        new += theirs[len(ours) :]
    if forks:
        raise ForkError(source, forks)
    return sorted(new, key=attrgetter("position")), already


def _is_same(ours: Row, theirs: Row) -> bool:
    """Whether two entries are one: the id says so, if the content agrees. Both may have been sent to both ledgers."""
    is_told = ours.payload == theirs.payload or ours.event() == theirs.event()
    return (ours.id, ours.happened_at) == (theirs.id, theirs.happened_at) and is_told


def _check_ids(store: LogStore, new: Iterable[Row], source: str) -> None:
    known = store.known_ids(row.id for row in new)
    for row in new:
        if row.id in known:
            ours = known[row.id]
            theirs = phrase("merge.theirs", position=row.position, id=row.id, stream=row.stream, version=row.version)
            here = phrase("merge.ours", version=ours.version, stream=ours.stream)
            raise ConflictError("id_used", phrase("merge.id_used", file=source, theirs=theirs, ours=here))


def _continuing(head: Head, rows: Iterable[Row]) -> Iterator[Envelope]:
    """The entries chained to the head."""
    digest = head.digest
    for position, row in enumerate(rows, start=head.position + 1):
        parts = (row.stream, row.version, row.id, row.recorded_at, row.recorded_by, row.happened_at, row.payload)
        digest = digest_after(digest, canonical(position, *parts))
        yield structs.replace(row.envelope(), position=position, digest=digest.hex())


def _branches(source: str, fork: Fork) -> Phrase:
    at = {"stream": fork.ours.stream, "version": fork.ours.version}
    return phrase("fork.branches", file=source, **at, ours=_branch(fork.ours), theirs=_branch(fork.theirs))


def _branch(row: Row) -> Phrase:
    recorded = {"recorded_at": row.recorded_at, "recorded_by": row.recorded_by, "id": row.id}
    return phrase("fork.branch", event=row.payload.decode(), **recorded)
