"""How a file appears whole and durable or not at all: it is written under another name, and then given its own.

The other name is `companions.draft_of`.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


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
