"""The ledger as a SQLite file: how an empty one is made, and how one is recognised and opened.

What is in it is not read here.
"""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias
from urllib.parse import quote

import uuid_utils

from ledger.errors import ConflictError, UnreadableError, refused_by_system
from ledger.events import CONTRACT_VERSION
from ledger.i18n.library_errors import localised
from ledger.log.atomic_files import publish, remove, sync
from ledger.log.base import Access
from ledger.log.catalogue import phrase
from ledger.log.paths import draft_of, journal_of, left_by_sqlite, refuse_protected_files, wal_of
from ledger.log.sqlite_errors import (
    READ_ERRORS,
    DamagedFileError,
    forbidden,
    left_without_index,
    not_a_ledger,
    translated,
)

APPLICATION_ID: Final = 0x74_72_63_6B
"""`trck`: how the file tells that it is a ledger."""

_MARK: Final = slice(68, 72)
"""Where it stands in the file: https://www.sqlite.org/fileformat2.html"""

FORMAT_VERSION: Final = 1

SCHEMA: Final = Path(__file__).with_name("schema.sql")

PEOPLE_TABLES: Final = {
    table: Path(__file__).with_name(f"{table}.sql") for table in ("display_names", "player_links", "hidden_players")
}
"""The tables that a ledger may have besides, and where each is defined."""

_MODE: Final = 0o644
"""Who may read and write a new ledger, as far as the umask lets them: what SQLite takes."""

Progress: TypeAlias = Callable[[int, int], object]
"""Is told from time to time how much is done, and of how much."""

_PAGES: Final = 2_000
"""Pages of a file that are copied between two words of progress: 8 MB."""


def create_file(path: Path) -> None:
    """Make an empty ledger; it appears whole and durable, or not at all.

    Raises `ConflictError` where there is a file already.
    """
    _make(path, _write_empty)


def copy_file(
    source: Path,
    target: Path,
    lock_timeout_s: float,
    *,
    overwrite: bool,
    check: Callable[[int, Path], None],
    turn: AbstractContextManager[None],
    progress: Progress | None,
) -> None:
    """Copy a ledger, which may be in use, in the state of one moment; as for `create_file`, the copy appears whole.

    A plain copy of the file would lack what still stands in the write-ahead log. `check` is told how many entries
    there were, sees the copy before it gets its name, and raises where it must not get it. It gets it within `turn`.
    `progress` is told of pages.
    """
    with closing(connect(source, "allowed", lock_timeout_s)) as connection:
        try:
            # One snapshot for all of it, or SQLite would begin anew whenever somebody writes.
            connection.execute("BEGIN")
            entries = connection.execute("SELECT ifnull(max(position), 0) FROM entries").fetchone()[0]
        except READ_ERRORS as error:
            raise translated(error, source, lock_timeout_s) from error

        def report(_: int, remaining: int, total: int) -> None:
            if progress is not None:
                progress(total - remaining, total)

        def write(draft: Path) -> None:
            with closing(sqlite3.connect(draft)) as copy:
                connection.backup(copy, pages=_PAGES, progress=report)

        _make(target, write, overwrite=overwrite, check=partial(check, entries), turn=turn)


def _make(
    path: Path,
    write: Callable[[Path], None],
    *,
    overwrite: bool = False,
    check: Callable[[Path], None] | None = None,
    turn: AbstractContextManager[None] | None = None,
) -> None:
    """Let the file be written under another name, bring it to disk, have it checked, and give it its own name."""
    place = path.resolve()
    if place.is_dir():
        raise ConflictError("exists", phrase("exists", file=path))
    draft = draft_of(place)
    refuse_protected_files(place, path, for_ledger=True)
    try:
        if place.exists() and not overwrite:
            raise FileExistsError
        if not place.exists() and wal_of(place).exists():
            # SQLite would apply it to the new file.
            raise ConflictError("exists", phrase("left_of_another", wal=wal_of(path), file=path))
        _remove(draft)
        draft.touch(mode=_MODE)  # the system says why it cannot be made; SQLite would not
        write(draft)
        sync(draft)
        if check is not None:
            check(draft)
        with turn or nullcontext():
            if place.exists() and overwrite:
                with _nobody_in(place):
                    draft.replace(place)
            else:
                publish(draft, place)
            sync(place.parent)
    except FileExistsError:
        raise ConflictError("exists", phrase("exists", file=path)) from None
    except OSError as error:
        said = phrase("cannot_be_written", file=path, why=localised(error.strerror))
        raise refused_by_system(error.errno, said) from None
    except sqlite3.Error as error:
        said = phrase("cannot_be_written", file=path, why=localised(error))
        raise refused_by_system(errno.ENOSPC if _says(error, sqlite3.SQLITE_FULL) else None, said) from error
    finally:
        _remove(draft)


@contextmanager
def _nobody_in(path: Path) -> Iterator[None]:
    """Keep everybody out of the file while it is replaced; nothing is left beside it. Raises `ConflictError`.

    Who goes on writing to a file that was replaced is told that it is recorded, and loses it. Who opens it meanwhile
    waits, and `connect` notices then that it is another file.
    """
    with closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as connection:
        try:
            # Exclusive from the first read on: others have none. Leaving WAL mode brings the log into the file.
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            connection.execute("PRAGMA journal_mode = DELETE")
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY:
                raise ConflictError("busy", phrase("in_use", file=path)) from None
        except sqlite3.DatabaseError:
            pass  # damaged, or something else: what is to be replaced need not be readable
        for file in left_by_sqlite(path):
            file.unlink(missing_ok=True)
        try:
            yield
        except BaseException:
            with suppress(sqlite3.Error):
                connection.rollback()
                connection.execute("PRAGMA journal_mode = WAL")  # it stays in use
            raise


def _remove(draft: Path) -> None:
    """Remove a draft with what SQLite put beside it."""
    for file in (draft, *left_by_sqlite(draft), journal_of(draft)):
        remove(file)


def _write_empty(path: Path) -> None:
    """Write the tables and facts of an empty ledger, without any other file.

    Left in a write-ahead log they would be lost with it where closing cannot bring them into the file: SQLite closes
    without a word then. A draft that fails is thrown away, so the journal may be in memory.
    """
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = MEMORY")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {FORMAT_VERSION}")
        connection.executescript(SCHEMA.read_text(encoding="utf-8"))
        facts = {
            "format": str(FORMAT_VERSION),
            "contract": str(CONTRACT_VERSION),
            "ledger_id": str(uuid_utils.uuid7()),
        }
        connection.executemany("INSERT INTO meta VALUES (?, ?)", facts.items())
        connection.execute("PRAGMA journal_mode = WAL")


def connect(path: Path, access: Access, lock_timeout_s: float, *, is_salvaged: bool = False) -> sqlite3.Connection:
    """A connection in the state that durable appends need; raises `UnreadableError` where no ledger can be opened.

    Of a file that is salvaged, SQLite reads what it can, where it would else refuse all of it.
    """
    while True:
        before = _identity(path)
        connection = _connect(path, access, lock_timeout_s, is_salvaged)
        if _identity(path) == before:
            return connection
        connection.close()  # it was replaced meanwhile, and this may be the old one


def _identity(path: Path) -> tuple[int, int] | None:
    """Which file has this name."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _connect(path: Path, access: Access, lock_timeout_s: float, is_salvaged: bool) -> sqlite3.Connection:
    try:
        if not path.exists():
            raise UnreadableError("no_ledger", phrase("no_ledger", file=path))
        if not path.is_file():
            raise not_a_ledger(path)
    except PermissionError:
        raise forbidden(path) from None
    try:
        connection = sqlite3.connect(
            f"file:{quote(os.fspath(path.resolve()))}?{_parameters(path.resolve(), access)}",
            uri=True,
            timeout=lock_timeout_s,
            isolation_level=None,
            check_same_thread=False,
        )
    except READ_ERRORS as error:
        raise translated(error, path, lock_timeout_s) from error
    try:
        if is_salvaged:
            # Besides what its name says, it lets SQLite read a file that is shorter than its header tells.
            connection.execute("PRAGMA writable_schema = ON")
        _recognise(connection, path)
        # An acknowledgement follows the fsync; on macOS only fullfsync reaches the disk.
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA fullfsync = ON")
        # REPLACE fires the triggers too, and a damaged page is noticed when it is read.
        connection.execute("PRAGMA recursive_triggers = ON")
        connection.execute("PRAGMA cell_size_check = ON")
        connection.execute("PRAGMA trusted_schema = OFF")
    except READ_ERRORS as error:
        connection.close()
        if _says(error, sqlite3.SQLITE_NOTADB) and _bears_mark(path):
            raise DamagedFileError(path, localised(error)) from error
        raise translated(error, path, lock_timeout_s) from error
    except BaseException:
        connection.close()
        raise
    return connection


def _says(error: Exception, code: int) -> bool:
    return getattr(error, "sqlite_errorcode", None) == code


def _bears_mark(path: Path) -> bool:
    """Whether the application id stands at its place in the file's header, though SQLite cannot read that."""
    try:
        with path.open("rb") as file:
            return file.read(_MARK.stop)[_MARK] == APPLICATION_ID.to_bytes(4)
    except OSError:
        return False


def _holds_entries(wal: Path, index: Path) -> bool:
    """Whether there is a write-ahead log that may hold something; others may be taking it away just then."""
    try:
        return wal.exists() and (index.exists() or wal.stat().st_size > 0)
    except FileNotFoundError:
        return False


def _parameters(path: Path, access: Access) -> str:
    """How to open the file, as parameters of its URI.

    Who only reads a ledger that could be written to opens it so, for a reader leaves its -wal and -shm beside the file.
    A reader of a folder that cannot be written to (a CD, an archive) has no place for the index of the write-ahead log;
    without such a log the file is complete in itself.
    """
    is_writable = os.access(path.parent, os.W_OK)
    is_allowed = access == "allowed" and is_writable and os.access(path, os.W_OK)
    wal, index = left_by_sqlite(path)
    has_wal = _holds_entries(wal, index)
    if has_wal and not index.exists() and not is_writable and access != "sealed":
        raise left_without_index(path)
    if access == "write" or is_allowed:
        return "mode=rw"
    is_sealed = access == "sealed" or not (has_wal or is_writable)
    return "mode=ro&immutable=1" if is_sealed else "mode=ro"


def _recognise(connection: sqlite3.Connection, path: Path) -> None:
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise not_a_ledger(path)
    format_version = connection.execute("PRAGMA user_version").fetchone()[0]
    if format_version > FORMAT_VERSION:
        versions = {"expected": FORMAT_VERSION, "actual": format_version}
        raise UnreadableError("too_new", phrase("too_new", file=path, **versions))
    tables = connection.execute("SELECT count(*) FROM sqlite_schema WHERE name IN ('meta', 'entries')").fetchone()[0]
    if tables != 2:
        raise DamagedFileError(path, phrase("damage.no_tables"))
