"""A ledger in memory, for tests, simulations and experiments; its entries are lost when the program ends.

No other program can alter its entries, so reading verifies none.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from threading import RLock
from typing import Self

from ledger.errors import LedgerError, UnreadableError
from ledger.events import Envelope
from ledger.log.append_rules import (
    admit,
    admit_each,
    admit_envelopes,
    canonical_id,
    prepare,
    prepare_each,
    recorder_name,
    timestamp,
)
from ledger.log.base import (
    EMPTY,
    Acknowledgement,
    AppendRequest,
    Batch,
    Clock,
    Head,
    LogStore,
    PreparedBatch,
    Row,
    StreamHead,
    utc_now,
)
from ledger.log.catalogue import phrase
from ledger.log.people import People


class MemoryStore(LogStore):
    """A ledger in memory."""

    def __init__(self, *, clock: Clock = utc_now, handles: bool = False) -> None:
        self._clock = clock
        self._has_handles = handles
        self._turn = RLock()
        self._is_closed = False
        self._people = People()
        self._names_version = 0
        self._rows: list[Row] = []
        self._by_stream: dict[str, list[Row]] = {}
        self._by_id: dict[str, Row] = {}

    @classmethod
    def of_rows(cls, rows: Iterable[Row]) -> Self:
        """Return a store with some streams of another one, for `read_stream` and `streams` only."""
        store = cls()
        store._take(rows)
        return store

    @property
    def address(self) -> None:
        return None

    @property
    def ledger_id(self) -> None:
        return None

    @property
    def has_handles(self) -> bool:
        return self._has_handles

    def append_all(self, batches: Sequence[Batch], *, recorded_by: str) -> list[Acknowledgement]:
        if not batches:
            return []
        prepared, name = prepare(batches, recorded_by)
        with self._opened():
            rows, acknowledgements = admit(prepared, name, timestamp(self._clock()), self)
            self._take(rows)
            return acknowledgements

    def append_group(self, requests: Sequence[AppendRequest]) -> list[list[Acknowledgement] | LedgerError]:
        prepared = prepare_each(requests)
        with self._opened():
            return admit_each(prepared, self._clock, self, self._take)

    def append_prepared(self, groups: Iterable[Sequence[PreparedBatch]], *, recorded_by: str) -> None:
        name = recorder_name(recorded_by)
        with self._opened():
            moment = timestamp(self._clock())
            self._take_all(admit(batches, name, moment, self)[0] for batches in groups)

    def append_envelopes(self, envelopes: Iterable[Envelope]) -> Head:
        with self._opened():
            self._take_all(admit_envelopes(envelopes, self))
            return self.head()

    def read(self, after: int = 0, until: int | None = None, *, verified: bool = True) -> Iterator[Row]:
        with self._opened():
            rows = self._rows[max(after, 0) : until if until is None else max(until, 0)]
        yield from rows

    def read_stream(
        self, stream: str, after_version: int = 0, until_position: int | None = None, *, verified: bool = True
    ) -> list[Row]:
        with self._opened():
            rows = self._by_stream.get(stream, [])[max(after_version, 0) :]
        return rows if until_position is None else [row for row in rows if row.position <= until_position]

    def streams(self, prefix: str = "") -> list[StreamHead]:
        with self._opened():
            lasts = [rows[-1] for rows in self._by_stream.values()]
        return [StreamHead(row.stream, row.version, row.position) for row in lasts if row.stream.startswith(prefix)]

    def head(self) -> Head:
        with self._opened():
            return Head(self._rows[-1].position, self._rows[-1].digest) if self._rows else EMPTY

    def known_ids(self, ids: Iterable[str]) -> dict[str, Row]:
        with self._opened():
            return self.recorded([canonical_id(id) for id in ids])

    def people(self) -> People:
        with self._opened():
            return self._people

    def names_version(self) -> int:
        with self._opened():
            return self._names_version

    def _change_people(self, change: Callable[[People], People]) -> None:
        with self._opened():
            self._people = change(self._people)
            self._names_version += 1

    def close(self) -> None:
        self._is_closed = True

    def _opened(self) -> AbstractContextManager[object]:
        """Return the lock that keeps other threads out. Raise `UnreadableError` if the store is closed."""
        if self._is_closed:
            raise UnreadableError("closed", phrase("closed"))
        return self._turn

    # As `LedgerState` of the rules of appending

    def version_of(self, stream: str) -> int:
        """Return the last version of a stream, 0 for an unknown one."""
        return len(self._by_stream.get(stream, ()))

    def recorded(self, ids: Collection[str]) -> dict[str, Row]:
        """Return the recorded entries with these ids, by id."""
        return {id: self._by_id[id] for id in ids if id in self._by_id}

    def _take(self, rows: Iterable[Row]) -> None:
        for row in rows:
            self._rows.append(row)
            self._by_stream.setdefault(row.stream, []).append(row)
            self._by_id[row.id] = row

    def _take_all(self, groups: Iterable[Iterable[Row]]) -> None:
        """Store all groups, or none if computing one of them fails."""
        before = len(self._rows)
        try:
            for rows in groups:
                self._take(rows)
        except BaseException:
            while len(self._rows) > before:
                row = self._rows.pop()
                del self._by_id[row.id]
                self._by_stream[row.stream].pop()
                if not self._by_stream[row.stream]:
                    del self._by_stream[row.stream]
            raise
