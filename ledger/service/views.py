"""A ledger as somebody may see it: the entries of open deals without what is hidden from him.

What answers for the ledger reads it through here, so that nothing that is hidden reaches any answer.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from threading import Event as Signal
from types import TracebackType
from typing import Any, Final, Self

from msgspec import Struct, structs

from ledger.events import encode_event
from ledger.log.base import Head, LogStore, Row, StreamHead
from ledger.log.following import follow_rows
from ledger.log.people import People
from ledger.service.horizon import HiddenFrom, Horizon
from ledger.table.lookup import TABLE_PREFIX, slug_of
from ledger.table.redaction import Onlooker, is_hidden, redacted

NO_DIGEST: Final = b""
"""In the place of a digest that is not told: small contents could be guessed and checked."""


class View(Struct, frozen=True):
    """What somebody may see. `hands`: all cards and texts of open deals. `writer`: who asks, as `recorded_by` in what
    they record; empty where they may record nothing.

    `seat`: the table by its slug and the seat whose own cards are asked for, by who may see them. `tables`: the slugs
    of those that there are for him; None: all.
    """

    hands: bool = False
    writer: str = ""
    seat: tuple[str, int] | None = None
    tables: tuple[str, ...] | None = None

    def sees(self, stream: str) -> bool:
        """Whether a stream is there for him; a session is for everybody."""
        return self.tables is None or not stream.startswith(TABLE_PREFIX) or slug_of(stream) in self.tables


def seen_envelope(row: Row) -> bytes:
    """The entry as JSON in the form of the contract, `digest` null where it is not told."""
    if row.digest:
        return row.line()
    return b'%b,"digest":null}' % row.canonical()[:-1]


class Sight:
    """What somebody sees of single entries, as far as a horizon reaches."""

    def __init__(self, horizon: Horizon, view: View) -> None:
        self._horizon = horizon
        self._view = view
        self._hidden = {} if view.hands else horizon.hidden
        self._reaches = horizon.head.position if view.hands else horizon.reaches

    def seen(self, row: Row) -> Row:
        """The entry as it may be seen; one before everything hidden is answered as it is."""
        if row.position <= self._reaches:
            return row
        hidden = self._hidden.get(row.stream)
        payload = row.payload if hidden is None or row.version < hidden.version else self._redacted(row, hidden)
        return structs.replace(row, payload=payload, digest=NO_DIGEST)

    def _redacted(self, row: Row, hidden: HiddenFrom) -> bytes:
        event = row.event()
        shown = redacted((row.version, event), hidden.hidden, self._eyes(row))
        return row.payload if shown is event else encode_event(shown)

    def _eyes(self, row: Row) -> Onlooker:
        seat = self._view.seat
        own = seat[1] if seat is not None and slug_of(seat[0]) == slug_of(row.stream) else None
        return Onlooker(own, self._is_writer(row))

    def _is_writer(self, row: Row) -> bool:
        return self._view.writer != "" and row.recorded_by == self._view.writer


class SeenStore(Sight):
    """A ledger up to a horizon, as somebody sees it. Fulfils the reading side of `LogStore`; writes raise."""

    def __init__(self, store: LogStore, horizon: Horizon, view: View) -> None:
        super().__init__(horizon, view)
        self._store = store

    @property
    def address(self) -> None:
        """None: whoever opened the ledger by it would see all of it."""

    @property
    def ledger_id(self) -> str | None:
        return self._store.ledger_id

    def read(self, after: int = 0, until: int | None = None, *, verified: bool = True) -> Iterator[Row]:
        rows = self._store.read(after, self._until(until), verified=verified)
        return map(
            self.seen, rows if self._view.tables is None else (row for row in rows if self._view.sees(row.stream))
        )

    def read_stream(
        self, stream: str, after_version: int = 0, until_position: int | None = None, *, verified: bool = True
    ) -> list[Row]:
        if not self._view.sees(stream):
            return []
        rows = self._store.read_stream(stream, after_version, self._until(until_position), verified=verified)
        if not rows or rows[-1].position <= self._reaches:
            return rows
        first = bisect_right(rows, self._reaches, key=lambda row: row.position)
        return [*rows[:first], *map(self.seen, rows[first:])]

    def streams(self, prefix: str = "") -> list[StreamHead]:
        last = self._horizon.head.position
        now = self._store.streams(prefix)
        heads = (head if head.last_position <= last else self._head_of(head.stream) for head in now)
        return [head for head in heads if head is not None and self._view.sees(head.stream)]

    def _head_of(self, stream: str) -> StreamHead | None:
        """The last entry before the horizon of a stream that goes on behind it."""
        rows = self._store.read_stream(stream, until_position=self._horizon.head.position)
        return StreamHead(stream, rows[-1].version, rows[-1].position) if rows else None

    def head(self) -> Head:
        head = self._horizon.head
        return head if head.position <= self._reaches else Head(head.position, NO_DIGEST)

    def known_ids(self, ids: Iterable[str]) -> dict[str, Row]:
        """As of any store, but the id of a hidden entry is known only to its writer."""
        found = self._store.known_ids(ids)
        return {
            id: self.seen(row) for id, row in found.items() if self._view.sees(row.stream) and not self.hides_id(row)
        }

    def hides_id(self, row: Row) -> bool:
        """Whether nobody but the writer of this entry may hear of it by its id."""
        if self._is_writer(row):
            return False
        if row.position > self._horizon.head.position:
            return True
        hidden = self._horizon.hidden.get(row.stream)
        return hidden is not None and is_hidden(row.version, row.event(), hidden.hidden)

    def follow(
        self,
        after: int = 0,
        *,
        poll_seconds: float = 0.2,
        idle_seconds: float | None = None,
        stop: Signal | None = None,
    ) -> Iterator[Row]:
        """The entries up to the horizon, which does not move: then it waits as long as it is told to."""
        return follow_rows(self.read, after, poll_seconds, idle_seconds, stop)

    def people(self) -> People:
        return self._store.people()

    def display_names(self) -> dict[str, str]:
        return self._store.display_names()

    def names_version(self) -> int:
        return self._horizon.names

    def _until(self, position: int | None) -> int:
        last = self._horizon.head.position
        return last if position is None else min(position, last)

    # --- recording happens elsewhere ----------------------------------------------------------------------------------

    def _refuse(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError

    append = append_all = append_group = append_prepared = append_envelopes = _refuse
    set_display_name = erase_display_name = link_player = unlink_player = hide_player = show_player = _refuse

    def close(self) -> None:
        """The ledger stays open: it belongs to somebody else."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
