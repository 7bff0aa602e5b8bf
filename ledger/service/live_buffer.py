"""The entries published last, kept in memory for those who listen: encoded once for all who see them alike."""

from __future__ import annotations

from collections import deque
from itertools import dropwhile
from typing import Final, Protocol

from msgspec import Struct

from ledger.log.base import Row
from ledger.service.states import Published
from ledger.service.visibility import Sight, View, VisibleHead, seen_envelope
from ledger.streams import TABLE

ROWS: Final = 2_048
"""So many entries are kept; whoever is further behind is told from the ledger."""

ROWS_BYTES: Final = 8_000_000
"""So large are their events together at most."""

PIECE_BYTES: Final = 64_000
"""What is sent at once ends with the entry that reaches this size."""

_PIECES: Final = 64
"""So many pieces are kept until the next entries are published; nearly all who listen are at the same place."""

_OPENINGS: Final = 1_000


class Form(Protocol):
    """How what happens is written out for who listens."""

    def entry(self, position: int, envelope: bytes) -> bytes: ...

    def opened(self, table: str, deal: int) -> bytes: ...


class Follower(Struct, frozen=True):
    """What somebody is told of: all that his view has, or of that `streams` alone; and in which form."""

    view: View
    streams: frozenset[str] | None
    form: Form

    def follows(self, stream: str) -> bool:
        return self.view.sees(stream) and (self.streams is None or stream in self.streams)


class Opening(Struct, frozen=True):
    """A deal that opened for everybody with the entry at `position`."""

    position: int
    table: str
    deal: int

    @property
    def stream(self) -> str:
        return TABLE.stream(self.table)


class Told(Struct, frozen=True):
    """What there is to tell, up to a position."""

    until: int
    piece: bytes


class _Kept(Struct):
    row: Row
    envelopes: dict[View, bytes]


class LiveBuffer:
    """Goes along with what is published. Pure; `visible`: how far everybody may see now.

    The entries after the position `begins` are kept; the openings after `knows_openings_from`.
    """

    def __init__(self, visible: VisibleHead) -> None:
        self.visible = visible
        self.begins = self.knows_openings_from = visible.head.position
        self._kept: dict[int, _Kept] = {}
        self._size = 0
        self._openings: deque[Opening] = deque()
        self._pieces: dict[tuple[int, Follower], Told] = {}

    def take(self, published: Published) -> None:
        before, self.visible = self.visible, published.visible
        self._pieces.clear()
        if self.visible.hidden != before.hidden:
            self._forget_as_seen(after=before.reaches)
        for row in published.rows:
            self._kept[row.position] = _Kept(row, {})
            self._size += len(row.payload)
        while len(self._kept) > ROWS or self._size > ROWS_BYTES:
            self.begins += 1
            self._size -= len(self._kept.pop(self.begins).row.payload)
        last = {row.stream: row.position for row in published.rows}
        opened = [Opening(last[TABLE.stream(table)], table, deal) for table, deal in published.opened]
        self._openings += sorted(opened, key=lambda one: one.position)
        while len(self._openings) > _OPENINGS:
            self.knows_openings_from = self._openings.popleft().position

    def _forget_as_seen(self, after: int) -> None:
        """An entry that was hidden may be seen now, and its digest."""
        for position in range(max(after, self.begins) + 1, self.begins + len(self._kept) + 1):
            self._kept[position].envelopes.clear()

    def told(self, after: int, follower: Follower) -> Told:
        """What comes after a position that the buffer reaches back to, as it may be seen now."""
        key = after, follower
        found = self._pieces.get(key)
        if found is None:
            found = self._told(after, follower)
            if len(self._pieces) < _PIECES:
                self._pieces[key] = found
        return found

    def _told(self, after: int, follower: Follower) -> Told:
        writing = Writing(follower, self.openings(after))
        view = follower.view
        shared = View(hands=view.hands)
        for position in range(after + 1, self.visible.head.position + 1):
            kept = self._kept[position]
            if follower.follows(kept.row.stream):
                is_own = not view.hands and kept.row.recorded_by == view.writer
                writing.entry(position, self._envelope(kept, view if is_own else shared))
            if writing.is_enough:
                return writing.told(position)
        return writing.told(self.visible.head.position)

    def _envelope(self, kept: _Kept, view: View) -> bytes:
        found = kept.envelopes.get(view)
        if found is None:
            found = kept.envelopes[view] = seen_envelope(Sight(self.visible, view).seen(kept.row))
        return found

    def openings(self, after: int) -> list[Opening]:
        """The deals that opened behind a position, as far as they are remembered."""
        if not self._openings or self._openings[-1].position <= after:
            return []
        return list(dropwhile(lambda one: one.position <= after, self._openings))


class Writing:
    """Writes out entries, and which deals opened, each behind the entry that opened it."""

    def __init__(self, follower: Follower, openings: list[Opening]) -> None:
        self._follower = follower
        self._openings = deque(openings)
        self._written: list[bytes] = []
        self._size = 0

    @property
    def is_enough(self) -> bool:
        return self._size >= PIECE_BYTES

    def entry(self, position: int, envelope: bytes) -> None:
        self._open(before=position)
        self._write(self._follower.form.entry(position, envelope))

    def told(self, until: int) -> Told:
        self._open(before=until + 1)
        return Told(until, b"".join(self._written))

    def _open(self, before: int) -> None:
        while self._openings and self._openings[0].position < before:
            opening = self._openings.popleft()
            if self._follower.follows(opening.stream):
                self._write(self._follower.form.opened(opening.table, opening.deal))

    def _write(self, piece: bytes) -> None:
        self._written.append(piece)
        self._size += len(piece)
