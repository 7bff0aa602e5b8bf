"""The names of what lies beside a ledger, and whether a file is one of these and must not be written over.

Whoever moves, backs up or hides a ledger finds here what belongs to it. Such a file is known by its name beside a
ledger, there already or not, or by what it holds, wherever it lies.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from threading import get_native_id
from typing import Final, TypeAlias

from ledger.errors import SECRET_KEY_MARK, ConflictError
from ledger.log.catalogue import phrase

Sidecar: TypeAlias = Callable[[Path], Path]
"""Where one of the things beside a ledger lies, by the ledger's path."""


def default_history_path(ledger: Path) -> Path:
    """Where the read model of a ledger lies unless told: `club.ledger.history.duckdb`."""
    return _with(ledger, ".history.duckdb")


def serve_history_of(ledger: Path) -> Path:
    """Where the read model of a service lies, which leaves out open deals: `club.ledger.serve.duckdb`."""
    return _with(ledger, ".serve.duckdb")


def cached_history_path(folder: Path, history: Path, ledger: Path, ledger_id: str) -> Path:
    """Where a read model lies that cannot lie beside the ledger: one for each ledger, and for each copy of it.

    `history`: how it would be called there.
    """
    mark = sha256(ledger_id.encode() + os.fsencode(ledger.resolve())).hexdigest()[:16]
    return folder / f"{ledger.stem}-{mark}{history.name.removeprefix(ledger.name)}"


def questions_of(ledger: Path) -> Path:
    """The folder of the questions that were saved by name, `club.ledger.queries`."""
    return _with(ledger, ".queries")


def secret_key_of(ledger: Path) -> Path:
    """Where the private key lies unless told: `club.key`."""
    return _instead(ledger, ".key")


def public_key_of(ledger: Path) -> Path:
    """Where the public key lies unless told: `club.pub`."""
    return _instead(ledger, ".pub")


def public_key_to(secret_key: Path) -> Path:
    """The file of the public key that is made together with this private one, wherever that is to lie."""
    return secret_key.with_suffix(".pub")


def checkpoint_of(ledger: Path) -> Path:
    """Where the newest checkpoint lies unless told: `club.checkpoint`."""
    return _instead(ledger, ".checkpoint")


def seen_of(ledger: Path) -> Path:
    """How far the ledger had come when it was last written to, `club.ledger.seen`; copies do not take it along."""
    return _with(ledger, ".seen")


def seen_draft_of(ledger: Path) -> Path:
    """Where that is written first, by whoever has the turn to write: the next one replaces what a killed one left."""
    return ledger.with_name(f".{seen_of(ledger).name}.new")


def rescue_of(ledger: Path, moment: datetime) -> Path:
    """Where a service puts what it acknowledged and lost at this moment: `club.ledger.rescue-2026-01-05-183000`.

    It has hidden cards, and is an export for `trickledger import`.
    """
    return _with(ledger, f".rescue-{moment.astimezone(UTC):%Y-%m-%d-%H%M%S}")


def cosigned_of(secret_key: Path) -> Path:
    """The checkpoint that a witness has cosigned last with this key, beside it: `ann.cosigned` of `ann.key`."""
    return secret_key.with_suffix(".cosigned")


def access_of(ledger: Path) -> Path:
    """Who was given a token, `club.ledger.access`; copies do not take it along."""
    return _with(ledger, ".access")


def receipt_name(table: str, deal: int) -> str:
    """The file of a deal's receipt unless told, by the table's slug; it goes away, and so lies where one works."""
    return f"{table}-{deal}.receipt"


def backup_name(ledger: Path, moment: datetime) -> str:
    """The name of a backup made at this moment (UTC): `club-2026-01-05-183000.ledger`; names sort by age."""
    return f"{ledger.stem}-{moment.astimezone(UTC):%Y-%m-%d-%H%M%S}{ledger.suffix or '.ledger'}"


def lock_of(database: Path) -> Path:
    """On which the writers of a ledger, or of a read model, wait for their turn."""
    return _with(database, "-lock")


def wal_of(ledger: Path) -> Path:
    """SQLite's write-ahead log: what was recorded and is not in the ledger's own file yet."""
    return _with(ledger, "-wal")


def left_by_sqlite(ledger: Path) -> tuple[Path, ...]:
    """The write-ahead log and its index, which are there while somebody has the ledger open."""
    return wal_of(ledger), _with(ledger, "-shm")


def journal_of(ledger: Path) -> Path:
    """SQLite's journal of a file that has no write-ahead log."""
    return _with(ledger, "-journal")


def left_by_duckdb(history: Path) -> tuple[Path, ...]:
    """The write-ahead log of a read model; what DuckDB writes to while that is worked into the file; both as one, where
    the work broke off.
    """
    return tuple(_with(history, f".wal{suffix}") for suffix in ("", ".checkpoint", ".recovery"))


def seal_of_history(history: Path) -> Path:
    """What catch-up left of a read model, so that a change by anything else is found."""
    return _with(history, ".seal")


def draft_of_history(history: Path) -> Path:
    """Where a read model is made anew before it takes the place of the old one."""
    return history.with_name(f".{history.name}.draft")


def loading_of_history(history: Path) -> Path:
    """The folder of rows that are on their way into a read model."""
    return history.with_name(f".{history.name}.loading")


def copy_of_history(history: Path) -> Path:
    """The copy of a read model that a service lets its sandbox read."""
    return history.with_name(f".{history.name}.copy")


def draft_of(path: Path) -> Path:
    """Where to write a file first: a hidden one beside it, of this thread alone."""
    return path.with_name(f".{path.name}.{get_native_id()}.new")


def _sidecars(ledger: Path) -> Iterator[Path]:
    """Everything beside a ledger that has a name of its own; drafts have those of threads (`is_sidecar`)."""
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
    """Whether this is the path of something that lies beside this ledger, or is being made to lie there."""
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
    """`club.key` of `club.ledger`, but `club.2026.key` of `club.2026`, as there may be a `club.2025`."""
    return ledger.with_name(ledger.name.removesuffix(".ledger") + suffix)


LEDGER_FILE: Final = b"SQLite format 3\0"
"""What the file of a ledger begins with."""

_MARKS: Final[tuple[tuple[int, bytes, str], ...]] = (
    (0, LEDGER_FILE, "belonging.database"),
    (8, b"DUCK", "belonging.database"),
    (0, b"\x37\x7f\x06\x82", "belonging.database"),  # SQLite's write-ahead log, in either order of bytes
    (0, b"\x37\x7f\x06\x83", "belonging.database"),
    (0, b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7", "belonging.database"),  # SQLite's rollback journal
    (0, SECRET_KEY_MARK.encode(), "belonging.secret_key"),
)
"""What such files begin with: from which byte on, and the key of what is said of it."""

_BEGIN_BYTES: Final = max(start + len(mark) for start, mark, _ in _MARKS)


def refuse_protected_files(
    path: Path, named: str | Path, *, but: tuple[Sidecar, ...] = (), for_ledger: bool = False
) -> None:
    """Raises `ConflictError` where the file is, or would be, a ledger's own; `named`: how it is told.

    `but`: the companions that it may be; `for_ledger`: a ledger it may be, too. The path is taken as it is: whoever
    follows a link asks for what it leads to.
    """
    begin = _begin(path)
    key = next((key for start, mark, key in _MARKS if begin[start:].startswith(mark)), None)
    if key is not None and not (for_ledger and begin.startswith(LEDGER_FILE)):
        raise ConflictError("exists", phrase(key, file=named))
    ledger = ledger_of(path, but)
    if ledger is not None:
        raise ConflictError("exists", phrase("belonging.companion", file=named, ledger=ledger))


def ledger_of(path: Path, but: tuple[Sidecar, ...] = ()) -> Path | None:
    """The ledger beside which a file of this name, or the folder that it is in, is one of the ledger's own."""
    for place in (path, path.parent):
        for ledger in _ledgers_that_fit(place):
            allowed = {sidecar(ledger) for sidecar in but}
            if place not in allowed and _is_ledger(ledger) and is_sidecar(place, ledger):
                return ledger
    return None


def _ledgers_that_fit(path: Path) -> list[Path]:
    """Every file of this folder that could be the ledger: a companion's name begins with it, or with its stem."""
    name = path.name.removeprefix(".")
    return [path.with_name(name[:end] + suffix) for end in range(1, len(name)) for suffix in ("", ".ledger")]


def _is_ledger(path: Path) -> bool:
    return _begin(path).startswith(LEDGER_FILE)


def _begin(path: Path) -> bytes:
    """The first bytes of a file; none of what is no file, or cannot be read."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return b""
        with path.open("rb", buffering=0) as file:
            return os.read(file.fileno(), _BEGIN_BYTES)
    except OSError:
        return b""
