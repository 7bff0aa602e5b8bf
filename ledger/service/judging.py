"""What may be recorded, and as which entries: each act is judged on its table as it will stand when its turn comes.

Tables are kept between acts. They go on by an act as soon as it is judged, so that the next one of the same commit is
judged after it; nobody else sees them. What cannot be committed is forgotten together with its table.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Iterable
from typing import Final

from msgspec import structs

from ledger.errors import AgainstRulesError, MalformedError, NotFoundError, in_stream
from ledger.events import SessionClosed, TableClosed, TableOpened
from ledger.log.admission import partly_recorded, wrong_version
from ledger.log.base import Batch, LogStore, NewEntry, Request, Row
from ledger.recording.admissible import StreamState, new_state
from ledger.recording.canonical import canonical_event
from ledger.recording.live import LiveTable
from ledger.recording.new_names import check_new_names
from ledger.service.acts import Act, Entries, Standing, ids_of
from ledger.service.guarding import GuardedStore
from ledger.service.visibility import Horizon, View
from ledger.streams import SESSION, TABLE
from ledger.table.answers import Finding
from ledger.table.audit import deal_findings
from ledger.table.repository import no_stream

TABLES: Final = 256
"""So many tables are kept between acts."""


class Judge:
    """Judges the acts for one ledger, in one thread. `is_level`: the tables are known to stand as the ledger does."""

    def __init__(self, store: LogStore) -> None:
        self.store = store
        self.is_level = False
        self._kept: OrderedDict[str, LiveTable] = OrderedDict()
        self._sessions: dict[str, StreamState] = {}

    def begin_commit(self) -> None:
        """Sessions are read anew for each commit: they are short, and few write to them."""
        self._sessions = {}

    def forget(self, slug: str | None = None) -> None:
        """Lets go of a table, or of all."""
        if slug is None:
            self._kept.clear()
        else:
            self._kept.pop(slug, None)

    def check_ids(self, act: Act, known: dict[str, Row], horizon: Horizon) -> None:
        """Raises `ConflictError` for an id that is not told (`GuardedStore`), or where not all batches are recorded."""
        recorded = [known[id] for id in ids_of([act]) if id in known]
        GuardedStore(self.store, horizon, View(writer=act.by)).check_told(recorded)
        for one in act.batches:
            if all(entry.id not in known for entry in one.entries):
                raise partly_recorded(one.stream, recorded)

    def repeated(self, act: Act) -> tuple[Request, tuple[Standing, ...]]:
        """What is recorded already is not judged again: the ledger answers what it answered then."""
        batches = tuple(Batch(one.stream, "any", tuple(map(_canonical, one.entries))) for one in act.batches)
        standing = tuple(self._standing_now(one.stream, act) for one in act.batches)
        return Request(batches, act.by), standing

    def judged(self, act: Act, touched: set[str], hidden: Collection[str]) -> tuple[Request, tuple[Standing, ...]]:
        """The request for the ledger, and each stream after it; the tables have gone on by it already.

        Closing a session, or a table with the right `hands`, appends batches that open the hands of ended deals.
        `hidden`: streams with hidden entries.
        Nobody else sees the tables: what cannot be committed is forgotten together with its table.
        """
        batches: list[Batch] = []
        standing: list[Standing] = []
        opening: list[Batch] = []
        try:
            for one in act.batches:
                if TABLE.has(one.stream):
                    batch, after = self._judged_table(one, act, touched)
                    closes = act.sees_hands and any(type(entry.event) is TableClosed for entry in one.entries)
                    if closes:
                        opening += self._opening([TABLE.slug(one.stream)], act, touched)
                        after = structs.replace(after, version=self.table(TABLE.slug(one.stream), touched).version)
                else:
                    batch, after = self._judged_session(one)
                    if SESSION.has(one.stream) and any(type(entry.event) is SessionClosed for entry in one.entries):
                        opening += self._opening(self._of_session(one.stream, hidden, touched), act, touched)
                batches.append(batch)
                standing.append(after)
        except BaseException as error:
            if isinstance(error, MalformedError | AgainstRulesError):
                error.batch = len(batches)
            if len(act.batches) > 1 or opening:
                self.let_go(act)
            raise
        return Request((*batches, *opening), act.by, goes_on=True), tuple(standing)

    def _of_session(self, stream: str, hidden: Collection[str], touched: set[str]) -> list[str]:
        """Return the tables of a session that have hidden entries."""
        tables = {*map(TABLE.slug, hidden), *touched}
        session = SESSION.slug(stream)
        return [slug for slug in sorted(tables) if self.table(slug, touched).fold.opened.session == session]

    def _opening(self, tables: Iterable[str], act: Act, touched: set[str]) -> list[Batch]:
        """Return the batches that open the hands of ended deals at these tables."""
        batches = []
        for slug in tables:
            table = self.table(slug, touched)
            if events := table.to_open():
                batches.append(Batch(table.stream, table.version, tuple(map(NewEntry, events))))
                table.take_up(batches[-1], act.by)
                touched.add(slug)
        return batches

    def _judged_table(self, one: Entries, act: Act, touched: set[str]) -> tuple[Batch, Standing]:
        slug = TABLE.slug(one.stream)
        first = one.entries[0].event
        entries = one.entries
        is_new = one.opens and isinstance(first, TableOpened) and not self._is_there(one.stream)
        if is_new:
            assert isinstance(first, TableOpened)
            table = self._kept[slug] = LiveTable.begun(self.store, slug, first)
            if one.expected_version not in (None, 0):
                self._kept.pop(slug)
                raise wrong_version(one.stream, 0, one.expected_version)
            entries = entries[1:]
        else:
            table = self.table(slug, touched)
            if one.expected_version not in (None, table.version):
                raise table.conflict(one.expected_version)
        touched.add(slug)
        try:
            opening = (structs.replace(one.entries[0], event=table.entries[0][1]),) if is_new else ()
            before = table.hidden_from
            found = []
            version = 0 if is_new else table.version
            batch = Batch(one.stream, version, opening)
            if entries:
                judged = table.judge(entries, as_played=act.as_played, as_seen=not act.sees_hands)
                batch = Batch(one.stream, version, (*opening, *judged.batch.entries))
                table.take_up(judged.batch, act.by)
                found = self._found(table, version, before, act)
        except BaseException as error:
            if is_new:
                self._kept.pop(slug, None)
                if isinstance(error, MalformedError | AgainstRulesError) and error.entry is not None:
                    error.entry += 1  # behind the entry that opens the table
            raise
        return batch, self._table_standing(table, act, tuple(found))

    def _found(self, table: LiveTable, version: int, hidden_before: int | None, act: Act) -> list[Finding]:
        """What the last entries broke, as whoever asks may know it; once a deal has opened, all of that deal."""
        fold = table.fold if act.sees_hands else table.seen_by_all
        since = version + 1
        if hidden_before is not None and table.hidden_from != hidden_before:
            since = min(since, hidden_before)
        found: list[Finding] = []
        for record in fold.deals[-2:]:
            if any(one.version >= since for one in record.violations):
                found += [one for one in deal_findings(fold, record, act.lang) if one.version >= since]
        return found

    def _judged_session(self, one: Entries) -> tuple[Batch, Standing]:
        so_far = self._sessions.pop(one.stream, None) or self._session(one)
        version = len(so_far.entries)
        if one.expected_version not in (None, version):
            raise wrong_version(one.stream, version, one.expected_version)
        entries = tuple(map(_canonical, one.entries))
        for number, entry in enumerate(entries):
            try:
                so_far.take(entry.event)
            except MalformedError as error:
                error.entry = number
                raise error.at(in_stream(one.stream)) from None
        check_new_names(one.stream, so_far.entries[:version], [entry.event for entry in entries])
        self._sessions[one.stream] = so_far
        return Batch(one.stream, version, entries), Standing(version=len(so_far.entries))

    def _session(self, one: Entries) -> StreamState:
        """The session as it stands in the ledger; raises `NotFoundError` where there is none to go on with."""
        rows = self.store.read_stream(one.stream)
        if not rows and not one.opens:
            raise no_stream(self.store, one.stream)
        so_far = new_state(one.stream)
        for row in rows:
            so_far.take(row.event())
        return so_far

    def _standing_now(self, stream: str, act: Act) -> Standing:
        if not TABLE.has(stream):
            return Standing(version=len(self.store.read_stream(stream)))
        try:
            table = self.table(TABLE.slug(stream), set())
        except NotFoundError:
            return Standing(version=0)  # the ledger refuses what is recorded elsewhere
        return self._table_standing(table, act, ())

    def _table_standing(self, table: LiveTable, act: Act, found: tuple[Finding, ...]) -> Standing:
        as_seen = not act.sees_hands
        return Standing(
            version=table.version, turn=table.turn(as_seen=as_seen), legal=table.legal(as_seen=as_seen), findings=found
        )

    def _is_there(self, stream: str) -> bool:
        return TABLE.slug(stream) in self._kept or bool(self.store.read_stream(stream, 0, None)[:1])

    def table(self, slug: str, touched: set[str]) -> LiveTable:
        """The table as it stands in the ledger, or will after the acts of this commit that were judged already."""
        table = self._kept.get(slug)
        if table is None:
            table = self._kept[slug] = LiveTable.resume(self.store, slug)
            while len(self._kept) > TABLES:
                oldest = next((name for name in self._kept if name not in touched and name != slug), None)
                if oldest is None:
                    break  # one act may touch more
                del self._kept[oldest]
        elif not self.is_level and slug not in touched:
            table.catch_up()
        self._kept.move_to_end(slug)
        return table

    def let_go(self, act: Act) -> None:
        """Forgets the tables of an act that is not recorded, although they have gone on by it."""
        for one in act.batches:  # one of a session may have shown the hands of its tables
            self.forget(TABLE.slug(one.stream) if TABLE.has(one.stream) else None)


def _canonical(entry: NewEntry) -> NewEntry:
    event = canonical_event(entry.event)
    return entry if event is entry.event else structs.replace(entry, event=event)
