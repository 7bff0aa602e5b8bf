"""Opening of hands that are still hidden after their deal ended before its last card."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from ledger.events import Event, HandsOpened, SessionClosed, TableClosed, TableOpened
from ledger.log.base import Batch, LogStore, NewEntry, Row
from ledger.recording.adding import Recording
from ledger.recording.commands import Command, Decision, execute
from ledger.streams import SESSION, TABLE
from ledger.table.corrections import Entry
from ledger.table.hiding import hidden_deals_in
from ledger.table.repository import no_table

CLOSINGS: Final = (TableClosed, SessionClosed)
"""The events that open hands: of their table, or of all tables of their session."""


class HiddenDeals(Struct, frozen=True, kw_only=True):
    """The ended deals of a table that are still hidden; `version`: that of the table's last entry."""

    table: str
    session: str | None
    deals: tuple[int, ...]
    version: int


def hidden_deals(store: LogStore, streams: Iterable[str] | None = None) -> Iterator[HiddenDeals]:
    """Yield the ended but hidden deals of each of these tables, or of all; skip tables that cannot be read."""
    for stream in [head.stream for head in store.streams(TABLE.prefix)] if streams is None else streams:
        if (deals := _hidden_deals(store, stream)) is not None:
            yield deals


class OpenHands(Command[list[HiddenDeals]], frozen=True, kw_only=True):
    """The command that opens hands at the named tables, or at all tables that can be read."""

    store: LogStore
    tables: Sequence[str]
    dry_run: bool

    def decide(self, states: object, known: Mapping[str, Row]) -> Decision[list[HiddenDeals]]:
        """Decide which hands are opened. Raise the error of reading a named table."""
        hidden = [] if self.tables else list(hidden_deals(self.store))
        for table in self.tables:
            stream = TABLE.stream(TABLE.slug(table))
            if not self.store.read_stream(stream):
                raise no_table(self.store, table)
            if (deals := _hidden_deals(self.store, stream, must_be_readable=True)) is not None:
                hidden.append(deals)
        if not self.dry_run:
            yield from _batches(hidden)
        return lambda _: hidden


def open_hands(store: LogStore, tables: Sequence[str] = (), *, recording: Recording) -> list[HiddenDeals]:
    """Show everybody the hands of ended deals, and return the affected tables.

    `tables`: only these; all by default. Raise `NotFoundError` for an unknown table.
    """
    return execute(store, OpenHands(by=recording.by, store=store, tables=tables, dry_run=recording.dry_run))


def opening_after(
    store: LogStore,
    closed: Collection[str],
    versions: Mapping[str, int] = {},
    added: Callable[[str], Iterable[Event]] = lambda stream: (),
) -> list[Batch]:
    """Return the batches that open hands after new entries have closed these tables or sessions.

    `versions`: the version of each stream before its new entries; `added` returns the new events of a stream.
    """
    sessions = {SESSION.slug(stream) for stream in closed if SESSION.has(stream)}
    recorded = [head.stream for head in store.streams(TABLE.prefix)] if sessions else []
    tables = dict.fromkeys((*recorded, *versions)) if sessions else closed
    hidden = []
    for stream in tables:
        if not TABLE.has(stream):
            continue
        deals = _hidden_deals(store, stream, added(stream) if stream in versions else ())
        if deals is not None and (stream in closed or deals.session in sessions):
            hidden.append(deals)
    return _batches(hidden)


def _hidden_deals(
    store: LogStore, stream: str, added: Iterable[Event] = (), must_be_readable: bool = False
) -> HiddenDeals | None:
    try:
        entries: list[Entry] = [(row.version, row.event()) for row in store.read_stream(stream)]
        entries += enumerate(added, len(entries) + 1)
        deals = hidden_deals_in(entries)
    except Exception:  # damaged, or its game is not installed; reading the table shows the error
        if must_be_readable:
            raise
        return None
    if not deals:
        return None
    opened = entries[0][1]
    session = opened.session if isinstance(opened, TableOpened) else None
    return HiddenDeals(table=TABLE.slug(stream), session=session, deals=tuple(deals), version=len(entries))


def _batches(hidden: Iterable[HiddenDeals]) -> list[Batch]:
    return [
        Batch(TABLE.stream(one.table), one.version, tuple(NewEntry(HandsOpened(deal=deal)) for deal in one.deals))
        for one in hidden
    ]
