"""The names of the files beside a ledger, and the check that a file is one of them and must not be overwritten.

Anything that moves, backs up or hides a ledger looks up its files here. Such a file is recognised by its name beside a
ledger, even before it exists, or by its content, wherever it is.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from threading import get_native_id
from typing import Final, TypeAlias

from ledger.errors import SECRET_KEY_MARK, ConflictError
from ledger.log.catalogue import phrase

Sidecar: TypeAlias = Callable[[Path], Path]
"""A function from the path of a ledger to that of a file beside it."""


def default_history_path(ledger: Path) -> Path:
    """Return the default path of a ledger's read model: `club.ledger.history.duckdb`."""
    return _with(ledger, ".history.duckdb")


def serve_history_of(ledger: Path) -> Path:
    """Return the path of a service's read model, which leaves out open deals: `club.ledger.serve.duckdb`."""
    return _with(ledger, ".serve.duckdb")


def cached_history_path(folder: Path, history: Path, ledger: Path, ledger_id: str) -> Path:
    """Return the path of a read model that cannot be beside the ledger: one for each ledger and each copy of it.

    `history`: its path if it could be there.
    """
    mark = sha256(ledger_id.encode() + os.fsencode(ledger.resolve())).hexdigest()[:16]
    return folder / f"{ledger.stem}-{mark}{history.name.removeprefix(ledger.name)}"


def cache_folder() -> Path:
    """Return this program's folder in the user's cache (XDG base directories); it may begin with `~`."""
    named = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (named if named.is_absolute() else Path("~/.cache")) / "trickledger"


def questions_of(ledger: Path) -> Path:
    """Return the folder of saved queries, `club.ledger.queries`."""
    return _with(ledger, ".queries")


def secret_key_of(ledger: Path) -> Path:
    """Return the default path of the private key: `club.key`."""
    return _instead(ledger, ".key")


def public_key_of(ledger: Path) -> Path:
    """Return the default path of the public key: `club.pub`."""
    return _instead(ledger, ".pub")


def public_key_to(secret_key: Path) -> Path:
    """Return the path of the public key that is made together with this private one."""
    return secret_key.with_suffix(".pub")


def checkpoint_of(ledger: Path) -> Path:
    """Return the default path of the newest checkpoint: `club.checkpoint`."""
    return _instead(ledger, ".checkpoint")


def seen_of(ledger: Path) -> Path:
    """Return the path of the remembered head, `club.ledger.seen`; copies do not include it."""
    return _with(ledger, ".seen")


def seen_draft_of(ledger: Path) -> Path:
    """Return the path where the remembered head is written first; the next writer replaces one that a killed process
    left.
    """
    return ledger.with_name(f".{seen_of(ledger).name}.new")


def rescue_of(ledger: Path, moment: datetime) -> Path:
    """Return the path of the entries that a service acknowledged and lost: `club.ledger.rescue-2026-01-05-183000`.

    It contains hidden cards, and is an export for `trickledger import`.
    """
    return _with(ledger, f".rescue-{moment.astimezone(UTC):%Y-%m-%d-%H%M%S}")


def cosigned_of(secret_key: Path) -> Path:
    """Return the path of the last checkpoint cosigned with this key: `ann.cosigned` of `ann.key`."""
    return secret_key.with_suffix(".cosigned")


def access_of(ledger: Path) -> Path:
    """Return the path of the access tokens, `club.ledger.access`; copies do not include it."""
    return _with(ledger, ".access")


def receipt_name(table: str, deal: int) -> str:
    """Return the default file name of a deal's receipt, in the working folder, since it is to be given away."""
    return f"{table}-{deal}.receipt"


def backup_name(ledger: Path, moment: datetime) -> str:
    """Return the name of a backup made at this moment (UTC): `club-2026-01-05-183000.ledger`; names sort by age."""
    return f"{ledger.stem}-{moment.astimezone(UTC):%Y-%m-%d-%H%M%S}{ledger.suffix or '.ledger'}"


def backups_in(folder: Path, ledger: Path) -> list[tuple[datetime, Path]]:
    """Return the backups of a ledger in a folder with the moments in their names, the oldest first."""
    suffix = re.escape(ledger.suffix or ".ledger")
    name = re.compile(rf"{re.escape(ledger.stem)}-(\d{{4}}-\d\d-\d\d-\d{{6}}){suffix}", re.ASCII)
    named = [(match[1], path) for path in folder.iterdir() if (match := name.fullmatch(path.name)) is not None]
    backups = []
    for text, path in named:
        with suppress(ValueError):  # digits that are no moment
            backups.append((datetime.strptime(text, "%Y-%m-%d-%H%M%S").replace(tzinfo=UTC), path))
    return sorted(backups)


def lock_of(database: Path) -> Path:
    """Return the path of the lock for which the writers of a ledger, or of a read model, wait."""
    return _with(database, "-lock")


def wal_of(ledger: Path) -> Path:
    """Return the path of SQLite's write-ahead log: recorded entries that are not in the ledger's own file yet."""
    return _with(ledger, "-wal")


def left_by_sqlite(ledger: Path) -> tuple[Path, ...]:
    """Return the paths of the write-ahead log and its index, which exist while the ledger is open."""
    return wal_of(ledger), _with(ledger, "-shm")


def journal_of(ledger: Path) -> Path:
    """Return the path of SQLite's journal of a file that has no write-ahead log."""
    return _with(ledger, "-journal")


def left_by_duckdb(history: Path) -> tuple[Path, ...]:
    """Return the paths of DuckDB's write-ahead log, the log during a checkpoint, and both merged after a crash."""
    return tuple(_with(history, f".wal{suffix}") for suffix in ("", ".checkpoint", ".recovery"))


def seal_of_history(history: Path) -> Path:
    """Return the path of a read model's seal, which shows changes by other programs."""
    return _with(history, ".seal")


def draft_of_history(history: Path) -> Path:
    """Return the path where a read model is rebuilt before it replaces the old one."""
    return history.with_name(f".{history.name}.draft")


def loading_of_history(history: Path) -> Path:
    """Return the folder of rows to be loaded into a read model."""
    return history.with_name(f".{history.name}.loading")


def copy_of_history(history: Path) -> Path:
    """Return the path of the copy of a read model that the sandbox of a service reads."""
    return history.with_name(f".{history.name}.copy")


def draft_of(path: Path) -> Path:
    """Return the path where to write a file first: a hidden one beside it, of this thread alone."""
    return path.with_name(f".{path.name}.{get_native_id()}.new")


def _sidecars(ledger: Path) -> Iterator[Path]:
    """Yield the paths of all files beside a ledger with fixed names; drafts have those of threads (`is_sidecar`)."""
    secret_key, access = secret_key_of(ledger), access_of(ledger)
    yield from (questions_of(ledger), checkpoint_of(ledger), seen_of(ledger), seen_draft_of(ledger))
    yield from (secret_key, public_key_of(ledger), cosigned_of(secret_key), access, journal_of(access))
    yield from (lock_of(ledger), journal_of(ledger), *left_by_sqlite(ledger))
    for history in (default_history_path(ledger), serve_history_of(ledger)):
        copy = copy_of_history(history)
        yield from (history, lock_of(history), seal_of_history(history), *left_by_duckdb(history))
        yield from (draft_of_history(history), loading_of_history(history), copy, left_by_duckdb(copy)[0])


_DRAFT: Final = re.compile(r"\.(?P<name>.+)\.[0-9]+\.new")
_RESCUE: Final = re.compile(r"(?P<ledger>.+)\.rescue-[0-9-]+")


def is_sidecar(path: Path, ledger: Path) -> bool:
    """Return whether this path is that of a file beside this ledger, or of the draft of one."""
    draft = _DRAFT.fullmatch(path.name)
    if draft is not None:
        path = path.with_name(draft["name"])
    rescue = _RESCUE.fullmatch(path.name)
    if rescue is not None and path.with_name(rescue["ledger"]) == ledger:
        return True
    return (draft is not None and path == ledger) or path in _sidecars(ledger)


def _with(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def _instead(ledger: Path, suffix: str) -> Path:
    """Return `club.key` for `club.ledger`, but `club.2026.key` for `club.2026`, as there may be a `club.2025`."""
    return ledger.with_name(ledger.name.removesuffix(".ledger") + suffix)


LEDGER_FILE: Final = b"SQLite format 3\0"
"""The first bytes of a ledger's file."""

_MARKS: Final[tuple[tuple[int, bytes, str], ...]] = (
    (0, LEDGER_FILE, "belonging.database"),
    (8, b"DUCK", "belonging.database"),
    (0, b"\x37\x7f\x06\x82", "belonging.database"),  # SQLite's write-ahead log, in either order of bytes
    (0, b"\x37\x7f\x06\x83", "belonging.database"),
    (0, b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7", "belonging.database"),  # SQLite's rollback journal
    (0, SECRET_KEY_MARK.encode(), "belonging.secret_key"),
)
"""The bytes that mark protected files: their offset, the bytes, and the key of the message."""

_BEGIN_BYTES: Final = max(start + len(mark) for start, mark, _ in _MARKS)


def refuse_protected_files(
    path: Path, named: str | Path, *, but: tuple[Sidecar, ...] = (), for_ledger: bool = False
) -> None:
    """Raise `ConflictError` if the path is, or would be, a protected file of a ledger.

    `named`: the name of the file in the message. `but`: the sidecars that are allowed; `for_ledger`: whether a ledger
    is allowed. Links are not followed; the caller resolves the path.
    """
    begin = _begin(path)
    key = next((key for start, mark, key in _MARKS if begin[start:].startswith(mark)), None)
    if key is not None and not (for_ledger and begin.startswith(LEDGER_FILE)):
        raise ConflictError("exists", phrase(key, file=named))
    ledger = ledger_of(path, but)
    if ledger is not None:
        raise ConflictError("exists", phrase("belonging.companion", file=named, ledger=ledger))


def ledger_of(path: Path, but: tuple[Sidecar, ...] = ()) -> Path | None:
    """Return the ledger that the file at this path, or its folder, belongs to by its name; None if there is none."""
    for place in (path, path.parent):
        for ledger in _ledgers_that_fit(place):
            allowed = {sidecar(ledger) for sidecar in but}
            if place not in allowed and _is_ledger(ledger) and is_sidecar(place, ledger):
                return ledger
    return None


def _ledgers_that_fit(path: Path) -> list[Path]:
    """Return the paths in this folder that could be the ledger: a sidecar's name begins with its name, or with its
    stem.
    """
    name = path.name.removeprefix(".")
    return [path.with_name(name[:end] + suffix) for end in range(1, len(name)) for suffix in ("", ".ledger")]


def _is_ledger(path: Path) -> bool:
    return _begin(path).startswith(LEDGER_FILE)


def _begin(path: Path) -> bytes:
    """Return the first bytes of a file; none if it is no regular file, or cannot be read."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return b""
        with path.open("rb", buffering=0) as file:
            return os.read(file.fileno(), _BEGIN_BYTES)
    except OSError:
        return b""
