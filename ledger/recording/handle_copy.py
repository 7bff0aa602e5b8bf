"""Copies of a ledger as another ledger, whose entries have handles in place of the names of players and recorders.

Ids, versions and times stay; digests and the id of the ledger are new, so only the old ledger proves the old digests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import count
from pathlib import Path

from msgspec import structs

from ledger.errors import ConflictError
from ledger.events import Envelope
from ledger.log.base import Head
from ledger.log.catalogue import phrase
from ledger.log.chain import GENESIS
from ledger.log.copying import LedgerCopy, OpenSource, Progress, Source
from ledger.log.people import People, is_handle, new_handle
from ledger.log.stores import create_store, exists
from ledger.names import folded
from ledger.recording.handles import players_in
from ledger.recording.merging import digest_at
from ledger.table.corrections import with_names


def copy_with_handles(open_source: OpenSource, target: str | Path, *, progress: Progress | None = None) -> LedgerCopy:
    """Copy every entry that the source has now into a new ledger with handles; the names become display names.

    It is all or nothing, and never continued. Raise `ConflictError` if the target exists, and the errors of reading.
    """
    if exists(target):
        raise ConflictError("exists", phrase("exists", file=target))
    with open_source() as source:
        head, people = source.head(), source.people() or People()
        handles = _handles(source, head, people)
        with create_store(target, handles=True) as store:
            if handles:
                store.replace_people(_people(people, handles))
            copied = store.append_envelopes(_entries(source, head, handles, progress or (lambda done, total: None)))
        return LedgerCopy(copied, copied.position, with_people=True)


def _handles(source: Source, head: Head, people: People) -> dict[str, str]:
    """Return a handle for each name of a player or recorder; names that differ in their spelling alone stay apart."""
    names: dict[str, None] = dict.fromkeys(people.names)
    for row in source.read(0, head.position):
        names[_person(row.recorded_by)[1]] = None
        names.update(dict.fromkeys(players_in(row.event())))
    return {name: name if is_handle(name) else new_handle() for name in names}


def _person(recorded_by: str) -> tuple[str, str]:
    token, slash, person = recorded_by.rpartition("/")
    return token + slash, person


def _people(people: People, handles: Mapping[str, str]) -> People:
    """Return the people under their handles; a name without a display name becomes one."""
    taken: set[str] = set()
    names: dict[str, str] = {}
    for name, handle in handles.items():
        shown = people.names.get(name, name)
        if is_handle(shown):
            continue  # a forgotten name
        free = (shown if number == 1 else f"{shown} {number}" for number in count(1))
        names[handle] = next(one for one in free if folded(one) not in taken)
        taken.add(folded(names[handle]))
    links = {handles.get(one, one): handles.get(other, other) for one, other in people.links.items()}
    return People(names, links, frozenset(handles.get(one, one) for one in people.hidden))


def _entries(
    source: Source, head: Head, handles: dict[str, str], report: Callable[[int, int], object]
) -> Iterator[Envelope]:
    digest = GENESIS
    for row in source.read(0, head.position):
        entry = row.envelope()
        token, person = _person(entry.recorded_by)
        ((_, event),) = with_names([(0, entry.event)], handles)
        entry = structs.replace(entry, event=event, recorded_by=token + handles.get(person, person))
        digest = digest_at(entry.position, entry, digest)
        yield structs.replace(entry, digest=digest.hex())
        report(entry.position, head.position)
