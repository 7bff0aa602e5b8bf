"""Files that appear complete and durable or not at all: each is written under another name and then renamed.

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
    """Write a small file to disk and rename it, by `publish` or by `Path.replace`.

    `draft`: the temporary name, for a file that never has two writers at once.

    Raise `OSError` naming the file, and `FileExistsError` as `publish`.
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
    """Give the draft its name without overwriting: create a hard link. Raise `FileExistsError` if the name is taken."""
    try:
        os.link(draft, path)
    except FileExistsError:
        raise
    except OSError:
        if path.exists():
            raise FileExistsError from None
        draft.rename(path)


def sync(path: Path) -> None:
    """Write a file's content, or a folder's list of names, to disk. Windows syncs no folders."""
    if os.name == "nt":
        return
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def remove(draft: Path) -> None:
    """Remove a draft if it exists; one that cannot be removed is hidden and does no harm."""
    with suppress(OSError):
        draft.unlink()
