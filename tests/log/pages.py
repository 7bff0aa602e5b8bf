"""The use of each byte of a small SQLite file; no test itself. Source: https://www.sqlite.org/fileformat2.html

Parsed by hand and not by SQLite, so that a test knows of every byte whether it belongs to an entry.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple

PAGE: Final = 4096
_FILE_HEADER: Final = 100
_LEAF_TABLE, _INNER_TABLE, _LEAF_INDEX, _INNER_INDEX = 13, 5, 10, 2


class Use(StrEnum):
    """The uses of bytes of the file."""

    FILE_HEADER = "header of the file"
    SCHEMA = "tables, indexes and triggers as SQL"
    SCHEMA_ROW = "number and types of a row of these"
    FACTS = "facts about the ledger"
    ENTRY = "entries"
    INDEX = "indexes of the entries"
    STRUCTURE = "headers and pointers of pages"
    FREE = "unused"


class _Page(NamedTuple):
    """A page of a tree: the offset of its first byte in the file, and that of its own header."""

    start: int
    header: int


def uses(path: Path) -> list[Use]:
    """Return the use of each byte; the file has no inner pages and no overflow, as a small ledger."""
    content = path.read_bytes()
    uses = [Use.FREE] * len(content)
    for root, use in _roots(path):
        page = _Page((root - 1) * PAGE, _FILE_HEADER if root == 1 else 0)
        for start, end, meaning in _ranges(content, page, use):
            uses[start:end] = [meaning] * (end - start)
    uses[:_FILE_HEADER] = [Use.FILE_HEADER] * _FILE_HEADER
    return uses


def _roots(path: Path) -> Iterator[tuple[int, Use]]:
    """Yield the root page of each tree, from 1, and the use of its cells."""
    yield 1, Use.SCHEMA
    with closing(sqlite3.connect(path)) as connection:
        for name, table, root in connection.execute(
            "SELECT name, tbl_name, rootpage FROM sqlite_schema WHERE rootpage"
        ):
            of_entries = Use.ENTRY if name == table else Use.INDEX
            yield root, of_entries if table == "entries" else Use.FACTS


def _ranges(content: bytes, page: _Page, use: Use) -> Iterator[tuple[int, int, Use]]:
    """Yield start, end and use of each range; inside a page without inner pages below it."""
    header = page.start + page.header
    kind = content[header]
    assert kind in (_LEAF_TABLE, _LEAF_INDEX), "the ledger is too large: it has inner pages"
    cells = int.from_bytes(content[header + 3 : header + 5])
    pointers = header + 8
    yield header, pointers + 2 * cells, Use.STRUCTURE
    for place in range(pointers, pointers + 2 * cells, 2):
        start = page.start + int.from_bytes(content[place : place + 2])
        size, body = _varint(content, start)
        if kind == _LEAF_TABLE:
            _, body = _varint(content, body)
        end = body + size
        assert end <= page.start + PAGE, "the ledger is too large: a cell overflows its page"
        if use is Use.SCHEMA:
            row_end = body + _varint(content, body)[0]
            yield start, row_end, Use.SCHEMA_ROW
            start = row_end
        yield start, end, use
        if use is Use.ENTRY:  # the position is the row number, stored before: its type in the row is not read
            yield body + 1, body + 2, Use.FREE
        if use is Use.INDEX and content[body] == size:  # types encode all values: nothing follows them
            yield body, body + 1, Use.FREE


def _varint(content: bytes, place: int) -> tuple[int, int]:
    """Return a number of up to nine bytes, and the offset after it."""
    value = 0
    for count in range(8):
        byte = content[place + count]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, place + count + 1
    return value << 8 | content[place + 8], place + 9
