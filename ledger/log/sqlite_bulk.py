"""The bulk reader of a SQLite ledger.

SQLite itself joins the lines, in a third of the time that a `Row` for each entry would take.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import closing
from typing import Any, Final

from msgspec import json

from ledger.log.bulk import SEPARATOR, BulkReader, EntryPlace
from ledger.log.durable import LOCK_TIMEOUT_S
from ledger.log.sqlite import SqliteStore
from ledger.log.sqlite_errors import READ_ERRORS, translated
from ledger.log.sqlite_file import connect

_PLACES: Final = """
  SELECT version, position, ifnull(happened_at, recorded_at), digest FROM entries
  WHERE stream = ? AND version IN (SELECT value FROM json_each(?))"""
_STREAMS: Final = """
  SELECT stream FROM entries WHERE position > ? AND position <= ? GROUP BY stream ORDER BY min(position)"""
_FIELDS: Final = "position, stream, version, recorded_at, json_quote(recorded_by), happened_at, event"
_LINE: Final = f"printf('{SEPARATOR.join(['%s'] * 7)}', {_FIELDS})"
_LINES: Final = f"""
  SELECT CAST(group_concat({_LINE}, char(10)) AS BLOB)
  FROM (SELECT * FROM entries WHERE position > ? AND position <= ? ORDER BY position)"""
_LINES_OF: Final = f"""
  SELECT CAST(group_concat({_LINE}, char(10)) AS BLOB)
  FROM (SELECT * FROM entries WHERE stream = ? AND position > ? AND position <= ? ORDER BY version)"""
_LINES_AT_ONCE: Final = 10_000


class SqliteBulkReader(BulkReader):
    """A SQLite ledger, opened once more for bulk reading."""

    def __init__(self, store: SqliteStore) -> None:
        super().__init__(store)
        self._path = store.path
        self._connection = connect(store.path, "read", LOCK_TIMEOUT_S)

    def streams(self, after: int, until: int) -> list[str]:
        return [stream for (stream,) in self._rows(_STREAMS, (after, until))]

    def places(self, stream: str, versions: Collection[int]) -> dict[int, EntryPlace]:
        rows = self._rows(_PLACES, (stream, json.encode(list(versions)).decode()))
        return {version: EntryPlace(position, moment, digest.hex()) for version, position, moment, digest in rows}

    def lines(self, after: int, until: int) -> Iterator[bytes]:
        for first in range(after, until, _LINES_AT_ONCE):
            (text,) = self._rows(_LINES, (first, min(first + _LINES_AT_ONCE, until)))[0]
            yield text + b"\n"

    def lines_of(self, stream: str, after: int, until: int) -> Iterator[bytes]:
        (text,) = self._rows(_LINES_OF, (stream, after, until))[0]
        if text is not None:
            yield text + b"\n"

    def close(self) -> None:
        self._connection.close()

    def _rows(self, sql: str, parameters: tuple[Any, ...]) -> list[Any]:
        try:
            with closing(self._connection.execute(sql, parameters)) as cursor:
                return cursor.fetchall()
        except READ_ERRORS as error:
            raise translated(error, self._path, LOCK_TIMEOUT_S) from error
