"""Writes a ledger out as lines: whole, digests and all, or bare for another ledger (contract 4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from ledger.errors import NotFoundError
from ledger.events import BareLine
from ledger.log.base import LogStore
from ledger.lookup import TABLE_PREFIX, slug_of, table_slugs


def export_lines(store: LogStore, *, bare: bool = False, tables: Sequence[str] = ()) -> Iterator[bytes]:
    """The lines of an export, without line feeds; bare ones keep id and moment, and may be of some tables only.

    Raises `NotFoundError` for a table that the ledger does not have.
    """
    wanted = {TABLE_PREFIX + slug_of(table) for table in tables}
    unknown = wanted - {TABLE_PREFIX + slug for slug in table_slugs(store)}
    if unknown:
        raise NotFoundError(f"there is no table {slug_of(sorted(unknown)[0])}")
    for row in store.read():
        if not bare:
            yield row.line()
        elif not wanted or row.stream in wanted:
            line = BareLine(stream=row.stream, event=row.event(), id=row.id, happened_at=row.happened_at)
            yield msgspec.json.encode(line)
