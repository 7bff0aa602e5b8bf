"""Verification of a ledger's SQLite file besides its entries: pages, indexes, constraints, triggers. Reads only."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

from ledger.errors import UnreadableError
from ledger.events import CONTRACT_VERSION
from ledger.i18n import Phrase, Text
from ledger.i18n.library_errors import localised
from ledger.log.append_rules import is_canonical_id
from ledger.log.base import Access, Row
from ledger.log.catalogue import phrase
from ledger.log.durable import LOCK_TIMEOUT_S
from ledger.log.sqlite import COLUMNS
from ledger.log.sqlite_errors import READ_ERRORS, translated
from ledger.log.sqlite_file import FORMAT_VERSION, PEOPLE_TABLES, SCHEMA, connect

Problem = tuple[int | None, Phrase]
"""The position that a problem belongs to, if any, and its description."""

_SCHEMA_OBJECTS: Final = (
    "SELECT type || ' ' || name, tbl_name || ': ' || ifnull(sql, '') FROM sqlite_schema ORDER BY name"
)
_ROW_TYPES: Final = {(int, str, int, str, str, str, happened_at, bytes, bytes) for happened_at in (str, type(None))}
"""The valid types of columns; a damaged page may hold NULL or a number instead."""

_PARTS: Final = frozenset(("table", "index", "trigger", "view"))

_ROW_NUMBER: Final = re.compile("row ([0-9]+) missing from index|in row ([0-9]+)")


class FileCheck:
    """One reading of a ledger's file, in a connection and snapshot of its own, so that writers can go on."""

    def __init__(self, path: Path, access: Access = "read", *, is_salvaged: bool = False) -> None:
        self._path = path
        self._connection = connect(path, access, LOCK_TIMEOUT_S, is_salvaged=is_salvaged)
        self._connection.execute("BEGIN")

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def size(self) -> int:
        """Return the last position; 0 if it cannot be read."""
        try:
            return self._connection.execute("SELECT max(position) FROM entries").fetchone()[0] or 0
        except READ_ERRORS:
            return 0

    def rows(self) -> Iterator[Row]:
        """Yield the entries in the order of the table itself. Raise `UnreadableError` at the first unreadable one."""
        try:
            # NOT INDEXED: an index proves nothing about the entry.
            for values in self._connection.execute(f"SELECT {COLUMNS} FROM entries NOT INDEXED ORDER BY position"):
                if tuple(map(type, values)) not in _ROW_TYPES:
                    raise UnreadableError("damaged", phrase("damaged_columns"))
                yield Row(*values)
        except READ_ERRORS as error:
            raise translated(error, self._path, LOCK_TIMEOUT_S) from error

    def first_problem(self, *, is_quick: bool = False) -> Problem | None:
        """Return the first problem of a file whose entries are sound. `is_quick`: indexes are not compared."""
        try:
            check = "PRAGMA quick_check(1)" if is_quick else "PRAGMA integrity_check(1)"
            results = [row[0] for row in self._connection.execute(check)]
            if results != ["ok"]:
                return _position_in(results[0]), phrase("damage.database", why=localised(results[0]))
            return self._schema_problem() or self._meta_problem()
        except READ_ERRORS as error:
            return None, phrase("damage.database", why=localised(error))

    def _schema_problem(self) -> Problem | None:
        """Return the first missing, foreign or altered definition: without them recorded entries could be changed."""
        with closing(sqlite3.connect(":memory:")) as model:
            model.executescript(SCHEMA.read_text(encoding="utf-8"))
            expected = dict(model.execute(_SCHEMA_OBJECTS).fetchall())
            for definition in PEOPLE_TABLES.values():
                model.executescript(definition.read_text(encoding="utf-8"))
            known = dict(model.execute(_SCHEMA_OBJECTS).fetchall())
        actual = dict(self._connection.execute(_SCHEMA_OBJECTS).fetchall())
        (gaps,) = self._connection.execute("SELECT max(rowid) - count(*) FROM sqlite_schema").fetchone()
        if gaps:
            return None, phrase("damage.definitions")
        for name in sorted(expected.keys() | actual.keys()):
            if name not in actual:
                return None, phrase("damage.guard_missing", named=_named(name))
            if name not in known:
                return None, phrase("damage.guard_foreign", named=_named(name))
            if actual[name] != known[name]:
                return None, phrase("damage.guard_altered", named=_named(name))
        return None

    def _meta_problem(self) -> Problem | None:
        facts = dict(self._connection.execute("SELECT key, value FROM meta").fetchall())
        missing = {"format", "contract", "ledger_id"} - facts.keys()
        if missing:
            return None, phrase("damage.facts", facts=tuple(sorted(missing)))
        for name, newest in (("format", FORMAT_VERSION), ("contract", CONTRACT_VERSION)):
            if facts[name] not in map(str, range(1, newest + 1)):
                return None, phrase("damage.fact", fact=name, found=facts[name])
        if not is_canonical_id(facts["ledger_id"]):
            return None, phrase("damage.ledger_id", found=facts["ledger_id"])
        return None


def _named(described: str) -> Text:
    """Return a part of the database as a phrase, e.g. `trigger entries_are_never_changed`."""
    kind, _, name = described.partition(" ")
    return phrase(f"damage.{kind}", name=name) if kind in _PARTS else described


def _position_in(message: str) -> int | None:
    """Return the position in SQLite's message: it counts rows from 1 and positions have no gaps, so row n is position
    n.
    """
    match = _ROW_NUMBER.search(message)
    return None if match is None else int(match[1] or match[2])
