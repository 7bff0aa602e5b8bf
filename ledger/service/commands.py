"""The commands that recorders send to the writer, and their results."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from typing import ClassVar, TypeAlias

from msgspec import Struct, structs

from ledger.errors import AgainstRulesError, MalformedError, NotFoundError, in_stream
from ledger.events import SessionClosed, TableClosed, TableOpened
from ledger.games.kernel.views import Legal
from ledger.log.append_rules import partly_recorded, wrong_version
from ledger.log.base import Acknowledgement, Batch, NewEntry, Row
from ledger.recording.adding import Added, AddEvents
from ledger.recording.canonical import canonical_event
from ledger.recording.commands import Command, Decision
from ledger.recording.live import LiveTable
from ledger.recording.new_names import check_new_names
from ledger.service.authorized_store import AuthorizedStore, authorized
from ledger.service.states import ServedStates
from ledger.service.visibility import View
from ledger.streams import SESSION, TABLE
from ledger.table.answers import Finding
from ledger.table.audit import deal_findings
from ledger.table.repository import no_stream


class Entries(Struct, frozen=True, kw_only=True):
    """Entries to record in one stream. `expected_version`: None for any. `opens`: whether the stream may be new."""

    stream: str
    entries: tuple[NewEntry, ...]
    expected_version: int | None = None
    opens: bool = False


class StreamState(Struct, frozen=True, kw_only=True):
    """A stream after a command: its last version and, for a table, whose turn it is, legal events and findings."""

    version: int
    turn: int | None = None
    legal: Legal = {}
    findings: tuple[Finding, ...] = ()


class RecordedBatches(Struct, frozen=True, kw_only=True):
    """The result of a command: the position of each batch, and the state of each stream after it."""

    acknowledged: tuple[Acknowledgement, ...]
    streams: tuple[StreamState, ...]


_Steps: TypeAlias = Generator[Batch, None, StreamState]
"""A generator that yields the batches of one stream and returns the state of the stream after them."""


class RecordEntries(Command[RecordedBatches], frozen=True, kw_only=True):
    """The command to record entries of one or several streams, all of them or none.

    `sees_hands`: whether the recorder may learn what hidden cards forbid. `size_bytes`: the size of the request.
    """

    batches: tuple[Entries, ...]
    sees_hands: bool = False
    as_played: bool = False
    lang: str = "en"
    size_bytes: int = 0
    attempts: int = 6

    @property
    def ids(self) -> Sequence[str]:
        return [entry.id for one in self.batches for entry in one.entries if entry.id is not None]

    @property
    def streams(self) -> Sequence[str]:
        return [one.stream for one in self.batches]

    def decide(self, states: ServedStates, known: Mapping[str, Row]) -> Decision[RecordedBatches]:
        """Decide by the states. Entries that are recorded already are not checked again.

        Closing a session, or a table with the right `hands`, opens the hands of ended deals.
        """
        streams: list[StreamState] = []
        if known:
            self._check_known(states, known)
            streams += [self._now(states, one.stream) for one in self.batches]
            yield from (Batch(one.stream, "any", tuple(map(_canonical, one.entries))) for one in self.batches)
        else:
            closed: dict[str, int | None] = {}
            for number, one in enumerate(self.batches):
                is_table = TABLE.has(one.stream)
                try:
                    after = yield from (self._at_table(states, one) if is_table else self._in_other(states, one))
                except (MalformedError, AgainstRulesError) as error:
                    error.batch = number
                    raise
                streams.append(after)
                if is_table and self.sees_hands and _has(one, TableClosed):
                    closed[TABLE.slug(one.stream)] = number
                elif SESSION.has(one.stream) and _has(one, SessionClosed):
                    for slug in _tables_of(states, one.stream):
                        closed.setdefault(slug, None)
            for slug, at in closed.items():
                yield from _opening(states, slug)
                if at is not None:
                    streams[at] = structs.replace(streams[at], version=states.table(slug).version)

        def written(acknowledged: Sequence[Acknowledgement]) -> RecordedBatches:
            own = tuple(acknowledged[: len(self.batches)])  # without the batches that open hands
            return RecordedBatches(acknowledged=own, streams=tuple(streams))

        return written

    def _check_known(self, states: ServedStates, known: Mapping[str, Row]) -> None:
        """Raise `ConflictError` for an id that is hidden from the recorder, or where only some batches are recorded."""
        recorded = [known[id] for id in self.ids if id in known]
        AuthorizedStore(states.store, states.visible, View(writer=self.by)).check_ids_visible(recorded)
        for one in self.batches:
            if all(entry.id not in known for entry in one.entries):
                raise partly_recorded(one.stream, recorded)

    def _at_table(self, states: ServedStates, one: Entries) -> _Steps:
        slug, first, entries = TABLE.slug(one.stream), one.entries[0].event, one.entries
        is_new = one.opens and isinstance(first, TableOpened) and not states.has(one.stream)
        opening: tuple[NewEntry, ...] = ()
        if is_new:
            assert isinstance(first, TableOpened)
            table = LiveTable.begun(states.store, slug, first)
            if one.expected_version not in (None, 0):
                raise wrong_version(one.stream, 0, one.expected_version)
            opening, entries = (structs.replace(one.entries[0], event=table.entries[0][1]),), entries[1:]
        else:
            table = states.table(slug)
            if one.expected_version not in (None, table.version):
                raise table.conflict(one.expected_version)
        version = 0 if is_new else table.version
        hidden_before = table.hidden_from
        if entries:
            try:
                judged = table.judge(entries, as_played=self.as_played, as_seen=not self.sees_hands)
            except (MalformedError, AgainstRulesError) as error:
                if is_new and error.entry is not None:
                    error.entry += 1  # count the entry that opens the table
                raise
            yield Batch(one.stream, version, (*opening, *judged.batch.entries))
        else:
            yield Batch(one.stream, version, opening)
        table = states.table(slug)
        return self._state_of(table, self._findings(table, version, hidden_before) if entries else ())

    def _in_other(self, states: ServedStates, one: Entries) -> _Steps:
        """Take entries of a session, or of another stream that is not a table."""
        before = states.validator(one.stream)
        if not before.entries and not one.opens:
            raise no_stream(states.store, one.stream)
        version = len(before.entries)
        if one.expected_version not in (None, version):
            raise wrong_version(one.stream, version, one.expected_version)
        entries = tuple(map(_canonical, one.entries))
        after = before.copy()
        for number, entry in enumerate(entries):
            try:
                after.take(entry.event)
            except MalformedError as error:
                error.entry = number
                raise error.at(in_stream(one.stream)) from None
        check_new_names(one.stream, before.entries, [entry.event for entry in entries])
        yield Batch(one.stream, version, entries)
        return StreamState(version=version + len(entries))

    def _findings(self, table: LiveTable, version: int, hidden_before: int | None) -> tuple[Finding, ...]:
        """Return the rule breaks of the last entries that the recorder may know; once a deal has opened, all of that
        deal.
        """
        fold = table.fold if self.sees_hands else table.seen_by_all
        since = version + 1
        if hidden_before is not None and table.hidden_from != hidden_before:
            since = min(since, hidden_before)
        findings: list[Finding] = []
        for record in fold.deals[-2:]:
            if any(one.version >= since for one in record.violations):
                findings += [one for one in deal_findings(fold, record, self.lang) if one.version >= since]
        return tuple(findings)

    def _now(self, states: ServedStates, stream: str) -> StreamState:
        if not TABLE.has(stream):
            return StreamState(version=len(states.store.read_stream(stream)))
        try:
            return self._state_of(states.table(TABLE.slug(stream)), ())
        except NotFoundError:
            return StreamState(version=0)  # the append will be refused: the ids are recorded elsewhere

    def _state_of(self, table: LiveTable, findings: tuple[Finding, ...]) -> StreamState:
        as_seen = not self.sees_hands
        return StreamState(
            version=table.version,
            turn=table.turn(as_seen=as_seen),
            legal=table.legal(as_seen=as_seen),
            findings=findings,
        )


class AddAsSeen(Command[Added], frozen=True, kw_only=True):
    """The command to add events that depend on what the client may see of a table: corrections, disputes, rulings.

    `add` makes the inner command for the ledger as the client sees it.
    """

    reads_log: ClassVar[bool] = True

    table: str
    view: View
    id: str
    dry_run: bool
    add: Callable[[AuthorizedStore], AddEvents]

    @property
    def ids(self) -> Sequence[str]:
        return (self.id,)

    @property
    def streams(self) -> Sequence[str]:
        return (TABLE.stream(self.table),)

    def decide(self, states: ServedStates, known: Mapping[str, Row]) -> Decision[Added]:
        store = authorized(states.store, states.visible, self.view, TABLE.stream(self.table), self.id)
        return (yield from self.add(store).decide(states, known))


def _has(one: Entries, kind: type) -> bool:
    return any(type(entry.event) is kind for entry in one.entries)


def _tables_of(states: ServedStates, session: str) -> list[str]:
    """Return the tables of a session that have hidden entries, or entries of this commit."""
    slug = SESSION.slug(session)
    tables = {*(TABLE.slug(stream) for stream in states.visible.hidden if TABLE.has(stream)), *states.touched}
    return [table for table in sorted(tables) if states.table(table).fold.opened.session == slug]


def _opening(states: ServedStates, slug: str) -> Iterator[Batch]:
    """Yield the batch that opens the hands of ended deals at a table, if there are any."""
    table = states.table(slug)
    if events := table.to_open():
        yield Batch(table.stream, table.version, tuple(map(NewEntry, events)))


def _canonical(entry: NewEntry) -> NewEntry:
    event = canonical_event(entry.event)
    return entry if event is entry.event else structs.replace(entry, event=event)
