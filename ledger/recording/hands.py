"""Shows the hands of deals that ended before their last card, and that are hidden from who may not see hands still."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from ledger.events import Event, HandsOpened, SessionClosed, TableClosed, TableOpened
from ledger.log.base import Batch, LogStore, NewEntry
from ledger.recording.adding import Recording
from ledger.recording.told import Told
from ledger.table.corrections import Entry
from ledger.table.hiding import waiting_in
from ledger.table.lookup import SESSION_PREFIX, TABLE_PREFIX, no_table, session_slug, slug_of


class HandsWaiting(Struct, frozen=True, kw_only=True):
    """Deals of a table that have ended and are hidden still; `version`: of the table."""

    table: str
    session: str | None
    deals: tuple[int, ...]
    version: int


def hands_waiting(store: LogStore, streams: Iterable[str] | None = None) -> Iterator[HandsWaiting]:
    """The tables with deals that have ended and are hidden still, of these streams or of all."""
    for stream in [head.stream for head in store.streams(TABLE_PREFIX)] if streams is None else streams:
        if (found := _waiting(stream, _entries(store, stream))) is not None:
            yield found


def _entries(store: LogStore, stream: str) -> list[Entry]:
    return [(row.version, row.event()) for row in store.read_stream(stream)]


def _waiting(stream: str, entries: Sequence[Entry]) -> HandsWaiting | None:
    deals = waiting_in(entries)
    if not deals:
        return None
    opened = entries[0][1]
    session = opened.session if isinstance(opened, TableOpened) else None
    return HandsWaiting(table=slug_of(stream), session=session, deals=tuple(deals), version=len(entries))


def open_hands(store: LogStore, tables: Sequence[str], recording: Recording) -> list[HandsWaiting]:
    """Shows them to everybody, at these tables or at all; raises `NotFoundError` for a table that is not there."""
    for table in tables:
        if not store.read_stream(TABLE_PREFIX + slug_of(table)):
            raise no_table(store, table)
    found = list(hands_waiting(store, [TABLE_PREFIX + slug_of(table) for table in tables] or None))
    if found and not recording.dry_run:
        store.append_all(opening(found), recorded_by=recording.by)
    return found


def opening_in_session(store: LogStore, session: str) -> list[Batch]:
    """What shows the hands of the tables of a session."""
    slug = session_slug(session)
    return opening(one for one in hands_waiting(store) if one.session == slug)


def opening_after(
    store: LogStore, versions: Mapping[str, int], places: Mapping[str, Mapping[int, Told]], kinds: Counter[type]
) -> list[Batch]:
    """What shows the hands of the tables that new entries close, or of whose sessions; they are not recorded yet.

    `versions`: of the streams before them. `places`: the entries by version; `kinds`: how many of each type they are.
    """
    if not (kinds[TableClosed] or kinds[SessionClosed]):
        return []

    def added(stream: str) -> Iterator[Event]:
        of_it = places[stream]
        return (of_it[version].event for version in of_it if version > versions[stream])

    closed = {stream for stream in versions if any(type(one) in (TableClosed, SessionClosed) for one in added(stream))}
    sessions = {session_slug(stream) for stream in closed if stream.startswith(SESSION_PREFIX)}
    recorded = [head.stream for head in store.streams(TABLE_PREFIX)] if sessions else []
    found = []
    for stream in dict.fromkeys((*recorded, *versions)):
        if not stream.startswith(TABLE_PREFIX) or not (sessions or stream in closed):
            continue
        entries = _entries(store, stream)
        entries += enumerate(added(stream), len(entries) + 1) if stream in versions else ()
        one = _waiting(stream, entries)
        if one is not None and (stream in closed or one.session in sessions):
            found.append(one)
    return opening(found)


def opening(found: Iterable[HandsWaiting]) -> list[Batch]:
    """The entries that show these hands."""
    return [
        Batch(TABLE_PREFIX + one.table, one.version, tuple(NewEntry(HandsOpened(deal=deal)) for deal in one.deals))
        for one in found
    ]
