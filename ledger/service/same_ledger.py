"""Whether the ledger is still the one that was served: somebody may put an older copy in its place."""

from __future__ import annotations

import os

from ledger.errors import ConflictError, UnreadableError
from ledger.log.base import Head, LogStore
from ledger.service.words import phrase


def file_of(store: LogStore) -> tuple[int, int] | None:
    """Which file a ledger's address means now; None where it is none. Raises `UnreadableError` where it is gone."""
    if store.address is None:
        return None
    try:
        found = os.stat(store.address)  # noqa: PTH116 - asked for with every commit, and a Path takes 8 µs more
    except OSError:
        raise UnreadableError("no_ledger", phrase("ledger_gone")) from None
    return found.st_dev, found.st_ino


def check_continues(store: LogStore, head: Head) -> None:
    """Raises `ConflictError` where the ledger lacks the entry that was its last one, or has another in its place."""
    if not head.position:
        return
    row = next(store.read(head.position - 1, head.position), None)
    if row is None or row.digest != head.digest:
        actual = store.head().position
        said = phrase("rolled_back", expected=head.position, actual=actual)
        raise ConflictError("rolled_back", said, expected=head.position, actual=actual)
