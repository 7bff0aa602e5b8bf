"""What happened while somebody was away, from the ledger itself; it is read beside the event loop, piece by piece."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import merge
from itertools import islice
from typing import Final

from ledger.log.base import LogStore, Row
from ledger.service.live_buffer import Follower, Opening, Told, Writing
from ledger.service.visibility import RedactedStore, VisibleHead, seen_envelope
from ledger.streams import TABLE
from ledger.table.hiding import deals_shown, deals_started, hidden_in

ENTRIES: Final = 512
"""So many entries are read at once."""


def told_from(
    store: LogStore, visible: VisibleHead, after: int, follower: Follower, openings: Sequence[Opening] = ()
) -> Told:
    """The next entries behind a position, as they may be seen now. `openings`: those remembered behind it."""
    seen = RedactedStore(store, visible, follower.view)
    head = visible.head.position
    writing = Writing(follower, list(openings))
    last, count = after, 0
    for row in islice(_rows(store, seen, after, head, follower), ENTRIES):
        writing.entry(row.position, seen_envelope(row))
        last, count = row.position, count + 1
        if writing.is_enough:
            return writing.told(last)
    return writing.told(last if count == ENTRIES else _looked_at(after, head, follower))


def _rows(store: LogStore, seen: RedactedStore, after: int, head: int, follower: Follower) -> Iterable[Row]:
    if follower.streams is None:
        return seen.read(after, _looked_at(after, head, follower))
    return merge(*(_behind(store, seen, stream, after) for stream in follower.streams), key=lambda row: row.position)


def _looked_at(after: int, head: int, follower: Follower) -> int:
    """How far it is looked at once: not all of a ledger for a table of which nothing is there."""
    return head if follower.streams is not None else min(head, after + ENTRIES)


def _behind(store: LogStore, seen: RedactedStore, stream: str, after: int) -> Iterable[Row]:
    version = len(store.read_stream(stream, until_position=after, verified=False)) if after else 0
    return seen.read_stream(stream, version)


def opened_meanwhile(store: LogStore, visible: VisibleHead, since: int, follower: Follower) -> list[Opening]:
    """The deals that were open behind the entry before `since`, and are not any more.

    Whoever was told the entry `since` may have missed that a deal opened with it.
    """
    found = []
    for stream in _gone_on(store, since, visible.head.position):
        if not follower.follows(stream) or not TABLE.has(stream):
            continue
        rows = store.read_stream(stream, until_position=since - 1)
        entries = [(row.version, row.event()) for row in rows]
        before = hidden_in(entries) if entries else None
        now = visible.hidden.get(stream)
        if before is not None and (now is None or now.version != before.version):
            last = max((start.deal for start in deals_started(entries)), default=0)
            shown = deals_shown(before.deal, None if now is None else now.deal, last)
            found += [Opening(since, TABLE.slug(stream), deal) for deal in shown]
    return found


def _gone_on(store: LogStore, since: int, until: int) -> list[str]:
    """The streams with entries from that position on."""
    if until - since < ENTRIES:
        return list(dict.fromkeys(row.stream for row in store.read(since - 1, until, verified=False)))
    return [head.stream for head in store.streams() if head.last_position >= since]
