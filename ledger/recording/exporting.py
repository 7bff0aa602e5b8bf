"""Writes a ledger out as lines: whole, digests and all, bare for another ledger (contract 4), or without names.

One table may also be written as somebody would type it, as a hand record.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
from msgspec import structs

from ledger.errors import UnreadableError
from ledger.events import BareLine, DealStarted, TableOpened
from ledger.log.base import EMPTY, Head, LogStore, Row
from ledger.log.verified_rows import sound_rows
from ledger.log.words import phrase as log_phrase
from ledger.recording.anonymous import anonymous_lines
from ledger.recording.hand.written import TableToWrite, WrittenRecord, written_record
from ledger.streams import TABLE
from ledger.table.corrections import Entry, corrected_reading, corrections_in_force
from ledger.table.fold import TableFold
from ledger.table.repository import (
    TableAsRead,
    fold_table,
    no_such_position,
    no_table,
    opening_of,
    session_entries,
    table_slugs,
)


def export_lines(
    store: LogStore,
    *,
    bare: bool = False,
    tables: Sequence[str] = (),
    anonymous: bool = False,
    after: int = 0,
    until: int | None = None,
) -> Iterator[bytes]:
    """The lines of an export, without line feeds; bare ones keep id and moment, and may be of some tables only.

    `anonymous` ones are bare and say nothing of persons (see `anonymous`). `after`, `until`: only the entries behind
    the one position, and up to the other. Raises `NotFoundError` for a table or position that the ledger does not have,
    and `UnreadableError` at the first entry that is not as it was recorded.
    """
    wanted = {TABLE.stream(TABLE.slug(table)) for table in tables}
    unknown = wanted - {TABLE.stream(slug) for slug in table_slugs(store)}
    if unknown:
        raise no_table(store, sorted(unknown)[0])
    last = _last_position(store, after, until)
    before = _head_at(store, after)

    def rows() -> Iterator[Row]:
        sound = sound_rows(store.read(after, last, verified=False), last, wanted, before)
        return (row for row in sound if not wanted or row.stream in wanted)

    if anonymous:
        yield from anonymous_lines(rows, store.people().person)
        return
    for row in rows():
        if bare:
            line = BareLine(stream=row.stream, event=row.event(), id=row.id, happened_at=row.happened_at)
            yield msgspec.json.encode(line)
        else:
            yield row.line()


def _last_position(store: LogStore, after: int, until: int | None) -> int:
    last = store.head().position
    for told in (after, until):
        if told is not None and not 0 <= told <= last:
            raise no_such_position(str(told), last)
    return last if until is None else max(until, after)


def _head_at(store: LogStore, position: int) -> Head:
    """The entry at a position; `EMPTY` before the first."""
    if not position:
        return EMPTY
    row = next(store.read(position - 1, position, verified=False), None)
    if row is None:
        raise UnreadableError("damaged", log_phrase("damaged_at", position=position))
    return Head(row.position, row.digest)


def export_hand_record(store: LogStore, table: str | TableAsRead, deal: int | None = None) -> WrittenRecord:
    """A table as corrected, as a hand record, and what of it no hand record can say.

    Importing it makes the same table. The first table of a session opens the session, too; the others name it. With
    `deal` that deal alone stands in it, as the first of a table of those who sat there then. Raises `NotFoundError` for
    a table or deal that the ledger does not have, and `MalformedError` for one that no hand record can tell of, such as
    one with two players of the same name.
    """
    read = TableAsRead(TABLE.slug(table), fold_table(store, table)) if isinstance(table, str) else table
    slug, fold = read.slug, read.fold
    session = fold.opened.session
    opening = None if session is None else opening_of(corrected_reading(session_entries(store, session)))
    moments = {
        row.version: row.happened_at for row in store.read_stream(TABLE.stream(slug)) if row.happened_at is not None
    }
    return written_record(
        TableToWrite(
            slug=slug,
            reading=fold.entries if deal is None else _one_deal(fold, deal),
            moments=moments,
            session=opening if session is not None and deal is None and _is_first(store, slug, session) else None,
            zone=None if opening is None else opening.zone,
            corrections=len(corrections_in_force(fold.recorded)),
        )
    )


def _one_deal(fold: TableFold, number: int) -> list[Entry]:
    """The entries of one deal, as the first of a table of those who sat there."""
    record = fold.deal(number)
    version, started = fold.entries[record.start]
    assert isinstance(started, DealStarted), "a deal begins with its start"
    return [
        (fold.entries[0][0], structs.replace(fold.opened, players=tuple(record.players))),
        (version, structs.replace(started, deal=1)),
        *fold.entries[record.start + 1 : record.end],
    ]


def _is_first(store: LogStore, table: str, session: str) -> bool:
    """Whether no table of the session was opened before this one."""
    for slug in table_slugs(store):
        if slug == table:
            return True
        reading = corrected_reading((row.version, row.event()) for row in store.read_stream(TABLE.stream(slug)))
        if any(type(event) is TableOpened and event.session == session for _, event in reading):
            return False
    return True
