"""Adds one event to a table that is recorded already (a correction, dispute or ruling), or shows what it would do."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress

from msgspec import Struct

from ledger.errors import ConflictError, MalformedError, in_stream
from ledger.events import Event
from ledger.log.admission import canonical_id, wrong_version
from ledger.log.base import Batch, LogStore, NewEntry, Row
from ledger.recording.admissible import TableSoFar
from ledger.recording.canonical import canonical_event
from ledger.recording.words import phrase
from ledger.table.comparison import Comparison, compared
from ledger.table.corrections import Entry, corrected_reading, with_names
from ledger.table.fold import TableFold
from ledger.table.lookup import TABLE_PREFIX, fold_table, slug_of


class Added(Struct, frozen=True, kw_only=True):
    """An event added to a table, and the table before and after it.

    `version`: the one that it has or would have; `position`, `id`: null where it was not recorded, in a dry run.
    `already_recorded`: it stood in the ledger under this id, and nothing was added.
    """

    table: str
    event: Event
    version: int
    position: int | None
    id: str | None
    already_recorded: bool
    before: TableFold
    after: TableFold


class Addition(Struct, frozen=True, kw_only=True):
    """Answer of `correct`, `dispute` and `ruling`: what was added, and what it changes. Fields as of `Added`."""

    table: str
    version: int
    position: int | None
    id: str | None
    already_recorded: bool
    event: Event
    change: Comparison


def addition(added: Added, deals: Collection[int] = (), lang: str = "en") -> Addition:
    """The answer for an event that was added; `deals`: those to be shown even if nothing changes in them."""
    return Addition(
        table=added.table,
        version=added.version,
        position=added.position,
        id=added.id,
        already_recorded=added.already_recorded,
        event=added.event,
        change=compared(added.table, added.before, added.after, deals, lang),
    )


def add_event(
    store: LogStore,
    table: str,
    make: Callable[[TableFold], Event],
    *,
    recorded_by: str,
    id: str | None = None,
    expected_version: int | None = None,
    dry_run: bool = False,
    names: Mapping[str, str] | None = None,
) -> Added:
    """Records the event that `make` makes of the table as it stands; with `dry_run` nothing is recorded.

    `names`: what is shown for players, by their names in the record; either may be meant by what `make` is given.

    The event is judged after all that the ledger holds of the table, and recorded only while the table stands so. An
    event that was recorded under this id is made again of what stood before it, so that the same request gets the same
    answer. Raises `NotFoundError` for an unknown table, `MalformedError` for what cannot be an entry, `ConflictError`
    for another version than expected or an id used for something else.
    """
    slug = slug_of(table)
    stream = TABLE_PREFIX + slug
    known = None if id is None else _known(store, id, stream)
    entries = _entries(store, table, stream, None if known is None else known.position - 1)
    if known is None and expected_version is not None and expected_version != len(entries):
        raise wrong_version(stream, len(entries), expected_version)
    before = _fold(entries, names)
    version = len(entries) + 1
    event = _checked(entries, canonical_event(_made(make, before, entries)), stream)
    extended = [*entries, (version, event)]
    after = _fold(extended, names)
    if dry_run:
        return Added(
            table=slug,
            event=event,
            version=version,
            position=None,
            id=None,
            already_recorded=False,
            before=before,
            after=after,
        )
    acknowledged = store.append(Batch(stream, len(entries), (NewEntry(event, id),)), recorded_by=recorded_by)
    return Added(
        table=slug,
        event=event,
        version=acknowledged.first_version,
        position=acknowledged.first_position,
        id=acknowledged.ids[0],
        already_recorded=acknowledged.already_recorded,
        before=before,
        after=after,
    )


def _fold(entries: Sequence[Entry], names: Mapping[str, str] | None) -> TableFold:
    shown = entries if names is None else with_names(entries, names)
    return TableFold(corrected_reading(shown), shown)


def _made(make: Callable[[TableFold], Event], shown: TableFold, entries: Sequence[Entry]) -> Event:
    """What is made of the table with the names that are shown, or, where that fails, with those of the record."""
    try:
        return make(shown)
    except MalformedError:
        with suppress(MalformedError):
            return make(_fold(entries, None))
        raise


def _known(store: LogStore, id: str, stream: str) -> Row | None:
    """The entry of this id, if it is one of the table; the store refuses ids of other streams."""
    row = store.known_ids([id]).get(canonical_id(id))
    return row if row is not None and row.stream == stream else None


def _entries(store: LogStore, table: str, stream: str, until: int | None) -> list[Entry]:
    rows = store.read_stream(stream, until_position=until)
    if not rows:
        fold_table(store, table)  # says which tables there are
        raise ConflictError("id_used", phrase("id_opened_the_table", stream=stream))
    return [(row.version, row.event()) for row in rows]


def _checked(entries: Sequence[Entry], event: Event, stream: str) -> Event:
    """The event, if it can be the next entry of the table."""
    so_far = TableSoFar()
    for _, entry in entries:
        so_far.take(entry)
    try:
        so_far.take(event)
    except MalformedError as error:
        raise error.at(in_stream(stream)) from None
    return event
