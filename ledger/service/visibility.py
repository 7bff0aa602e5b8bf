"""Who may see what of a ledger: up to which entry, and the entries of open deals without what is hidden from them.

What answers for the ledger reads it through here, so that nothing that is hidden reaches any answer.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Self

from msgspec import Struct, structs

from ledger.events import Event, encode_event
from ledger.log.base import Head, LogStore, Row, StreamHead
from ledger.log.people import People
from ledger.streams import TABLE, load_packages
from ledger.table.corrections import Entry
from ledger.table.hiding import hidden_in
from ledger.table.redaction import Hidden, Viewer, is_hidden, redacted

NO_DIGEST: Final = b""
"""In the place of a digest that is not told: small contents could be guessed and checked."""


class Redaction(Struct, frozen=True):
    """How a kind of stream hides what not everybody may see. Pure.

    `hidden_in`: what is hidden after all entries of a stream; `redacted`: the event of an entry as somebody may see it;
    `is_hidden`: whether nobody else may know of an entry by its id.
    """

    hidden_in: Callable[[Sequence[Entry]], Hidden | None]
    redacted: Callable[[Entry, Hidden | None, Viewer], Event]
    is_hidden: Callable[[int, Event, Hidden | None], bool]


REDACTIONS: Final[dict[str, Redaction]] = {
    TABLE.name: Redaction(hidden_in, redacted, is_hidden),
}
"""The registry by the names of kinds; nothing of other kinds is hidden."""


def redaction_of(stream: str) -> Redaction | None:
    """Return how a stream is redacted; None where nothing of it is ever hidden."""
    return REDACTIONS.get(stream.partition("/")[0])


class HiddenFrom(Hidden, frozen=True):
    """What of a table is hidden, and at which `position` of the log the entry `version` stands."""

    position: int

    @classmethod
    def of(cls, hidden: Hidden, position: int) -> Self:
        return cls(hidden.version, hidden.place, hidden.deal, position)

    @classmethod
    def unread(cls, first: Row) -> Self:
        """All from this entry of a table on that cannot be read: what of it is open to all is not known."""
        return cls(first.version, 1, 1, first.position)


class VisibleHead(Struct, frozen=True):
    """`head`: the last entry that is served. `hidden`: of each table with an open deal, by stream (`table/fri-1`).

    `names` counts the changes of who is who, `persons`: for whom each linked spelling is taken.
    """

    head: Head
    hidden: Mapping[str, HiddenFrom]
    names: int = 0
    persons: Mapping[str, str] = {}

    @property
    def reaches(self) -> int:
        """The position before the first hidden entry of any open deal; that of the head where there is none."""
        return min((hidden.position - 1 for hidden in self.hidden.values()), default=self.head.position)


def visible_head(store: LogStore, names: int = 0) -> VisibleHead:
    """As the ledger stands, read stream by stream; what is recorded meanwhile is left out."""
    load_packages()
    head = store.head()
    hidden = {}
    for name in REDACTIONS:
        for one in store.streams(f"{name}/"):
            rows = store.read_stream(one.stream, until_position=head.position, verified=False)  # sound ones are served
            try:
                hidden_here = hidden_from(rows)
            except Exception:  # a game that is not installed, or fails: whoever reads the table is told
                hidden_here = HiddenFrom.unread(rows[0])
            if hidden_here is not None:
                hidden[one.stream] = hidden_here
    return VisibleHead(head, hidden, names, store.people().persons())


def hidden_from(rows: Sequence[Row]) -> HiddenFrom | None:
    """Return from which of these rows, all of a stream, something is hidden; None where nothing is."""
    redaction = redaction_of(rows[0].stream) if rows else None
    if redaction is None:
        return None
    hidden = redaction.hidden_in([(row.version, row.event()) for row in rows])
    return None if hidden is None else HiddenFrom.of(hidden, rows[hidden.version - 1].position)


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
        """Whether a stream is there for him; what is no table is for everybody."""
        return self.tables is None or not TABLE.has(stream) or TABLE.slug(stream) in self.tables


def seen_envelope(row: Row) -> bytes:
    """The entry as JSON in the form of the contract, `digest` null where it is not told."""
    if row.digest:
        return row.line()
    return b'%b,"digest":null}' % row.canonical()[:-1]


class Sight:
    """What somebody sees of single entries, up to the visible head."""

    def __init__(self, visible: VisibleHead, view: View) -> None:
        self._visible = visible
        self._view = view
        self._hidden = {} if view.hands else visible.hidden
        self._reaches = visible.head.position if view.hands else visible.reaches

    def seen(self, row: Row) -> Row:
        """The entry as it may be seen; one before everything hidden is answered as it is."""
        if row.position <= self._reaches:
            return row
        hidden = self._hidden.get(row.stream)
        payload = row.payload if hidden is None or row.version < hidden.version else self._redacted(row, hidden)
        return structs.replace(row, payload=payload, digest=NO_DIGEST)

    def _redacted(self, row: Row, hidden: HiddenFrom) -> bytes:
        event, seat, redaction = row.event(), self._view.seat, redaction_of(row.stream)
        assert redaction is not None, "only streams with a redaction are hidden"
        own = seat[1] if seat is not None and TABLE.stream(TABLE.slug(seat[0])) == row.stream else None
        shown = redaction.redacted((row.version, event), hidden, Viewer(own, self._is_writer(row)))
        return row.payload if shown is event else encode_event(shown)

    def _is_writer(self, row: Row) -> bool:
        return self._view.writer != "" and row.recorded_by == self._view.writer


class RedactedStore(Sight, LogStore):
    """A ledger up to the visible head, as somebody sees it; to be read alone."""

    def __init__(self, store: LogStore, visible: VisibleHead, view: View) -> None:
        super().__init__(visible, view)
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
        last = self._visible.head.position
        now = self._store.streams(prefix)
        heads = (head if head.last_position <= last else self._head_of(head.stream) for head in now)
        return [head for head in heads if head is not None and self._view.sees(head.stream)]

    def _head_of(self, stream: str) -> StreamHead | None:
        """The last visible entry of a stream that goes on behind the visible head."""
        rows = self._store.read_stream(stream, until_position=self._visible.head.position)
        return StreamHead(stream, rows[-1].version, rows[-1].position) if rows else None

    def head(self) -> Head:
        head = self._visible.head
        return head if head.position <= self._reaches else Head(head.position, NO_DIGEST)

    def known_ids(self, ids: Iterable[str]) -> dict[str, Row]:
        """As of any store, but the id of a hidden entry is known only to its writer."""
        rows = self._store.known_ids(ids)
        return {
            id: self.seen(row) for id, row in rows.items() if self._view.sees(row.stream) and not self.hides_id(row)
        }

    def hides_id(self, row: Row) -> bool:
        """Whether nobody but the writer of this entry may hear of it by its id."""
        if self._is_writer(row):
            return False
        if row.position > self._visible.head.position:
            return True
        hidden, redaction = self._visible.hidden.get(row.stream), redaction_of(row.stream)
        if hidden is None or redaction is None:
            return False
        return redaction.is_hidden(row.version, row.event(), hidden)

    def people(self) -> People:
        return self._store.people()

    def names_version(self) -> int:
        return self._visible.names

    def _until(self, position: int | None) -> int:
        last = self._visible.head.position
        return last if position is None else min(position, last)

    # --- recording happens elsewhere ----------------------------------------------------------------------------------

    def _refuse(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError

    append_all = append_group = append_prepared = append_envelopes = _change_people = _refuse

    def close(self) -> None:
        """The ledger stays open: it belongs to somebody else."""
