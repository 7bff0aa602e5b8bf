"""A ledger with any byte changed, or cut off at the end, reads as before or reports damage.

Every change is detected in the bytes of an entry, of an index, of the definitions of tables and of the structure of a
page, and every cut; it is reported as damage if the file is still recognised as a ledger. Not detected are changes of
bytes without content: unused parts of pages, fields of headers, of the file and of rows, that SQLite does not read (see
`pages.py`); and the digits of the ledger's own id, which no digest covers.
"""

import random
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from ledger.errors import UnreadableError
from ledger.log import Row, SqliteStore
from ledger.log.append_rules import is_canonical_id
from ledger.log.verify import verify
from tests.contracts.log_builders import RECORDER, batch, play, remark

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


HEADER_CONSTANTS: Final = {*range(44, 48), *range(60, 64), *range(68, 72)}
"""Bytes of the file's header that identify it: others mean another program's file, or a newer SQLite or trickledger."""

ALWAYS_DETECTED: Final = frozenset((Use.ENTRY, Use.INDEX, Use.SCHEMA, Use.STRUCTURE))


class Original(NamedTuple):
    """An undamaged ledger: the path for its copies, its bytes and its entries."""

    path: Path
    content: bytes
    rows: list[Row]


def make_ledger(path: Path, batches: int) -> Original:
    """Create a ledger of so many batches of four entries."""
    with SqliteStore.create(path) as store:
        for number in range(batches):
            events = [remark(f"Zoë {number}"), play("SA"), play("SK"), play("SQ")]
            store.append(batch(*events, stream=f"table/{number % 7}"), recorded_by=RECORDER)
        rows = list(store.read())
    return Original(path, path.read_bytes(), rows)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Original:
    return make_ledger(tmp_path_factory.mktemp("small") / "club.ledger", 3)


@pytest.fixture(scope="module")
def uses_of_small(small: Original) -> list[Use]:
    small.path.write_bytes(small.content)
    return uses(small.path)


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Original:
    """Return a ledger of some fifty pages, with inner ones."""
    return make_ledger(tmp_path_factory.mktemp("large") / "club.ledger", 100)


def is_detected(original: Original, content: bytes) -> bool:
    """Return whether `verify` reports these bytes as damaged; if not, they read as before.

    Only bytes whose marks of a ledger were changed or removed may be reported as no readable ledger.
    """
    for left in original.path.parent.glob(f"{original.path.name}-*"):
        left.unlink()
    original.path.write_bytes(content)
    try:
        if verify(original.path).damage is not None:
            return True
    except UnreadableError:
        assert any(content[place : place + 1] != original.content[place : place + 1] for place in HEADER_CONSTANTS)
        return True
    with SqliteStore(original.path, access="read") as store:
        assert list(store.read()) == original.rows
        assert is_canonical_id(store.ledger_id)
    return False


def detected_changes(original: Original, places: Iterable[int], chance: random.Random) -> Iterator[int]:
    """Change the byte at each place in turn, and yield the places where that was detected."""
    for place in places:
        changed = bytearray(original.content)
        changed[place] ^= chance.randrange(1, 256)
        if is_detected(original, bytes(changed)):
            yield place


@pytest.mark.parametrize("most", [16, pytest.param(3_000, marks=pytest.mark.soak)])
def test_changed_bytes_of_any_use_are_noticed_or_harmless(small: Original, uses_of_small: list[Use], most: int) -> None:
    """Every byte of an entry, and samples of the uses with little content."""
    chance = random.Random(20260105)
    of_use = {use: [place for place, other in enumerate(uses_of_small) if other is use] for use in Use}
    places = [place for use in Use for place in chance.sample(of_use[use], min(most, len(of_use[use])))]
    tried = Counter(uses_of_small[place] for place in places)
    detected = Counter(uses_of_small[place] for place in detected_changes(small, places, chance))
    assert set(tried) == set(Use)
    for use in ALWAYS_DETECTED:
        assert detected[use] == tried[use], f"{tried[use] - detected[use]} changed bytes of {use} were not found"


@pytest.mark.parametrize("count", [60, pytest.param(6_000, marks=pytest.mark.soak)])
def test_changed_bytes_anywhere_in_a_larger_ledger_are_detected_or_harmless(large: Original, count: int) -> None:
    chance = random.Random(20260105)
    places = [chance.randrange(len(large.content)) for _ in range(count)]
    assert len(list(detected_changes(large, places, chance))) > count // 2


@pytest.mark.parametrize("count", [50, pytest.param(10_000, marks=pytest.mark.soak)])
def test_every_truncation_is_detected(small: Original, count: int) -> None:
    chance = random.Random(1)
    for length in (0, 1, len(small.content) - 1, *(chance.randrange(len(small.content)) for _ in range(count))):
        assert is_detected(small, small.content[:length]), f"a cut after {length} bytes was not found"
