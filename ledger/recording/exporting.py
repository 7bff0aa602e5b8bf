"""Writes a ledger out as lines: whole, digests and all, bare for another ledger (contract 4), or without names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from ledger.events import BareLine
from ledger.log.base import LogStore, Row
from ledger.log.sound import sound_rows
from ledger.recording.anonymous import anonymous_lines
from ledger.table.lookup import TABLE_PREFIX, no_table, slug_of, table_slugs


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
