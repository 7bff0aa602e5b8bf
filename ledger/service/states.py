"""The states of tables and sessions that the writer keeps between commands, and what it publishes.

States advance as soon as a command is decided, so that the next one of the same commit is decided after it; nobody else
sees them. States whose entries could not be committed are dropped.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Final

from msgspec import Struct, structs

from ledger.events import TableOpened
from ledger.log.base import Batch, Head, LogStore, Row
from ledger.log.durable import ServedStore
from ledger.recording.commands import States
from ledger.recording.live import LiveTable
from ledger.recording.stream_checks import stored_validator
from ledger.recording.validator import StreamValidator
from ledger.service.visibility import HiddenFrom, VisibleHead, hidden_from, redaction_of
from ledger.streams import TABLE
from ledger.table.hiding import deals_shown

TABLES: Final = 256
"""The number of tables that are kept between commands."""


_LAST: Final = (1 << 63) - 1
"""A position beyond all others; asking for it saves the query for the head."""


class Published(Struct, frozen=True, kw_only=True):
    """Entries recorded by anybody since the last publication, and the deals that opened for everybody with them."""

    rows: Sequence[Row]
    visible: VisibleHead
    opened: Sequence[tuple[str, int]] = ()


class ServedStates(States):
    """The states of one ledger, in one thread.

    `is_level`: the tables are known to match the ledger. `visible`: the visible head. `publish` takes in new entries of
    the ledger and renews `visible`.
    """

    def __init__(self, store: ServedStore, visible: VisibleHead, publish: Callable[[], None]) -> None:
        self.store = store
        self.visible = visible
        self.is_level = False
        self.touched: set[str] = set()
        self._publish = publish
        self._tables: OrderedDict[str, LiveTable] = OrderedDict()
        self._others: dict[str, StreamValidator] = {}

    def begin(self, *, is_again: bool) -> None:
        self.touched.clear()
        self._others.clear()  # read again for each commit: they are short and seldom change
        if is_again:
            self._publish()

    def alone(self) -> AbstractContextManager[None]:
        return self.store.alone()

    def move(self, batch: Batch, by: str) -> None:
        if not TABLE.has(batch.stream):
            validator = self.validator(batch.stream)
            for entry in batch.entries:
                validator.take(entry.event)
            return
        slug = TABLE.slug(batch.stream)
        entries = batch.entries
        first = entries[0].event
        if batch.expected_version == 0 and isinstance(first, TableOpened):
            self._tables[slug] = LiveTable.begun(self.store, slug, first)
            entries = entries[1:]
        self.touched.add(slug)
        self.table(slug).take_up(Batch(batch.stream, "any", entries), by)

    def drop(self, streams: Iterable[str]) -> None:
        for stream in streams:
            if TABLE.has(stream):
                self._tables.pop(TABLE.slug(stream), None)
            else:
                self._others.pop(stream, None)

    def forget(self) -> None:
        """Drop all tables."""
        self._tables.clear()

    def has(self, stream: str) -> bool:
        """Return whether a table exists in the ledger or in the commit that is being prepared."""
        return TABLE.slug(stream) in self._tables or bool(self.store.read_stream(stream, 0, None)[:1])

    def table(self, slug: str, *, is_level: bool = False) -> LiveTable:
        """Return a table as the ledger holds it, including the commands of this commit.

        `is_level`: skip the comparison with the ledger. Raise `NotFoundError`, which names the known tables.
        """
        table = self._tables.get(slug)
        if table is None:
            table = self._tables[slug] = LiveTable.resume(self.store, slug)
            while len(self._tables) > TABLES:
                oldest = next((name for name in self._tables if name not in self.touched and name != slug), None)
                if oldest is None:
                    break  # one command may touch more
                del self._tables[oldest]
        elif not (self.is_level or is_level) and slug not in self.touched:
            table.catch_up()
        self._tables.move_to_end(slug)
        return table

    def validator(self, stream: str) -> StreamValidator:
        """Return the validator of a stream that is not a table, without entries where the stream is new."""
        validator = self._others.get(stream)
        if validator is None:
            validator = self._others[stream] = stored_validator(self.store, stream)
        return validator


def news_of(states: ServedStates, visible: VisibleHead) -> Published | None:
    """Return the entries recorded and names changed after `visible`; None if there are none."""
    store = states.store
    rows = list(store.read(visible.head.position, _LAST))
    names = store.names_version()
    persons = visible.persons if names == visible.names else store.people().persons()
    if not rows:
        renamed = structs.replace(visible, names=names, persons=persons)
        return None if names == visible.names else Published(rows=(), visible=renamed)
    hidden = dict(visible.hidden)
    opened: list[tuple[str, int]] = []
    last = {row.stream: row.version for row in rows if redaction_of(row.stream) is not None}
    for stream, version in last.items():
        before = hidden.pop(stream, None)
        try:
            now, shown = (
                _of_table(states, stream, version, before)
                if TABLE.has(stream)
                else (hidden_from(store.read_stream(stream)), range(0))
            )
        except Exception:  # an invalid record or a failing game is reported to its readers
            states.drop([stream])
            first = next(row for row in rows if row.stream == stream)
            hidden[stream] = before or HiddenFrom.unread(first)
            continue
        if now is not None:
            hidden[stream] = now
        opened += [(TABLE.slug(stream), deal) for deal in shown]
    head = Head(rows[-1].position, rows[-1].digest)
    return Published(rows=rows, visible=VisibleHead(head, hidden, names, persons), opened=opened)


def _of_table(
    states: ServedStates, stream: str, version: int, before: HiddenFrom | None
) -> tuple[HiddenFrom | None, range]:
    """Return what is hidden of a table now, and the deals that have opened."""
    slug = TABLE.slug(stream)
    table = states.table(slug, is_level=True)
    if table.version < version:
        table.catch_up()
    now = _hidden_from(states.store, table, before)
    if before is None or (now is not None and now.version <= before.version):
        return now, range(0)
    last = table.fold.deals[-1].number if table.fold.deals else 0
    return now, deals_shown(before.deal, None if now is None else now.deal, last)


def _hidden_from(store: LogStore, table: LiveTable, before: HiddenFrom | None) -> HiddenFrom | None:
    """Return what is hidden of a table; `before`: the previous result."""
    hidden = table.hidden
    if hidden is None or (before is not None and before == HiddenFrom.of(hidden, before.position)):
        return None if hidden is None else before
    return HiddenFrom.of(hidden, store.read_stream(table.stream, hidden.version - 1)[0].position)
