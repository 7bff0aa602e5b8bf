"""Where the read model of a ledger lies: beside it or, where its folder takes no file, in a folder of the user's."""

from __future__ import annotations

import os
from pathlib import Path

from ledger.errors import UnreadableError
from ledger.history.model.catching_up import is_level
from ledger.history.words import phrase
from ledger.log.base import LogStore
from ledger.log.paths import cached_history_path, default_history_path, lock_of, serve_history_of
from ledger.zones import UTC


def place_of_history(store: LogStore, ledger: Path, *, rebuild: bool = False, zone: str = UTC) -> Path:
    """The file to catch up and to ask. One that is level already may lie in any folder, unless it is to be made anew.
    `zone` as in `catch_up`.

    Raises `UnreadableError` where there is no place for it.
    """
    beside = default_history_path(ledger)
    if _takes_changes(beside) or (not rebuild and is_level(store, beside, zone)):
        return beside
    return cached_history_path(_own_folder(), beside, ledger, store.ledger_id or "")


def place_of_served_history(store: LogStore, ledger: Path) -> Path:
    """The file of a service's read model. Raises `UnreadableError` where there is no place for it."""
    beside = serve_history_of(ledger)
    if _takes_changes(beside):
        return beside
    return cached_history_path(_own_folder(), beside, ledger, store.ledger_id or "")


def _takes_changes(history: Path) -> bool:
    lock = lock_of(history)
    return os.access(history.parent, os.W_OK | os.X_OK) and (not lock.exists() or os.access(lock, os.W_OK))


def _own_folder() -> Path:
    """The folder of this program in the user's cache (XDG base directories), which nobody else can look into."""
    named = Path(os.environ.get("XDG_CACHE_HOME", ""))
    folder = (named if named.is_absolute() else Path("~/.cache")) / "trickledger"
    try:
        folder = folder.expanduser()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK | os.X_OK):
            raise PermissionError
    except (OSError, RuntimeError) as error:  # the second where the user has no folder at all
        raise UnreadableError("forbidden", phrase("model.no_place", folder=folder)) from error
    return folder
