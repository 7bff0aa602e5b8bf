"""Shows the hands of deals that ended before their last card, and that are hidden from who may not see hands still."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from ledger.events import HandsOpened, SessionClosed, TableClosed, TableOpened
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


def opening_after(store: LogStore, told: Sequence[Told]) -> list[Batch]:
    """What shows the hands of the tables that these entries close, or of whose sessions; they are not recorded yet."""
    closed = {item.stream for item in told if type(item.event) in (TableClosed, SessionClosed)}
    sessions = {session_slug(stream) for stream in closed if stream.startswith(SESSION_PREFIX)}
    entries: dict[str, list[Entry]] = {}
    for stream in [head.stream for head in store.streams(TABLE_PREFIX)] if sessions else []:
        entries[stream] = _entries(store, stream)
    for item in told if closed else ():
        if item.stream.startswith(TABLE_PREFIX):
            so_far = entries.setdefault(item.stream, []) or entries[item.stream]
            if not so_far and type(item.event) is not TableOpened:
                so_far += _entries(store, item.stream)
            so_far.append((len(so_far) + 1, item.event))
    return opening(
        one
        for stream, so_far in entries.items()
        if (one := _waiting(stream, so_far)) is not None and (stream in closed or one.session in sessions)
    )


def opening(found: Iterable[HandsWaiting]) -> list[Batch]:
    """The entries that show these hands."""
    return [
        Batch(TABLE_PREFIX + one.table, one.version, tuple(NewEntry(HandsOpened(deal=deal)) for deal in one.deals))
        for one in found
    ]
