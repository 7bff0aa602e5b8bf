"""Whether a file belongs to a ledger, and so must not be written over by whoever only wants to put an answer somewhere.

It is known by its name beside a ledger, there already or not, or by what it holds, wherever it lies.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final

from ledger.errors import SECRET_KEY_MARK, ConflictError
from ledger.log import companions
from ledger.log.words import phrase

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


def refuse_belongings(
    path: Path, named: str | Path, *, but: tuple[companions.Companion, ...] = (), for_ledger: bool = False
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


def ledger_of(path: Path, but: tuple[companions.Companion, ...] = ()) -> Path | None:
    """The ledger beside which a file of this name, or the folder that it is in, is one of the ledger's own."""
    for place in (path, path.parent):
        for ledger in _ledgers_that_fit(place):
            allowed = {companion(ledger) for companion in but}
            if place not in allowed and _is_ledger(ledger) and companions.is_companion(place, ledger):
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
