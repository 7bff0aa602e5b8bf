"""Add a correction, dispute, ruling, note or closing to a recorded table, or show what it would change.

A correction is recorded together with the corrections that follow from it, or not at all.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from uuid import UUID, uuid5

from msgspec import Struct, structs

from ledger.errors import ConflictError, MalformedError
from ledger.events import Event, RulingGiven
from ledger.log.append_rules import canonical_id, wrong_version
from ledger.log.base import Acknowledgement, Batch, ExpectedVersion, LogStore, NewEntry, Row
from ledger.log.people import with_shown_names
from ledger.recording.canonical import canonical_event
from ledger.recording.catalogue import phrase
from ledger.recording.commands import Command, Decision, execute
from ledger.recording.validator import next_entries
from ledger.streams import TABLE
from ledger.table.corrections import Entry, Signature, corrected_reading, with_names
from ledger.table.disputes import disputes_of
from ledger.table.fold import TableFold
from ledger.table.repository import fold_table, signatures
from ledger.table.two_readings import Comparison, compared


class Recording(Struct, frozen=True, kw_only=True):
    """How something is recorded.

    `by`: the recorder. `id`: a UUID; sending the same one again records nothing twice. `expected_version`: the version
    of the table's last entry; nothing is recorded if the table has another one. `dry_run`: only show what would change.
    """

    by: str
    id: str | None = None
    expected_version: int | None = None
    dry_run: bool = False


class Addition(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The answer of `correct`, `dispute`, `ruling`, `close` and `note`: the added event, and what it changes.

    `left_open`: the disputes on the deal that a ruling left open. `more`: the events recorded together with this one,
    in the versions after it. The other fields are described at `Added`.
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


class Added(Addition, frozen=True, kw_only=True):
    """An event added to a table, what it changes, and the table before and after it.

    `version`: the event's version, also in a dry run. `position`, `id`: null in a dry run. `already_recorded`: the
    ledger already had the event under this id; nothing was added.
    """

    before: TableFold
    after: TableFold

    def answer(self) -> Addition:
        """Return the answer for programs, which lacks the two folds."""
        return Addition(**{name: getattr(self, name) for name in Addition.__struct_fields__})


def _none(before: TableFold) -> Collection[int]:
    return ()


def _as_it_is(entry: Entry) -> Event:
    return entry[1]


def _nothing(batch: Batch) -> None:
    pass


class AddEvents(Command[Added], frozen=True, kw_only=True):
    """The command that adds all events that `make` returns for the current table, or none; the first one gets the id.

    `store`: the ledger, as far as the recorder may see it. `deals`: returns the deals to show even if nothing changes
    in them. `names`: the displayed names of players by their recorded names; the input of `make` may use either.
    `shown`: returns what the answer may show of a new entry. `check`: raises an error if the new entries are forbidden.
    """

    store: LogStore
    table: str
    make: Callable[[TableFold], Sequence[Event]]
    id: str | None = None
    expected_version: int | None = None
    dry_run: bool = False
    deals: Callable[[TableFold], Collection[int]] = _none
    names: Mapping[str, str] | None = None
    lang: str = "en"
    shown: Callable[[Entry], Event] = _as_it_is
    check: Callable[[Batch], None] = _nothing

    @property
    def stream(self) -> str:
        """The stream of the table."""
        return TABLE.stream(TABLE.slug(self.table))

    def decide(self, states: object, known: Mapping[str, Row]) -> Decision[Added]:
        """Decide which events are appended, as `Command.decide`."""
        stream = self.stream
        first = None if self.id is None else known_entry(self.store, self.id, stream)
        rows = _rows(self.store, self.table, stream, None if first is None else first.position - 1)
        entries = [(row.version, row.event()) for row in rows]
        signed = signatures(rows, entries, self.names or {})
        if first is None and self.expected_version not in (None, len(entries)):
            raise wrong_version(stream, len(entries), self.expected_version)
        before = _fold(entries, signed, self.names)
        drafts = _made(self.make, before, entries, signed)
        if self.dry_run:
            self.check(Batch(stream, "any", tuple(map(NewEntry, drafts))))
        made = [canonical_event(event) for event in drafts]
        new = next_entries(stream, entries, made)
        if not self.dry_run:
            expected: ExpectedVersion = len(entries) if first is None else "any"
            batch = Batch(stream, expected, tuple(map(NewEntry, made, _ids(self.id, len(made)))))
            self.check(batch)
            if (recorded := (yield batch)) is not None:
                new = next_entries(stream, entries, [entry.event for entry in recorded.entries])
        by, at = (self.by, None) if first is None else (first.recorded_by, first.recorded_at)
        signature = Signature(with_shown_names(by, self.names or {}), at)
        signed.update((version, signature) for version, _ in new)
        seen = [(version, self.shown((version, event))) for version, event in new]
        after = _fold([*entries, *seen], signed, self.names)
        answered = with_names(seen, self.names or {})

        def added(acknowledged: Sequence[Acknowledgement]) -> Added:
            at = acknowledged[0] if acknowledged else None
            return Added(
                table=TABLE.slug(stream),
                event=answered[0][1],
                more=tuple(event for _, event in answered[1:]),
                version=len(entries) + 1 if at is None else at.first_version,
                position=None if at is None else at.first_position,
                id=None if at is None else at.ids[0],
                already_recorded=at is not None and at.already_recorded,
                change=compared(TABLE.slug(stream), before, after, self.deals(before), self.lang),
                left_open=_left_open(seen[0][1], after),
                before=before,
                after=after,
            )

        return added


def add_events(
    store: LogStore,
    table: str,
    make: Callable[[TableFold], Sequence[Event]],
    recording: Recording,
    *,
    deals: Callable[[TableFold], Collection[int]] = _none,
    names: Mapping[str, str] | None = None,
    lang: str = "en",
) -> Added:
    """Record all events that `make` returns for the current table, or none; the arguments are the fields of
    `AddEvents`.

    The events are recorded only if the table has not changed meanwhile. A request with a known id is decided again on
    the entries before that id, so that it gets the same answer. Raise `NotFoundError` for an unknown table,
    `MalformedError` for events that cannot be entries, and `ConflictError` for another version than expected or an id
    used for something else.
    """
    how = structs.asdict(recording)
    return execute(store, AddEvents(store=store, table=table, make=make, deals=deals, names=names, lang=lang, **how))


def _left_open(event: Event, after: TableFold) -> tuple[int, ...]:
    """Return the versions of the disputes that a ruling on their deal leaves open; empty for other events."""
    if not isinstance(event, RulingGiven):
        return ()
    return tuple(one.version for one in disputes_of(after) if one.deal == event.deal and one.state == "open")


def _fold(entries: Sequence[Entry], signed: Mapping[int, Signature], names: Mapping[str, str] | None) -> TableFold:
    shown = entries if names is None else with_names(entries, names)
    return TableFold(corrected_reading(shown), shown, signed=signed)


def _ids(first: str | None, count: int) -> Sequence[str | None]:
    """Return the ids of events recorded together, derived from the first one so that a retry has the same ids."""
    if first is None:
        return [None] * count
    return [first, *(str(uuid5(UUID(canonical_id(first)), str(place))) for place in range(1, count))]


def _made(
    make: Callable[[TableFold], Sequence[Event]],
    shown: TableFold,
    entries: Sequence[Entry],
    signed: Mapping[int, Signature],
) -> Sequence[Event]:
    """Return the events that `make` returns with the displayed names or, if that fails, with the recorded ones."""
    try:
        return make(shown)
    except MalformedError as error:
        try:
            return make(_fold(entries, signed, None))
        except MalformedError as with_recorded_names:
            unknown = phrase("name.unknown")
            raise (with_recorded_names if error.what == unknown != with_recorded_names.what else error) from None


def known_entry(store: LogStore, id: str, stream: str) -> Row | None:
    """Return the entry with this id if it belongs to the stream; the store rejects ids of other streams."""
    row = store.known_ids([id]).get(canonical_id(id))
    return row if row is not None and row.stream == stream else None


def _rows(store: LogStore, table: str, stream: str, until: int | None) -> Sequence[Row]:
    rows = store.read_stream(stream, until_position=until)
    if not rows:
        fold_table(store, table)  # raises an error that names the known tables
        raise ConflictError("id_used", phrase("id_opened_the_table", stream=stream))
    return rows
