"""Adds to a table that is recorded already a correction, dispute or ruling, or shows what it would do.

What a correction takes with it is recorded together with it, or not at all.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from uuid import UUID, uuid5

from msgspec import Struct

from ledger.errors import ConflictError, MalformedError, in_stream
from ledger.events import Event, RulingGiven
from ledger.log.admission import canonical_id, wrong_version
from ledger.log.base import Batch, LogStore, NewEntry, Row
from ledger.recording.admissible import TableSoFar
from ledger.recording.canonical import canonical_event
from ledger.recording.new_names import check_new_names
from ledger.recording.words import phrase
from ledger.streams import TABLE
from ledger.table.comparison import Comparison, compared
from ledger.table.corrections import Entry, Signature, corrected_reading, with_names
from ledger.table.disputes import disputes_of
from ledger.table.fold import TableFold
from ledger.table.repository import fold_table, signatures


class Recording(Struct, frozen=True, kw_only=True):
    """How something is to be recorded.

    `by`: who records. `id`: a UUID; the same one again records nothing twice. `expected_version`: the version of the
    table's last entry; nothing is recorded where it has gone on. `dry_run`: only show what would change.
    """

    by: str
    id: str | None = None
    expected_version: int | None = None
    dry_run: bool = False


class Added(Struct, frozen=True, kw_only=True):
    """An event added to a table, what it changes, and the table before and after it.

    `more`: those recorded together with it, in the versions after. `version`: the one that it has or would have;
    `position`, `id`: null where it was not recorded, in a dry run.
    `already_recorded`: it stood in the ledger under this id, and nothing was added.
    """

    table: str
    event: Event
    version: int
    position: int | None
    id: str | None
    already_recorded: bool
    change: Comparison
    before: TableFold
    after: TableFold
    more: tuple[Event, ...] = ()

    def answer(self) -> Addition:
        """What programs are told of it: all but the two tables."""
        return Addition(
            table=self.table,
            version=self.version,
            position=self.position,
            id=self.id,
            already_recorded=self.already_recorded,
            event=self.event,
            change=self.change,
            left_open=self.left_open(),
            more=self.more,
        )

    def left_open(self) -> tuple[int, ...]:
        """The disputes, by version, on the deal of a ruling that stay open beside it; none where it is no ruling."""
        if not isinstance(self.event, RulingGiven):
            return ()
        deal = self.event.deal
        return tuple(one.version for one in disputes_of(self.after) if one.deal == deal and one.state == "open")


class Addition(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Answer of `correct`, `dispute`, `ruling`, `close` and `note`: what was added, and what it changes.

    Fields as of `Added`. `left_open`: the disputes on the deal that a ruling left open. `more`: the corrections that
    are one with it.
    """

    table: str
    version: int
    position: int | None
    id: str | None
    already_recorded: bool
    event: Event
    change: Comparison
    left_open: tuple[int, ...] = ()
    more: tuple[Event, ...] = ()


def _none(before: TableFold) -> Collection[int]:
    return ()


def _as_it_is(entry: Entry) -> Event:
    return entry[1]


def add_event(
    store: LogStore,
    table: str,
    make: Callable[[TableFold], Event],
    recording: Recording,
    *,
    deals: Callable[[TableFold], Collection[int]] = _none,
    names: Mapping[str, str] | None = None,
    lang: str = "en",
    shown: Callable[[Entry], Event] = _as_it_is,
) -> Added:
    """Records the event that `make` makes of the table as it stands: as `add_events` of one."""
    return add_events(
        store, table, lambda fold: (make(fold),), recording, deals=deals, names=names, lang=lang, shown=shown
    )


def add_events(
    store: LogStore,
    table: str,
    make: Callable[[TableFold], Sequence[Event]],
    recording: Recording,
    *,
    deals: Callable[[TableFold], Collection[int]] = _none,
    names: Mapping[str, str] | None = None,
    lang: str = "en",
    shown: Callable[[Entry], Event] = _as_it_is,
) -> Added:
    """Records the events that `make` makes of the table as it stands, all of them or none; the first has the id.

    `deals`: those, of the table as it stands, to be shown even if nothing changes in them. `names`: what is shown for
    players, by their names in the record; either may be meant by what `make` is given. `shown`: what the answer tells
    of a new entry, and rests on.

    The event is judged after all that the ledger holds of the table, and recorded only while the table stands so. An
    event that was recorded under this id is made again of what stood before it, so that the same request gets the same
    answer. Raises `NotFoundError` for an unknown table, `MalformedError` for what cannot be an entry, `ConflictError`
    for another version than expected or an id used for something else.
    """
    slug = TABLE.slug(table)
    stream = TABLE.stream(slug)
    known = None if recording.id is None else known_entry(store, recording.id, stream)
    rows = _rows(store, table, stream, None if known is None else known.position - 1)
    entries = [(row.version, row.event()) for row in rows]
    signed = signatures(rows, entries)
    if known is None and recording.expected_version not in (None, len(entries)):
        raise wrong_version(stream, len(entries), recording.expected_version)
    before = _fold(entries, signed, names)
    version = len(entries) + 1
    made = [canonical_event(event) for event in _made(make, before, entries, signed)]
    new = _checked(entries, made, stream)
    signature = Signature(recording.by) if known is None else Signature(known.recorded_by, known.recorded_at)
    signed.update((one, signature) for one, _ in new)
    told = [(at, shown((at, event))) for at, event in new]
    after = _fold([*entries, *told], signed, names)
    position, entry_id, is_known = None, None, False
    if not recording.dry_run:
        ids = _ids(recording.id, len(made))
        batch = Batch(stream, len(entries), tuple(map(NewEntry, made, ids)))
        acknowledged = store.append(batch, recorded_by=recording.by)
        version, position = acknowledged.first_version, acknowledged.first_position
        entry_id, is_known = acknowledged.ids[0], acknowledged.already_recorded
    return Added(
        table=slug,
        event=told[0][1],
        more=tuple(event for _, event in told[1:]),
        version=version,
        position=position,
        id=entry_id,
        already_recorded=is_known,
        change=compared(slug, before, after, deals(before), lang),
        before=before,
        after=after,
    )


def _fold(entries: Sequence[Entry], signed: Mapping[int, Signature], names: Mapping[str, str] | None) -> TableFold:
    shown = entries if names is None else with_names(entries, names)
    return TableFold(corrected_reading(shown), shown, signed=signed)


def _ids(first: str | None, count: int) -> Sequence[str | None]:
    """The ids of events recorded together: those after the first follow from its, so that a retry has the same."""
    if first is None:
        return [None] * count
    return [first, *(str(uuid5(UUID(canonical_id(first)), str(place))) for place in range(1, count))]


def _made(
    make: Callable[[TableFold], Sequence[Event]],
    shown: TableFold,
    entries: Sequence[Entry],
    signed: Mapping[int, Signature],
) -> Sequence[Event]:
    """What is made of the table with the names that are shown, or, where that fails, with those of the record."""
    try:
        return make(shown)
    except MalformedError:
        with suppress(MalformedError):
            return make(_fold(entries, signed, None))
        raise


def known_entry(store: LogStore, id: str, stream: str) -> Row | None:
    """The entry of this id, if it is one of the stream; the store refuses ids of other streams."""
    row = store.known_ids([id]).get(canonical_id(id))
    return row if row is not None and row.stream == stream else None


def _rows(store: LogStore, table: str, stream: str, until: int | None) -> Sequence[Row]:
    rows = store.read_stream(stream, until_position=until)
    if not rows:
        fold_table(store, table)  # says which tables there are
        raise ConflictError("id_used", phrase("id_opened_the_table", stream=stream))
    return rows


def _checked(entries: Sequence[Entry], events: Sequence[Event], stream: str) -> list[Entry]:
    """The events as the next entries of the table, if they can be that."""
    so_far = TableSoFar()
    for _, entry in entries:
        so_far.take(entry)
    try:
        for event in events:
            so_far.take(event)
    except MalformedError as error:
        raise error.at(in_stream(stream)) from None
    check_new_names(stream, entries, events)
    return list(so_far.entries[len(entries) :])
