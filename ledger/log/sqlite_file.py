"""The ledger as a SQLite file: how an empty one is made, and how one is recognised and opened.

What is in it is not read here.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Final
from urllib.parse import quote

import uuid_utils

from ledger.errors import ConflictError, UnreadableError
from ledger.events import CONTRACT_VERSION
from ledger.log.sqlite_errors import READ_ERRORS, missing, not_a_ledger, too_new, translated

APPLICATION_ID: Final = 0x74_72_63_6B
"""`trck`: how the file tells that it is a ledger."""

FORMAT_VERSION: Final = 1

SCHEMA: Final = Path(__file__).with_name("schema.sql")


def create_file(path: Path) -> None:
    """Make an empty ledger; it appears whole and durable, or not at all.

    Raises `ConflictError` where there is a file already.
    """
    _make(path, _write_empty)


def copy_file(source: Path, target: Path, lock_timeout_s: float) -> None:
    """Copy a ledger, which may be in use, in the state of one moment; as for `create_file`, the copy appears whole.

    A plain copy of the file would lack what still stands in the write-ahead log.
    """
    with closing(connect(source, readonly=True, lock_timeout_s=lock_timeout_s)) as connection:

        def write(draft: Path) -> None:
            with closing(sqlite3.connect(draft)) as copy:
                connection.backup(copy)

        _make(target, write)


def _make(path: Path, write: Callable[[Path], None]) -> None:
    """Let the file be written under another name, bring it to disk, and give it its own name."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        if path.exists():
            raise FileExistsError
        if path.with_name(f"{path.name}-wal").exists():
            # SQLite would apply it to the new file.
            raise ConflictError(f"{path}-wal is left of another ledger; move it away, or restore {path} beside it")
        _remove(draft)
        write(draft)
        _sync(draft)
        _publish(draft, path)
        _sync(path.parent)
    except FileExistsError:
        raise ConflictError(f"{path} exists already; nothing was overwritten") from None
    except OSError as error:
        raise UnreadableError(f"no ledger can be written to {path}: {error.strerror}") from None
    except sqlite3.Error as error:
        raise UnreadableError(f"no ledger can be written to {path}: {error}") from error
    finally:
        _remove(draft)


def _remove(draft: Path) -> None:
    """Remove a draft with what SQLite put beside it; one that cannot be removed is hidden, and in nobody's way."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        with suppress(OSError):
            draft.with_name(draft.name + suffix).unlink()


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


def _publish(draft: Path, path: Path) -> None:
    """Give the draft its name, which must be free: a link cannot overwrite. Some file systems (FAT) have no links."""
    try:
        os.link(draft, path)
    except FileExistsError:
        raise
    except OSError:
        if path.exists():
            raise FileExistsError from None
        draft.rename(path)


def _sync(path: Path) -> None:
    """Bring a file's content, or a folder's list of names, to disk. Windows syncs no folders."""
    if os.name == "nt":
        return
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def connect(path: Path, *, readonly: bool, lock_timeout_s: float) -> sqlite3.Connection:
    """A connection in the state that durable appends need; raises `UnreadableError` where no ledger can be opened."""
    if not path.exists():
        raise missing(path)
    if not path.is_file():
        raise not_a_ledger(path)
    try:
        connection = sqlite3.connect(
            f"file:{quote(os.fspath(path.absolute()))}?{_access(path, readonly)}",
            uri=True,
            timeout=lock_timeout_s,
            isolation_level=None,
            check_same_thread=False,
        )
    except READ_ERRORS as error:
        raise translated(error, path, lock_timeout_s) from error
    try:
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
        raise translated(error, path, lock_timeout_s) from error
    except BaseException:
        connection.close()
        raise
    return connection


def _access(path: Path, readonly: bool) -> str:
    """How to open the file, as parameters of its URI.

    A reader of a folder that cannot be written to (a CD, an archive) has no place for the index of the write-ahead log;
    without such a log the file is complete in itself.
    """
    if not readonly:
        return "mode=rw"
    has_wal = path.with_name(f"{path.name}-wal").exists()
    return "mode=ro" if has_wal or os.access(path.parent, os.W_OK) else "mode=ro&immutable=1"


def _recognise(connection: sqlite3.Connection, path: Path) -> None:
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise not_a_ledger(path)
    format_version = connection.execute("PRAGMA user_version").fetchone()[0]
    if format_version > FORMAT_VERSION:
        raise too_new(path, format_version, FORMAT_VERSION)
    tables = connection.execute("SELECT count(*) FROM sqlite_schema WHERE name IN ('meta', 'entries')").fetchone()[0]
    if tables != 2:
        raise UnreadableError(f"the ledger {path} is damaged (its tables are missing); restore a backup")
