"""How a file appears whole and durable or not at all: it is written under another name, and then given its own."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from threading import get_native_id


def draft_of(path: Path) -> Path:
    """Where to write first: a hidden file beside it, of this thread alone."""
    return path.with_name(f".{path.name}.{get_native_id()}.new")


def publish(draft: Path, path: Path) -> None:
    """Give the draft its name, which must be free, else `FileExistsError`: a link cannot overwrite.

    Some file systems (FAT) have no links.
    """
    try:
        os.link(draft, path)
    except FileExistsError:
        raise
    except OSError:
        if path.exists():
            raise FileExistsError from None
        draft.rename(path)


def sync(path: Path) -> None:
    """Bring a file's content, or a folder's list of names, to disk. Windows syncs no folders."""
    if os.name == "nt":
        return
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def remove(draft: Path) -> None:
    """Remove a draft if it is there; one that cannot be removed is hidden, and in nobody's way."""
    with suppress(OSError):
        draft.unlink()
