"""Reads entries for somebody who carries them away or signs them: those that are not as they were recorded stop it.

The digests alone are looked at, since they tell that. Whatever else the log promises, `verify` checks.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from ledger.errors import UnreadableError
from ledger.log.base import EMPTY, Head, Row
from ledger.log.chain import digest_after
from ledger.log.words import phrase


def sound_rows(rows: Iterable[Row], size: int, streams: Collection[str] = (), before: Head = EMPTY) -> Iterator[Row]:
    """The rows, which must be the entries up to `size`, each with the digest that follows from the one before it.

    `before`: the entry before the first of them.

    Where only some streams are wanted, only their entries need to fit: whoever has no backup can still take away the
    tables that are sound. Raises `UnreadableError` at the first entry that does not fit, or is missing.
    """
    for row in rows:
        is_wanted = not streams or row.stream in streams
        if row.position != before.position + 1 or (is_wanted and not _fits(row, before)):
            raise _damaged(before.position + 1)
        before = Head(row.position, row.digest)
        yield row
    if before.position != size:
        raise _damaged(before.position + 1)


def _fits(row: Row, before: Head) -> bool:
    try:
        return row.digest == digest_after(before.digest, row.canonical())
    except TypeError:  # a damaged page may hold NULL where the table's definition has none
        return False


def _damaged(position: int) -> UnreadableError:
    return UnreadableError("damaged", phrase("damaged_at", position=position))
