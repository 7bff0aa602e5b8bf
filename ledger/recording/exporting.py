"""Writes a ledger out as lines: whole, digests and all, bare for another ledger (contract 4), or without names.

One table may also be written as somebody would type it, as a hand record.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from ledger.events import BareLine, TableOpened
from ledger.log.base import LogStore, Row
from ledger.log.sound import sound_rows
from ledger.recording.anonymous import anonymous_lines
from ledger.recording.hand.written import TableToWrite, WrittenRecord, written_record
from ledger.table.corrections import corrected_reading, corrections_in_force
from ledger.table.lookup import TABLE_PREFIX, fold_table, no_table, opening_of, session_entries, slug_of, table_slugs


def export_lines(
    store: LogStore, *, bare: bool = False, tables: Sequence[str] = (), anonymous: bool = False
) -> Iterator[bytes]:
    """The lines of an export, without line feeds; bare ones keep id and moment, and may be of some tables only.

    `anonymous` ones are bare and say nothing of persons (see `anonymous`). Raises `NotFoundError` for a table that the
    ledger does not have, and `UnreadableError` at the first entry that is not as it was recorded.
    """
    wanted = {TABLE_PREFIX + slug_of(table) for table in tables}
    unknown = wanted - {TABLE_PREFIX + slug for slug in table_slugs(store)}
    if unknown:
        raise no_table(store, sorted(unknown)[0])
    until = store.head().position

    def rows() -> Iterator[Row]:
        sound = sound_rows(store.read(until=until), until, wanted)
        return (row for row in sound if not wanted or row.stream in wanted)

    if anonymous:
        yield from anonymous_lines(rows)
        return
    for row in rows():
        if bare:
            line = BareLine(stream=row.stream, event=row.event(), id=row.id, happened_at=row.happened_at)
            yield msgspec.json.encode(line)
        else:
            yield row.line()


def export_hand_record(store: LogStore, table: str) -> WrittenRecord:
    """A table as corrected, as a hand record, and what of it no hand record can say.

    Importing it makes the same table. The first table of a session opens the session, too; the others name it. Raises
    `NotFoundError` for a table that the ledger does not have, and `MalformedError` for one that no hand record can
    tell of, such as one with two players of the same name.
    """
    slug = slug_of(table)
    fold = fold_table(store, slug)
    session = fold.opened.session
    opening = None if session is None else opening_of(corrected_reading(session_entries(store, session)))
    moments = {
        row.version: row.happened_at for row in store.read_stream(TABLE_PREFIX + slug) if row.happened_at is not None
    }
    return written_record(
        TableToWrite(
            slug=slug,
            reading=fold.entries,
            moments=moments,
            session=opening if session is not None and _is_first(store, slug, session) else None,
            zone=None if opening is None else opening.zone,
            corrections=len(corrections_in_force(fold.recorded)),
        )
    )


def _is_first(store: LogStore, table: str, session: str) -> bool:
    """Whether no table of the session was opened before this one."""
    for slug in table_slugs(store):
        if slug == table:
            return True
        reading = corrected_reading((row.version, row.event()) for row in store.read_stream(TABLE_PREFIX + slug))
        if any(type(event) is TableOpened and event.session == session for _, event in reading):
            return False
    return True
