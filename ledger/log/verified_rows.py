"""Verification that entries are unchanged since they were recorded, for every answer computed from them.

Each entry is compared with its digest and the stored digest of the entry before it. `verify` checks everything else. An
attacker who alters an entry and recomputes all later digests is detected only by a checkpoint stored elsewhere.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Protocol

from ledger.errors import UnreadableError
from ledger.log.base import EMPTY, Head, Row
from ledger.log.catalogue import phrase
from ledger.log.chain import GENESIS, digest_after


class Neighbours(Protocol):
    """The ledger that some rows are part of."""

    def digests_at(self, positions: Sequence[int]) -> dict[int, bytes]:
        """Return the stored digests of these entries, by position; a missing one is left out."""
        ...

    def read(self, after: int = 0, until: int | None = None, *, verified: bool = True) -> Iterator[Row]:
        """Return entries as `LogStore.read` does."""
        ...


def check_digests(rows: Sequence[Row], ledger: Neighbours) -> None:
    """Raise `UnreadableError` at the first row that does not match its digest; `rows` are any entries of the ledger."""
    digests = {row.position: row.digest for row in rows}
    digests[0] = GENESIS
    if others := [row.position - 1 for row in rows if row.position - 1 not in digests]:
        digests |= ledger.digests_at(others)
    for row in rows:
        if not _fits(row, digests.get(row.position - 1)) and not _fits_mended(row, ledger):
            raise row.damaged(phrase("damage.entry_or_digest"))


def check_versions(rows: Sequence[Row], after_version: int) -> None:
    """Raise `UnreadableError` if an entry is missing among the rows of a stream after a version."""
    for due, row in enumerate(rows, start=max(after_version, 0) + 1):
        if row.version != due:
            raise row.damaged(phrase("damage.wrong_version", found=row.version, of=row.stream, due=due))


def _fits_mended(row: Row, ledger: Neighbours) -> bool:
    """Return whether only the stored digest of the entry before is wrong, which may be of another table."""
    two = list(ledger.read(row.position - 3, row.position - 1, verified=False))
    if not two or two[-1].position != row.position - 1:
        return False
    previous = GENESIS if row.position == 2 else two[0].digest
    try:
        return _fits(row, digest_after(previous, two[-1].canonical()))
    except TypeError:  # as in `_fits`
        return False


def sound_rows(rows: Iterable[Row], size: int, streams: Collection[str] = (), before: Head = EMPTY) -> Iterator[Row]:
    """Yield the rows, which must be the entries up to `size`, each with the digest that follows from the one before.

    `before`: the entry before the first of them. With `streams` only their entries need to match, so that sound tables
    can be saved without a backup. Raise `UnreadableError` at the first entry that does not match or is missing.
    """
    for row in rows:
        is_wanted = not streams or row.stream in streams
        if row.position != before.position + 1 or (is_wanted and not _fits(row, before.digest)):
            raise _damaged(before.position + 1)
        before = Head(row.position, row.digest)
        yield row
    if before.position != size:
        raise _damaged(before.position + 1)


def _fits(row: Row, previous: bytes | None) -> bool:
    try:
        return previous is not None and row.digest == digest_after(previous, row.canonical())
    except TypeError:  # a damaged page may hold NULL in a NOT NULL column
        return False


def _damaged(position: int) -> UnreadableError:
    return UnreadableError("damaged", phrase("damaged_at", position=position))
