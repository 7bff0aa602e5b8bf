"""Checks of new events against the recorded entries of their streams: malformed events and findings."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, MutableSequence, Sequence
from itertools import chain, islice
from types import MappingProxyType
from typing import Any, TypeAlias, overload

from msgspec import Struct

from ledger import limits
from ledger.errors import AgainstRulesError, MalformedError, in_stream, within
from ledger.events import Corrected, Event, TableOpened
from ledger.i18n import LANGUAGES, Text, TranslatedPhrase
from ledger.limits import exceeded
from ledger.log.base import LogStore
from ledger.recording.hands import CLOSINGS
from ledger.recording.ndjson import events_at
from ledger.recording.new_names import NAMING, check_new_names
from ledger.recording.pending_entry import PendingEntry
from ledger.recording.validator import StreamValidator, TableValidator, validator_of
from ledger.streams import SESSION
from ledger.table.audit import audit_answer
from ledger.table.corrections import Entry, corrected_reading
from ledger.table.fold import TableFold
from ledger.table.repository import closings

_Fault: TypeAlias = tuple[int, int, str, int | None]
"""Deal, version, code and seat of a finding."""


class Checked(Struct, frozen=True):
    """The result of a check: the version of each stream before the new entries, and how many findings these bring.

    `places`: the entries of the source by stream. `kinds`: how many new entries of each type. `closed`: the streams
    that the new entries close.
    """

    versions: dict[str, int]
    findings: int
    places: dict[str, StreamPlaces]
    kinds: Counter[type]
    closed: set[str]

    def events(self, stream: str) -> Iterator[Event]:
        """Yield the new events of a stream."""
        return self.places[stream].events()


class StreamPlaces:
    """The entries of the source for one stream, by version.

    `recorded`: how many entries the ledger has. `at`: the indexes in `pending` of the entries after them; `corrected`:
    the index of the first correction of each recorded entry.
    """

    def __init__(self, pending: Sequence[PendingEntry], recorded: int, known: Mapping[int, PendingEntry]) -> None:
        self._pending = pending
        self._known = known
        self.recorded = recorded
        self.at = array("Q")
        self.corrected: dict[int, int] = {}

    def get(self, version: int) -> PendingEntry | None:
        """Return the source's entry for a version; None if the source does not have it."""
        if version in self._known:
            return self._known[version]
        new = version - self.recorded - 1
        index = self.at[new] if 0 <= new < len(self.at) else self.corrected.get(version)
        return None if index is None else self._pending[index]

    def new(self, number: int) -> PendingEntry:
        """Return a new entry by its number from 0."""
        return self._pending[self.at[number]]

    def events(self) -> Iterator[Event]:
        """Yield the new events of the stream."""
        return events_at(self._pending, self.at)


class _EntriesSoFar(MutableSequence[Entry]):
    """The recorded entries of a stream, then those of `places`, which each pass reads again."""

    def __init__(self, recorded: Sequence[Entry], places: StreamPlaces) -> None:
        self._recorded = recorded
        self._places = places
        self._count = len(recorded)

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Entry]:
        new = enumerate(self._places.events(), start=len(self._recorded) + 1)
        return islice(chain(self._recorded, new), self._count)

    @overload
    def __getitem__(self, index: int) -> Entry: ...
    @overload
    def __getitem__(self, index: slice) -> list[Entry]: ...
    def __getitem__(self, index: int | slice) -> Entry | list[Entry]:
        if isinstance(index, slice):
            return list(islice(self, *index.indices(self._count)))
        if index < len(self._recorded):
            return self._recorded[index]
        return index + 1, self._places.new(index - len(self._recorded)).event

    def append(self, value: Entry) -> None:
        """Count the next entry, which `places` has already."""
        self._count += 1

    def _refuse(self, *_: Any) -> Any:
        raise NotImplementedError

    __setitem__ = __delitem__ = insert = _refuse


def check_streams(
    store: LogStore,
    pending: Sequence[PendingEntry],
    strict: bool,
    played: Mapping[str, TableFold] = MappingProxyType({}),
    known: Mapping[str, Mapping[int, PendingEntry]] = MappingProxyType({}),
    arriving: Iterable[PendingEntry] | None = None,
    *,
    is_export: bool = False,
) -> Checked:
    """Check new events against the recorded entries of their streams; `pending` is read several times.

    `arriving` yields the same entries during the first pass; each must be in `pending` by then. `played`: tables that
    were checked and folded while they were read; they are not checked again if the ledger has nothing of them. `known`:
    the source's entries that the ledger already has. `is_export`: the events come from another ledger, so that their
    names are not new.

    Raise `MalformedError` for an event that cannot be an entry and, with `strict`, `AgainstRulesError` for one against
    the rules.
    """
    new_tables = {stream: fold for stream, fold in played.items() if not store.read_stream(stream)}
    streams: dict[str, StreamValidator] = {}
    opened: dict[str, tuple[str, int]] = {}
    places = {stream: StreamPlaces(pending, 0, known.get(stream, {})) for stream in (*known, *new_tables)}
    kinds: Counter[type] = Counter()
    naming: set[str] = set()
    closed: set[str] = set()
    for index, item in enumerate(pending if arriving is None else arriving):
        stream, event = item.stream, item.event
        kinds[type(event)] += 1
        if type(event) in NAMING:
            naming.add(stream)
        elif type(event) in CLOSINGS:
            closed.add(stream)
        if type(event) is TableOpened and event.session is not None:
            session = SESSION.stream(event.session)
            recorded = streams[session].entries if session in streams else store.read_stream(session)
            opened.setdefault(stream, (session, len(recorded)))
        if stream in new_tables:
            places[stream].at.append(index)
            continue
        so_far = streams.get(stream)
        if so_far is None:
            so_far = streams[stream] = stored_validator(store, stream)
            if len(streams) > limits.STREAMS_PER_FILE:
                what = "streams_per_file"
                raise exceeded(what, len(streams), limits.STREAMS_PER_FILE, "streams", item.where)
            of_stream = places[stream] = StreamPlaces(pending, len(so_far.entries), known.get(stream, {}))
            so_far.entries = _EntriesSoFar(so_far.entries, of_stream)
        else:
            of_stream = places[stream]
        of_stream.at.append(index)
        if type(event) is Corrected and event.version <= of_stream.recorded:
            of_stream.corrected.setdefault(event.version, index)
        try:
            so_far.take(event)
        except MalformedError as error:
            raise error.at(within(item.where, in_stream(stream))) from None
    for stream in () if is_export else naming:
        entries = new_tables[stream].recorded if stream in new_tables else streams[stream].entries
        _check_new_names(stream, entries, places[stream])
    findings = sum(
        _new_findings(stream, fold, Counter(), strict, places[stream]) for stream, fold in new_tables.items()
    )
    for stream, so_far in streams.items():
        if isinstance(so_far, TableValidator):
            before = _faults(so_far.entries[: places[stream].recorded])
            findings += _new_findings(stream, so_far.folded(), before, strict, places[stream])
    versions = {stream: of_stream.recorded for stream, of_stream in places.items() if of_stream.at}
    return Checked(versions, findings + _opened_too_late(store, opened.values(), streams), places, kinds, closed)


def _check_new_names(stream: str, entries: Sequence[Entry], places: StreamPlaces) -> None:
    """Raise `MalformedError` for names that the new entries may not bring."""
    recorded = places.recorded
    try:
        check_new_names(stream, entries[:recorded], [event for _, event in entries[recorded:]])
    except MalformedError as error:
        raise error.at(places.new(error.entry or 0).where) from None


def _opened_too_late(
    store: LogStore, opened: Collection[tuple[str, int]], streams: Mapping[str, StreamValidator]
) -> int:
    """Return how many tables were opened in a session that was closed by then; that is a finding, but no error.

    `opened`: for each table the stream of its session and the number of the session's entries at that time.
    """
    closed = {}
    for session in {session for session, _ in opened}:
        so_far = streams.get(session) or stored_validator(store, session)
        closed[session] = min(closings(corrected_reading(so_far.entries)), default=None)
    return sum((first := closed[session]) is not None and first <= entries for session, entries in opened)


def stored_entries(store: LogStore, stream: str) -> list[Entry]:
    """Return the recorded entries of a stream."""
    return [(row.version, row.event()) for row in store.read_stream(stream)]


def stored_validator(store: LogStore, stream: str) -> StreamValidator:
    """Return the validator of a stream after its recorded entries."""
    return validator_of(stream, (row.event() for row in store.read_stream(stream)))


def _new_findings(stream: str, fold: TableFold, before: Counter[_Fault], strict: bool, places: StreamPlaces) -> int:
    """Return how many findings above `info` a table has besides those `before`. With `strict`, raise the first one."""
    new = _faults_of(fold) - before
    if strict and new:
        raise _first_of(new, before, stream, fold, places)
    return new.total()


def findings_since(entries: Sequence[Entry], version: int) -> int:
    """Return how many findings above `info` the entries after a version brought."""
    return (_faults(entries) - _faults(entries[:version])).total()


def _faults(entries: Sequence[Entry]) -> Counter[_Fault]:
    return _faults_of(TableFold(corrected_reading(entries))) if entries else Counter()


def _faults_of(fold: TableFold) -> Counter[_Fault]:
    """Return the findings above `info` in a form without words, in which equal faults are equal."""
    return Counter(
        (record.number, violation.version, violation.code, violation.seat)
        for record in fold.deals
        for violation in record.violations
        if violation.severity != "info"
    )


def _first_of(
    new: Counter[_Fault], before: Counter[_Fault], stream: str, fold: TableFold, places: StreamPlaces
) -> AgainstRulesError:
    """Return the error for the first new fault; of equal faults, the old ones come first."""
    left = before.copy()
    findings = {lang: audit_answer(stream, fold, lang).findings for lang in LANGUAGES}
    for index, finding in enumerate(findings[LANGUAGES[0]]):
        fault = (finding.deal or 0, finding.version, finding.code, finding.seat)
        if finding.severity == "info":
            continue
        if not left[fault]:
            what = TranslatedPhrase(__name__, finding.code, {lang: findings[lang][index].message for lang in LANGUAGES})
            where: Text = in_stream(stream, finding.version)
            if (at := places.get(finding.version)) is not None and at.line is not None:
                where = within(at.where_and_word, where)
            return AgainstRulesError(what, finding.code, finding.rule, finding.legal or (), where, finding.seat)
        left[fault] -= 1
    raise AssertionError(f"{stream}: the audit does not tell {new}")
