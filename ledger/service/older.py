"""What happened while somebody was away, from the ledger itself; it is read beside the event loop, piece by piece."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import merge
from itertools import islice
from typing import Final

from ledger.log.base import LogStore, Row
from ledger.service.horizon import Horizon
from ledger.service.ring import Follower, Opening, Told, Writing
from ledger.service.views import SeenStore, seen_envelope
from ledger.table.hiding import hidden_in
from ledger.table.lookup import TABLE_PREFIX, slug_of

ENTRIES: Final = 512
"""So many entries are read at once."""


def told_from(
    store: LogStore, horizon: Horizon, after: int, follower: Follower, openings: Sequence[Opening] = ()
) -> Told:
    """The next entries behind a position, as they may be seen now. `openings`: those remembered behind it."""
    seen = SeenStore(store, horizon, follower.view)
    head = horizon.head.position
    writing = Writing(follower, list(openings))
    last, count = after, 0
    for row in islice(_rows(seen, after, head, follower), ENTRIES):
        writing.entry(row.position, seen_envelope(row))
        last, count = row.position, count + 1
        if writing.is_enough:
            return writing.told(last)
    return writing.told(last if count == ENTRIES else _looked_at(after, head, follower))


def _rows(seen: SeenStore, after: int, head: int, follower: Follower) -> Iterable[Row]:
    if follower.streams is None:
        return seen.read(after, _looked_at(after, head, follower))
    return merge(*(_behind(seen, stream, after) for stream in follower.streams), key=lambda row: row.position)


def _looked_at(after: int, head: int, follower: Follower) -> int:
    """How far it is looked at once: not all of a ledger for a table of which nothing is there."""
    return head if follower.streams is not None else min(head, after + ENTRIES)


def _behind(seen: SeenStore, stream: str, after: int) -> Iterable[Row]:
    first = len(seen.read_stream(stream, until_position=after)) if after else 0
    return seen.read_stream(stream, first)


def opened_meanwhile(store: LogStore, horizon: Horizon, since: int, follower: Follower) -> list[Opening]:
    """The deals that were open behind the entry before `since`, and are not any more.

    Whoever was told the entry `since` may have missed that a deal opened with it.
    """
    found = []
    for head in store.streams(TABLE_PREFIX):
        if head.last_position < since or not follower.follows(head.stream):
            continue
        rows = store.read_stream(head.stream, until_position=since - 1)
        before = hidden_in([(row.version, row.event()) for row in rows]) if rows else None
        now = horizon.hidden.get(head.stream)
        if before is not None and (now is None or now.version != before.version):
            found.append(Opening(since, slug_of(head.stream), before.deal))
    return found
