"""How a file appears whole and durable or not at all: it is written under another name, and then given its own.

The other name is `paths.draft_of`, one for each thread, unless the writers of the file take turns.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from ledger.log.paths import draft_of


def write_whole(
    path: Path, content: bytes, mode: int, give_name: Callable[[Path, Path], object], draft: Path | None = None
) -> None:
    """Write a small file, bring it to disk, and give it its name: by `publish`, or by `Path.replace`.

    `draft`: the other name, where no two write this file at a time.

    Raises `OSError` naming the file, and `FileExistsError` as `publish`.
    """
    draft = draft or draft_of(path)
    remove(draft)
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as target:
            target.write(content)
            target.flush()
            os.fsync(target.fileno())
        give_name(draft, path)
        sync(path.parent)
    except FileExistsError:
        raise
    except OSError as error:
        error.filename, error.filename2 = str(path), None
        raise
    finally:
        remove(draft)


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
