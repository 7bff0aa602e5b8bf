"""A ledger in memory, for tests, simulations and trying things out: it forgets everything when the program ends.

Nobody else can alter its entries, so reading verifies none.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from threading import RLock

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
    Batch,
    Clock,
    Head,
    LogStore,
    PreparedBatch,
    Request,
    Row,
    StreamHead,
    utc_now,
)
from ledger.log.people import People
from ledger.log.words import phrase


class MemoryStore(LogStore):
    """A ledger in memory."""

    def __init__(self, *, clock: Clock = utc_now) -> None:
        self._clock = clock
        self._ledger = _Ledger()
        self._turn = RLock()
        self._is_closed = False

    @property
    def address(self) -> None:
        return None

    @property
    def ledger_id(self) -> None:
        return None

    def append_all(self, batches: Sequence[Batch], *, recorded_by: str) -> list[Acknowledgement]:
        if not batches:
            return []
        prepared, name = prepare(batches, recorded_by)
        with self._turn:
            ledger = self._opened()
            rows, acknowledgements = admit(prepared, name, timestamp(self._clock()), ledger)
            ledger.take(rows)
            return acknowledgements

    def append_group(self, requests: Sequence[Request]) -> list[list[Acknowledgement] | LedgerError]:
        prepared = prepare_each(requests)
        with self._turn:
            ledger = self._opened()
            return admit_each(prepared, self._clock, ledger, ledger.take)

    def append_prepared(self, groups: Iterable[Sequence[PreparedBatch]], *, recorded_by: str) -> None:
        name = recorder_name(recorded_by)
        with self._turn:
            ledger, moment = self._opened(), timestamp(self._clock())
            ledger.take_all(admit(batches, name, moment, ledger)[0] for batches in groups)

    def append_envelopes(self, envelopes: Iterable[Envelope]) -> Head:
        with self._turn:
            ledger = self._opened()
            ledger.take_all(admit_envelopes(envelopes, ledger))
            return ledger.head()

    def read(self, after: int = 0, until: int | None = None, *, verified: bool = True) -> Iterator[Row]:
        with self._turn:
            rows = self._opened().rows[max(after, 0) : until if until is None else max(until, 0)]
        yield from rows

    def read_stream(
        self, stream: str, after_version: int = 0, until_position: int | None = None, *, verified: bool = True
    ) -> list[Row]:
        with self._turn:
            rows = self._opened().by_stream.get(stream, [])[max(after_version, 0) :]
        return rows if until_position is None else [row for row in rows if row.position <= until_position]

    def streams(self, prefix: str = "") -> list[StreamHead]:
        with self._turn:
            lasts = [rows[-1] for rows in self._opened().by_stream.values()]
        return [StreamHead(row.stream, row.version, row.position) for row in lasts if row.stream.startswith(prefix)]

    def head(self) -> Head:
        with self._turn:
            return self._opened().head()

    def known_ids(self, ids: Iterable[str]) -> dict[str, Row]:
        with self._turn:
            return self._opened().recorded([canonical_id(id) for id in ids])

    def people(self) -> People:
        with self._turn:
            return self._opened().people

    def names_version(self) -> int:
        with self._turn:
            return self._opened().names_version

    def _change_people(self, change: Callable[[People], People]) -> None:
        with self._turn:
            ledger = self._opened()
            ledger.people = change(ledger.people)
            ledger.names_version += 1

    def close(self) -> None:
        self._is_closed = True

    def _opened(self) -> _Ledger:
        if self._is_closed:
            raise UnreadableError("closed", phrase("closed"))
        return self._ledger


class _Ledger:
    """The entries and their indexes, and beside them who is who."""

    def __init__(self) -> None:
        self.people = People()
        self.names_version = 0
        self.rows: list[Row] = []
        self.by_stream: dict[str, list[Row]] = {}
        self._by_id: dict[str, Row] = {}

    def head(self) -> Head:
        return Head(self.rows[-1].position, self.rows[-1].digest) if self.rows else EMPTY

    def version_of(self, stream: str) -> int:
        return len(self.by_stream.get(stream, ()))

    def recorded(self, ids: Collection[str]) -> dict[str, Row]:
        return {id: self._by_id[id] for id in ids if id in self._by_id}

    def take(self, rows: Iterable[Row]) -> None:
        for row in rows:
            self.rows.append(row)
            self.by_stream.setdefault(row.stream, []).append(row)
            self._by_id[row.id] = row

    def take_all(self, groups: Iterable[Iterable[Row]]) -> None:
        """Take all groups, or none where making one of them fails."""
        before = len(self.rows)
        try:
            for rows in groups:
                self.take(rows)
        except BaseException:
            self._forget_after(before)
            raise

    def _forget_after(self, position: int) -> None:
        while len(self.rows) > position:
            row = self.rows.pop()
            del self._by_id[row.id]
            self.by_stream[row.stream].pop()
            if not self.by_stream[row.stream]:
                del self.by_stream[row.stream]
