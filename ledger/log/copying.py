"""Copies of a ledger, entry by entry, from any source into any store: same ids, positions and digests.

Each chunk is a commit, so an interrupted copy is a valid shorter ledger, and the next call continues it. The store
computes every digest again, so a source cannot make it record an altered entry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from itertools import islice
from pathlib import Path
from typing import Final, Literal, Protocol, TypeAlias

from msgspec import Struct

from ledger.errors import ConflictError, LedgerError, UnreadableError
from ledger.events import Envelope, TableOpened
from ledger.log.append_rules import CHUNK
from ledger.log.base import EMPTY, Head, LogStore, Row
from ledger.log.catalogue import phrase
from ledger.log.memory import MemoryStore
from ledger.log.people import People, is_handle
from ledger.log.stores import create_store, open_store


class Source(Protocol):
    """What a copy reads: a `LogStore`, or the service of another machine."""

    @property
    def address(self) -> str | None:
        """The address of the ledger, for messages."""
        ...

    @property
    def ledger_id(self) -> str | None:
        """The UUID of the ledger; None if the source does not show it."""
        ...

    @property
    def has_handles(self) -> bool:
        """Whether players are recorded under handles; false if the source does not show it."""
        ...

    def head(self) -> Head:
        """Return the last entry, `EMPTY` if there is none."""
        ...

    def read(self, after: int = 0, until: int | None = None) -> Iterator[Row]:
        """Return the entries with `after` < position <= `until` in order."""
        ...

    def people(self) -> People | None:
        """Return the display names, links and hidden players; None if the source does not show them."""
        ...


OpenSource: TypeAlias = Callable[[], AbstractContextManager[Source]]
"""A function that opens the source; it is closed at the end of the context."""

Progress: TypeAlias = Callable[[int, int], object]
"""A callback that gets the position of the copy, and the one at which it ends."""


class LedgerCopy(Struct, frozen=True):
    """A copy that has all entries of its source: the last of them, and how many this call added.

    `with_people`: whether its display names, links and hidden players were copied, too.
    """

    head: Head
    added: int
    with_people: bool


class FollowState(Struct, frozen=True):
    """A change while a copy follows its source.

    `level`: the copy has every entry. `behind`: it lacks `missing` entries. `interrupted`: it cannot continue now,
    because of `why`, and tries again.
    """

    kind: Literal["level", "behind", "interrupted"]
    head: Head
    missing: int = 0
    why: LedgerError | None = None
    with_people: bool = False


POLL_S: Final = 1.0
"""The seconds between two reads of a source that a copy follows."""

_PASSING: Final = frozenset(("busy", "locked", "disk", "no_ledger", "unreachable"))
"""The codes of errors after which `follow` tries again."""


def opened_source(where: str | Path, token: str | None = None) -> AbstractContextManager[Source]:
    """Open what a copy reads: the ledger at an address, or that of the service at an http or https address.

    `token`: for a service. Raise as `open_store`, and `MalformedError` for a wrong address of a service.
    """
    if str(where).lower().startswith(("http://", "https://")):
        from ledger.log.http_source import HttpSource  # few copies come from a service

        return nullcontext(HttpSource(str(where), token))
    return open_store(where, access="allowed")


def copy(open_source: OpenSource, target: str | Path, *, progress: Progress | None = None) -> LedgerCopy:
    """Copy every entry that the source has now, and its people, into the ledger at an address.

    A new ledger appears with its first chunk; an existing one must be a beginning of the source. Raise `ConflictError`
    if it is not, `UnreadableError` if the source cannot be read to its end, and `MalformedError` for an entry that does
    not match its digest; the entries before it are kept.
    """
    with open_source() as source:
        store, before = _opened_target(source, target)
        with store:
            head = source.head()
            for position in chunks(source, store, head):
                if progress is not None:
                    progress(position, head.position)
            return LedgerCopy(head, head.position - before, copy_people(source, store))


def follow(open_source: OpenSource, target: str | Path, *, wait: Callable[[], object]) -> Iterator[FollowState]:
    """Copy as `copy`, and again after each `wait`, without end; yield each change of state.

    The first round raises any error; a later one that may pass is reported as `interrupted`. The target stays open, so
    that a file that takes its place is noticed.
    """
    with open_source() as source:
        store, _ = _opened_target(source, target)
    state: FollowState | None = None
    with store:
        while True:
            try:
                for now in _round(open_source, store):
                    if state is None or state.kind != now.kind:
                        yield now
                    state = now
            except LedgerError as error:
                if state is None or error.code not in _PASSING:
                    raise
                if state.kind != "interrupted":
                    state = FollowState("interrupted", store.head(), why=error)
                    yield state
            wait()


def _round(open_source: OpenSource, target: LogStore) -> Iterator[FollowState]:
    with open_source() as source:
        head = source.head()
        for position in chunks(source, target, head):
            if position < head.position:
                yield FollowState("behind", target.head(), head.position - position)
        yield FollowState("level", head, with_people=copy_people(source, target))


def chunks(source: Source, target: LogStore, head: Head) -> Iterator[int]:
    """Append the entries up to `head`, the source's, that the target lacks; yield the position after each commit.

    Raise as `copy`.
    """
    rows = _missing_rows(source, target, head)
    reached = target.head()
    while chunk := list(islice(rows, CHUNK)):
        reached = target.append_envelopes(row.envelope() for row in chunk)
        yield reached.position
    if reached.position < head.position:
        raise UnreadableError("unreachable", phrase("copying.cut_off", file=source.address, position=reached.position))
    if reached != head:
        raise ConflictError("changed", phrase("copying.changed", file=source.address))


def copy_people(source: Source, target: LogStore) -> bool:
    """Give the target the people of the source; return whether the source shows them."""
    people = source.people()
    if people is not None and people != target.people():
        target.replace_people(people)
    return people is not None


def _missing_rows(source: Source, target: LogStore, head: Head) -> Iterator[Row]:
    """Return the rows of the source after the head of the target, which must be one of its entries."""
    both = {"source": source.address, "target": target.address}
    if None not in (source.ledger_id, target.ledger_id) and source.ledger_id != target.ledger_id:
        ids = {"id": target.ledger_id, "other": source.ledger_id}
        raise ConflictError("not_next", phrase("copying.other_ledger", **both, **ids))
    last = target.head()
    if last == head:
        return iter(())
    if last == EMPTY:
        return source.read(0, head.position)
    if last.position <= head.position:
        rows = source.read(last.position - 1, head.position)
        same = next(rows, None)
        if same is None or same.digest == last.digest:
            return rows
    common = _last_common(source, target, min(last.position, head.position))
    key = "copying.ahead" if common == head.position else "copying.forked"
    raise ConflictError("forked", phrase(key, **both, position=common, more=last.position - common))


def _last_common(source: Source, target: LogStore, until: int) -> int:
    """Return the last position up to which both have the same entries, by bisection: a digest covers all before it."""

    def digest(ledger: Source, position: int) -> bytes | None:
        return next((row.digest for row in ledger.read(position - 1, position)), None)

    common = 0
    while common < until:
        middle = (common + until + 1) // 2
        if digest(source, middle) == digest(target, middle):
            common = middle
        else:
            until = middle - 1
    return common


def _opened_target(source: Source, target: str | Path) -> tuple[LogStore, int]:
    """Open the target, or create it with the first chunk, which is checked before the file appears.

    Return it with the number of entries that it had.
    """
    if source.address is not None and _is_same(source.address, target):
        raise ConflictError("exists", phrase("copying.itself", file=target))
    try:
        store = open_store(target)
    except UnreadableError as error:
        if error.code != "no_ledger":
            raise
    else:
        return store, store.head().position
    first = [row.envelope() for row in source.read(0, min(CHUNK, source.head().position))]
    with MemoryStore() as trial:
        trial.append_envelopes(first)
    store = create_store(target, ledger_id=source.ledger_id, handles=source.has_handles or _have_handles(first))
    try:
        store.append_envelopes(first)
    except BaseException:
        store.close()
        raise
    return store, 0


def _have_handles(entries: Iterable[Envelope]) -> bool:
    """Return whether the first table has handles: a service does not show that its ledger records them."""
    opened = next((one.event for one in entries if isinstance(one.event, TableOpened)), None)
    return opened is not None and all(map(is_handle, opened.players))


def _is_same(one: str, other: str | Path) -> bool:
    try:
        return one == str(other) or Path(one).samefile(other)
    except OSError:
        return False
