"""The SQLite file of a ledger: creating an empty one, recognising and opening one.

Entries are not read here.
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
"""`trck`: the mark of a ledger's file."""

_MARK: Final = slice(68, 72)
"""Its place in the file: https://www.sqlite.org/fileformat2.html"""

FORMAT_VERSION: Final = 1

SCHEMA: Final = Path(__file__).with_name("schema.sql")

PEOPLE_TABLES: Final = {
    table: Path(__file__).with_name(f"{table}.sql") for table in ("display_names", "player_links", "hidden_players")
}
"""The optional tables of a ledger, and the file that defines each."""

_MODE: Final = 0o644
"""The permissions of a new ledger before the umask, the same as SQLite's."""

Progress: TypeAlias = Callable[[int, int], object]
"""A callback that gets the amount done and the total, from time to time."""

_PAGES: Final = 2_000
"""Pages of a file copied between two reports of progress: 8 MB."""


def create_file(path: Path, ledger_id: str | None = None, *, has_handles: bool = False) -> None:
    """Create an empty ledger, by default with a new id; it appears complete and durable, or not at all.

    Raise `ConflictError` if a file exists.
    """
    _make(path, partial(_write_empty, ledger_id or str(uuid_utils.uuid7()), has_handles))


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
    """Copy a ledger, which may be in use, as of one moment; the copy appears complete or not at all.

    A plain copy of the file would lack the entries in the write-ahead log. `check` gets the number of entries and the
    unnamed copy, and raises if the copy must not be used. The copy gets its name within `turn`. `progress` counts
    pages.
    """
    with closing(connect(source, "allowed", lock_timeout_s)) as connection:
        try:
            # One snapshot for the whole copy, or SQLite would restart at every write.
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
    """Write a file under another name, bring it to disk, check it, and give it its own name."""
    place = path.resolve()
    if place.is_dir():
        raise ConflictError("exists", phrase("exists", file=path))
    draft = draft_of(place)
    refuse_protected_files(place, path, for_ledger=True)
    try:
        if place.exists() and not overwrite:
            raise FileExistsError
        if not place.exists() and wal_of(place).exists():
            # SQLite would apply the old log to the new file.
            raise ConflictError("exists", phrase("left_of_another", wal=wal_of(path), file=path))
        _remove(draft)
        draft.touch(mode=_MODE)  # fails with the system's reason, unlike SQLite
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
    """Lock out all other programs while a file is replaced, and remove its write-ahead log. Raise `ConflictError` if it
    is in use.

    A program that went on writing to a replaced file would acknowledge entries that are lost. One that opens it
    meanwhile waits, and `connect` notices then that it is another file.
    """
    with closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as connection:
        try:
            # Exclusive from the first read on. Leaving WAL mode moves the log into the file.
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            connection.execute("PRAGMA journal_mode = DELETE")
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY:
                raise ConflictError("busy", phrase("in_use", file=path)) from None
        except sqlite3.DatabaseError:
            pass  # damaged, or no database: a file to be replaced need not be readable
        for file in left_by_sqlite(path):
            file.unlink(missing_ok=True)
        try:
            yield
        except BaseException:
            with suppress(sqlite3.Error):
                connection.rollback()
                connection.execute("PRAGMA journal_mode = WAL")  # the old file stays in use
            raise


def _remove(draft: Path) -> None:
    """Remove a draft with SQLite's files beside it."""
    for file in (draft, *left_by_sqlite(draft), journal_of(draft)):
        remove(file)


def _write_empty(ledger_id: str, has_handles: bool, path: Path) -> None:
    """Write the tables and facts of an empty ledger, without any other file.

    In a write-ahead log they would be lost with it if closing cannot bring them into the file, which SQLite does not
    report. A draft that fails is deleted, so the journal may be in memory.
    """
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = MEMORY")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {FORMAT_VERSION}")
        connection.executescript(SCHEMA.read_text(encoding="utf-8"))
        facts = {
            "format": str(FORMAT_VERSION),
            "contract": str(CONTRACT_VERSION),
            "ledger_id": ledger_id,
        }
        if has_handles:
            facts["names"] = "handles"
        connection.executemany("INSERT INTO meta VALUES (?, ?)", facts.items())
        connection.execute("PRAGMA journal_mode = WAL")


def connect(path: Path, access: Access, lock_timeout_s: float, *, is_salvaged: bool = False) -> sqlite3.Connection:
    """Return a connection set up for durable appends. Raise `UnreadableError` if no ledger can be opened.

    `is_salvaged`: SQLite reads as much as it can of a file that it would otherwise reject.
    """
    while True:
        before = _identity(path)
        connection = _connect(path, access, lock_timeout_s, is_salvaged)
        if _identity(path) == before:
            return connection
        connection.close()  # the file was replaced meanwhile, and this may be the old one


def _identity(path: Path) -> tuple[int, int] | None:
    """Return the device and inode of the file at a path; None if there is none."""
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
            # It also lets SQLite read a file that is shorter than its header says.
            connection.execute("PRAGMA writable_schema = ON")
        _recognise(connection, path)
        # An acknowledgement follows the fsync; on macOS only fullfsync reaches the disk.
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA fullfsync = ON")
        # REPLACE fires the triggers too, and damaged pages are detected when they are read.
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
    """Return whether the application id is at its place in the header of a file that SQLite cannot read."""
    try:
        with path.open("rb") as file:
            return file.read(_MARK.stop)[_MARK] == APPLICATION_ID.to_bytes(4)
    except OSError:
        return False


def _holds_entries(wal: Path, index: Path) -> bool:
    """Return whether a write-ahead log exists that may hold entries; another program may be removing it."""
    try:
        return wal.exists() and (index.exists() or wal.stat().st_size > 0)
    except FileNotFoundError:
        return False


def _parameters(path: Path, access: Access) -> str:
    """Return the parameters of the file's URI that open it as `access` says.

    A reader opens a writable ledger for writing, because a read-only connection leaves its -wal and -shm beside the
    file. In a folder that cannot be written to (a CD, an archive) the index of the write-ahead log cannot be created;
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
