"""Visibility: how far a ledger may be read, and entries of open deals without their hidden contents.

All answers read the ledger through here, so that nothing hidden reaches them.
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
"""The placeholder for a hidden digest; small contents could be guessed and checked by it."""


class Redaction(Struct, frozen=True):
    """The way a kind of stream hides contents. Pure.

    `hidden_in` returns what is hidden after all entries of a stream; `redacted` returns the event of an entry as a
    client may see it; `is_hidden` returns whether nobody else may know the id of an entry.
    """

    hidden_in: Callable[[Sequence[Entry]], Hidden | None]
    redacted: Callable[[Entry, Hidden | None, Viewer], Event]
    is_hidden: Callable[[int, Event, Hidden | None], bool]


REDACTIONS: Final[dict[str, Redaction]] = {
    TABLE.name: Redaction(hidden_in, redacted, is_hidden),
}
"""Redactions by kind of stream; other kinds hide nothing."""


def redaction_of(stream: str) -> Redaction | None:
    """Return the redaction of a stream; None if it never hides anything."""
    return REDACTIONS.get(stream.partition("/")[0])


class HiddenFrom(Hidden, frozen=True):
    """The hidden part of a table. `position`: the log position of the entry `version`."""

    position: int

    @classmethod
    def of(cls, hidden: Hidden, position: int) -> Self:
        """Return the hidden part with its log position."""
        return cls(hidden.version, hidden.place, hidden.deal, position)

    @classmethod
    def unread(cls, first: Row) -> Self:
        """Return everything from this entry on as hidden, for a table that cannot be read."""
        return cls(first.version, 1, 1, first.position)


class VisibleHead(Struct, frozen=True):
    """The extent of what is served. `head`: the last entry. `hidden`: the hidden parts of tables with open deals, by
    stream (e.g. `table/fri-1`).

    `names` counts the changes of names and links; `persons`: the person of each linked spelling.
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
    """Return the visible head of a ledger, read stream by stream; entries recorded meanwhile are left out."""
    load_packages()
    head = store.head()
    hidden = {}
    for name in REDACTIONS:
        for one in store.streams(f"{name}/"):
            rows = store.read_stream(
                one.stream, until_position=head.position, verified=False
            )  # a damaged stream must not keep the others from being served
            try:
                hidden_here = hidden_from(rows)
            except Exception:  # a missing or failing game is reported to readers of the table
                hidden_here = HiddenFrom.unread(rows[0])
            if hidden_here is not None:
                hidden[one.stream] = hidden_here
    return VisibleHead(head, hidden, names, store.people().persons())


def hidden_from(rows: Sequence[Row]) -> HiddenFrom | None:
    """Return the hidden part of a stream, given all its rows; None if nothing is hidden."""
    redaction = redaction_of(rows[0].stream) if rows else None
    if redaction is None:
        return None
    hidden = redaction.hidden_in([(row.version, row.event()) for row in rows])
    return None if hidden is None else HiddenFrom.of(hidden, rows[hidden.version - 1].position)


class View(Struct, frozen=True):
    """The view of one client. `hands`: all cards and texts of open deals. `writer`: the client as recorder, empty for
    one that may record nothing.

    `seat`: the table and seat whose own cards are requested, if the client may see them. `tables`: the slugs of the
    visible tables; None means all.
    """

    hands: bool = False
    writer: str = ""
    seat: tuple[str, int] | None = None
    tables: tuple[str, ...] | None = None

    def sees(self, stream: str) -> bool:
        """Return whether a stream is visible; streams that are not tables are visible to everybody."""
        return self.tables is None or not TABLE.has(stream) or TABLE.slug(stream) in self.tables


def seen_envelope(row: Row) -> bytes:
    """Return an entry as JSON in the format of the contract, with a null `digest` where it is hidden."""
    if row.digest:
        return row.line()
    return b'%b,"digest":null}' % row.canonical()[:-1]


class RowRedactor:
    """The redaction of single entries for a view, up to the visible head."""

    def __init__(self, visible: VisibleHead, view: View) -> None:
        self._visible = visible
        self._view = view
        self._hidden = {} if view.hands else visible.hidden
        self._reaches = visible.head.position if view.hands else visible.reaches

    def seen(self, row: Row) -> Row:
        """Return an entry as visible; an entry before everything hidden is returned unchanged."""
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


class RedactedStore(RowRedactor, LogStore):
    """A read-only ledger up to the visible head, as a view sees it."""

    def __init__(self, store: LogStore, visible: VisibleHead, view: View) -> None:
        super().__init__(visible, view)
        self._store = store

    @property
    def address(self) -> None:
        """None, because opening the ledger by its address would show everything."""

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
        """Return the last visible entry of a stream that continues after the visible head."""
        rows = self._store.read_stream(stream, until_position=self._visible.head.position)
        return StreamHead(stream, rows[-1].version, rows[-1].position) if rows else None

    def head(self) -> Head:
        head = self._visible.head
        return head if head.position <= self._reaches else Head(head.position, NO_DIGEST)

    def known_ids(self, ids: Iterable[str]) -> dict[str, Row]:
        """Return the rows with these ids; the id of a hidden entry is known only to its writer."""
        rows = self._store.known_ids(ids)
        return {
            id: self.seen(row) for id, row in rows.items() if self._view.sees(row.stream) and not self.hides_id(row)
        }

    def hides_id(self, row: Row) -> bool:
        """Return whether only the writer of this entry may know its id."""
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

    @property
    def has_handles(self) -> bool:
        return self._store.has_handles

    def handles_of(self, names: Iterable[str], *, creates: bool = True) -> dict[str, str]:
        return self._store.handles_of(names, creates=creates)

    def recorder(self, name: str, *, creates: bool = True) -> str:
        """Return the name unchanged: the grants of clients have handles already."""
        return name

    def names_version(self) -> int:
        return self._visible.names

    def _until(self, position: int | None) -> int:
        last = self._visible.head.position
        return last if position is None else min(position, last)

    def _refuse(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError

    append_all = append_group = append_prepared = append_envelopes = _change_people = _refuse

    def close(self) -> None:
        """Do nothing: the ledger belongs to its opener."""
