"""The entries of live streams, in pieces.

The newest entries are kept in memory, encoded once for all clients with the same view. A client that was away is served
from the ledger, in a thread.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from heapq import merge
from itertools import dropwhile, islice
from typing import Final, Protocol

from msgspec import Struct

from ledger.log.base import LogStore, Row
from ledger.service.states import Published
from ledger.service.visibility import RedactedStore, RowRedactor, View, VisibleHead, seen_envelope
from ledger.streams import TABLE
from ledger.table.hiding import deals_shown, deals_started, hidden_in

ROWS: Final = 2_048
"""The most entries that are buffered; clients further behind are served from the ledger."""

ROWS_BYTES: Final = 8_000_000
"""The largest total size of the buffered events."""

PIECE_BYTES: Final = 64_000
"""The size at which a piece ends, after the entry that reaches it."""

_PIECES: Final = 64
"""The number of pieces that are cached until the next publication; nearly all listeners are at the same position."""

_OPENINGS: Final = 1_000

ENTRIES: Final = 512
"""The number of entries that are read from the ledger at a time."""


class Form(Protocol):
    """A format of live streams."""

    def entry(self, position: int, envelope: bytes) -> bytes:
        """Return an entry in this format."""
        ...

    def opened(self, table: str, deal: int) -> bytes:
        """Return the notice that a deal has opened."""
        ...


class Follower(Struct, frozen=True):
    """The selection of one client: everything in its view, or only `streams`; and the format."""

    view: View
    streams: frozenset[str] | None
    form: Form

    def follows(self, stream: str) -> bool:
        """Return whether a stream is in the selection."""
        return self.view.sees(stream) and (self.streams is None or stream in self.streams)


class Opening(Struct, frozen=True):
    """A deal that opened for everybody with the entry at `position`."""

    position: int
    table: str
    deal: int

    @property
    def stream(self) -> str:
        return TABLE.stream(self.table)


class Piece(Struct, frozen=True):
    """A part of a live stream, up to a position."""

    until: int
    content: bytes


class _BufferedRow(Struct):
    row: Row
    envelopes: dict[View, bytes]


class LiveBuffer:
    """The buffer of published entries. Pure. `visible`: the current visible head.

    The entries after the position `begins` are buffered, and the openings after `knows_openings_from`.
    """

    def __init__(self, visible: VisibleHead) -> None:
        self.visible = visible
        self.begins = self.knows_openings_from = visible.head.position
        self._buffered: dict[int, _BufferedRow] = {}
        self._size = 0
        self._openings: deque[Opening] = deque()
        self._pieces: dict[tuple[int, Follower], Piece] = {}

    def take(self, published: Published) -> None:
        """Add published entries."""
        before, self.visible = self.visible, published.visible
        self._pieces.clear()
        if self.visible.hidden != before.hidden:
            self._forget_as_seen(after=before.reaches)
        for row in published.rows:
            self._buffered[row.position] = _BufferedRow(row, {})
            self._size += len(row.payload)
        while len(self._buffered) > ROWS or self._size > ROWS_BYTES:
            self.begins += 1
            self._size -= len(self._buffered.pop(self.begins).row.payload)
        last = {row.stream: row.position for row in published.rows}
        opened = [Opening(last[TABLE.stream(table)], table, deal) for table, deal in published.opened]
        self._openings += sorted(opened, key=lambda one: one.position)
        while len(self._openings) > _OPENINGS:
            self.knows_openings_from = self._openings.popleft().position

    def _forget_as_seen(self, after: int) -> None:
        """Drop the encoded entries whose visibility may have changed."""
        for position in range(max(after, self.begins) + 1, self.begins + len(self._buffered) + 1):
            self._buffered[position].envelopes.clear()

    def piece_after(self, after: int, follower: Follower) -> Piece:
        """Return the piece after a position within the buffer, as visible now."""
        key = after, follower
        piece = self._pieces.get(key)
        if piece is None:
            piece = self._write_piece(after, follower)
            if len(self._pieces) < _PIECES:
                self._pieces[key] = piece
        return piece

    def _write_piece(self, after: int, follower: Follower) -> Piece:
        writer = PieceWriter(follower, self.openings(after))
        view = follower.view
        shared = View(hands=view.hands)
        for position in range(after + 1, self.visible.head.position + 1):
            buffered = self._buffered[position]
            if follower.follows(buffered.row.stream):
                is_own = not view.hands and buffered.row.recorded_by == view.writer
                writer.entry(position, self._envelope(buffered, view if is_own else shared))
            if writer.is_enough:
                return writer.finish(position)
        return writer.finish(self.visible.head.position)

    def _envelope(self, buffered: _BufferedRow, view: View) -> bytes:
        envelope = buffered.envelopes.get(view)
        if envelope is None:
            envelope = buffered.envelopes[view] = seen_envelope(RowRedactor(self.visible, view).seen(buffered.row))
        return envelope

    def openings(self, after: int) -> list[Opening]:
        """Return the deals that opened after a position, as far as they are buffered."""
        if not self._openings or self._openings[-1].position <= after:
            return []
        return list(dropwhile(lambda one: one.position <= after, self._openings))


class PieceWriter:
    """A writer of one piece: entries, and the openings of deals, each after the entry that opened the deal."""

    def __init__(self, follower: Follower, openings: list[Opening]) -> None:
        self._follower = follower
        self._openings = deque(openings)
        self._written: list[bytes] = []
        self._size = 0

    @property
    def is_enough(self) -> bool:
        return self._size >= PIECE_BYTES

    def entry(self, position: int, envelope: bytes) -> None:
        """Write an entry, after the openings before its position."""
        self._open(before=position)
        self._write(self._follower.form.entry(position, envelope))

    def finish(self, until: int) -> Piece:
        """Return the piece up to a position."""
        self._open(before=until + 1)
        return Piece(until, b"".join(self._written))

    def _open(self, before: int) -> None:
        while self._openings and self._openings[0].position < before:
            opening = self._openings.popleft()
            if self._follower.follows(opening.stream):
                self._write(self._follower.form.opened(opening.table, opening.deal))

    def _write(self, content: bytes) -> None:
        self._written.append(content)
        self._size += len(content)


def backfill(
    store: LogStore, visible: VisibleHead, after: int, follower: Follower, openings: Sequence[Opening] = ()
) -> Piece:
    """Return the next piece after a position from the ledger, as visible now. `openings`: those buffered after it."""
    seen = RedactedStore(store, visible, follower.view)
    head = visible.head.position
    writer = PieceWriter(follower, list(openings))
    last, count = after, 0
    for row in islice(_rows(store, seen, after, head, follower), ENTRIES):
        writer.entry(row.position, seen_envelope(row))
        last, count = row.position, count + 1
        if writer.is_enough:
            return writer.finish(last)
    return writer.finish(last if count == ENTRIES else _looked_at(after, head, follower))


def _rows(store: LogStore, seen: RedactedStore, after: int, head: int, follower: Follower) -> Iterable[Row]:
    if follower.streams is None:
        return seen.read(after, _looked_at(after, head, follower))
    return merge(*(_behind(store, seen, stream, after) for stream in follower.streams), key=lambda row: row.position)


def _looked_at(after: int, head: int, follower: Follower) -> int:
    """Return how far to read at once: not all of a ledger for a table without entries there."""
    return head if follower.streams is not None else min(head, after + ENTRIES)


def _behind(store: LogStore, seen: RedactedStore, stream: str, after: int) -> Iterable[Row]:
    version = len(store.read_stream(stream, until_position=after, verified=False)) if after else 0
    return seen.read_stream(stream, version)


def opened_meanwhile(store: LogStore, visible: VisibleHead, since: int, follower: Follower) -> list[Opening]:
    """Return the deals that were open before the entry `since` and are not any more.

    A client that received the entry `since` may have missed that a deal opened with it.
    """
    openings = []
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
            openings += [Opening(since, TABLE.slug(stream), deal) for deal in shown]
    return openings


def _gone_on(store: LogStore, since: int, until: int) -> list[str]:
    """Return the streams with entries from a position on."""
    if until - since < ENTRIES:
        return list(dict.fromkeys(row.stream for row in store.read(since - 1, until, verified=False)))
    return [head.stream for head in store.streams() if head.last_position >= since]
