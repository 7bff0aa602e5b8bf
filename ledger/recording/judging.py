"""Judges new events of any source after what the ledger holds of their streams: what is refused, what is found."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias

from msgspec import Struct

from ledger import limits
from ledger.errors import AgainstRulesError, MalformedError, in_stream, within
from ledger.events import Corrected, TableOpened
from ledger.i18n import LANGUAGES, Finished, Text
from ledger.limits import exceeded
from ledger.log.base import LogStore
from ledger.recording.admissible import SessionSoFar, TableSoFar
from ledger.recording.new_names import NAMING, check_new_names
from ledger.recording.told import Told
from ledger.table.audit import audit_answer
from ledger.table.corrections import Entry, corrected_reading
from ledger.table.fold import TableFold
from ledger.table.lookup import SESSION_PREFIX, closings

_Fault: TypeAlias = tuple[int, int, str, int | None]
"""Deal, version, code and seat of a finding."""

Places: TypeAlias = Mapping[str, Mapping[int, Told]]
"""Where a source tells the entries of streams, by stream and version."""


class Checked(Struct, frozen=True):
    """Streams that were judged: the version each had before, and how many findings the new entries bring.

    `places`: where the entries are told.
    """

    versions: dict[str, int]
    findings: int
    places: Places


def check_streams(
    store: LogStore,
    told: Iterable[Told],
    strict: bool,
    played: Mapping[str, TableFold] = MappingProxyType({}),
    known: Places = MappingProxyType({}),
    *,
    is_export: bool = False,
) -> Checked:
    """Judges new events after what the ledger holds of their streams.

    `played`: tables that were judged and played while they were read; where the ledger has nothing of one, that holds.
    `known`: where the source tells what the ledger holds already. `is_export`: other ledgers have recorded the events,
    so that they may bring names that are new to none.

    Raises `MalformedError` for what cannot be an entry; with `strict`, `AgainstRulesError` for what breaks a rule.
    """
    new_tables = {stream: fold for stream, fold in played.items() if not store.read_stream(stream)}
    streams: dict[str, SessionSoFar | TableSoFar] = {}
    opened: dict[str, _OpenedIn] = {}
    versions: dict[str, int] = dict.fromkeys(new_tables, 0)
    naming: dict[str, dict[int, Told]] = defaultdict(dict)
    places: dict[str, dict[int, Told]] = defaultdict(dict, {stream: dict(of_it) for stream, of_it in known.items()})
    for item in told:
        stream = item.stream
        if type(item.event) is TableOpened and item.event.session is not None:
            session = SESSION_PREFIX + item.event.session
            opened.setdefault(stream, _OpenedIn(session, _length(store, session, streams.get(session))))
        if stream in new_tables:
            version = len(places[stream]) + 1
            places[stream][version] = item
            if type(item.event) in NAMING:
                naming[stream][version] = item
            continue
        so_far = streams.get(stream)
        if so_far is None:
            so_far = streams[stream] = recorded_so_far(store, stream)
            if len(streams) > limits.STREAMS_PER_FILE:
                what = "streams_per_file"
                raise exceeded(what, len(streams), limits.STREAMS_PER_FILE, "streams", item.where)
            versions[stream] = len(so_far.entries)
        try:
            so_far.take(item.event)
        except MalformedError as error:
            raise error.at(within(item.where, in_stream(stream))) from None
        version = item.event.version if isinstance(item.event, Corrected) else len(so_far.entries)
        places[stream].setdefault(version, item)
        if type(item.event) in NAMING:
            naming[stream][len(so_far.entries)] = item
    if not is_export:
        for stream, items in naming.items():
            entries = new_tables[stream].recorded if stream in new_tables else streams[stream].entries
            _check_new_names(stream, entries, versions[stream], items)
    findings = sum(
        _new_findings(stream, fold, Counter(), strict, places[stream]) for stream, fold in new_tables.items()
    )
    for stream, so_far in streams.items():
        if isinstance(so_far, TableSoFar):
            before = _faults(so_far.entries[: versions[stream]])
            after = TableFold(corrected_reading(so_far.entries))
            findings += _new_findings(stream, after, before, strict, places[stream])
    return Checked(versions, findings + _opened_too_late(store, opened.values(), streams), places)


def _check_new_names(stream: str, entries: Sequence[Entry], version: int, items: Mapping[int, Told]) -> None:
    """Raise `MalformedError` for names that the entries after that version may not bring; `items`: those with any."""
    try:
        check_new_names(stream, entries[:version], [event for _, event in entries[version:]])
    except MalformedError as error:
        item = next(iter(items.values())) if error.entry is None else items[version + error.entry + 1]
        raise error.at(item.where) from None


class _OpenedIn(Struct, frozen=True):
    """The session in which a table was opened, by its stream, and how many entries that had by then."""

    session: str
    entries: int


def _length(store: LogStore, stream: str, so_far: SessionSoFar | TableSoFar | None) -> int:
    return len(store.read_stream(stream) if so_far is None else so_far.entries)


def _opened_too_late(
    store: LogStore, opened: Collection[_OpenedIn], streams: Mapping[str, SessionSoFar | TableSoFar]
) -> int:
    """How many tables were opened in a session that had been closed, as it is read now; nothing is refused for that."""
    closed = {}
    for session in {place.session for place in opened}:
        so_far = streams.get(session) or recorded_so_far(store, session)
        closed[session] = min(closings(corrected_reading(so_far.entries)), default=None)
    return sum((first := closed[place.session]) is not None and first <= place.entries for place in opened)


def recorded_so_far(store: LogStore, stream: str) -> SessionSoFar | TableSoFar:
    """What the ledger holds of a stream, ready to take the next entry."""
    so_far = TableSoFar() if stream.startswith("table/") else SessionSoFar()
    for row in store.read_stream(stream):
        so_far.take(row.event())
    return so_far


def _new_findings(
    stream: str, fold: TableFold, before: Counter[_Fault], strict: bool, places: Mapping[int, Told]
) -> int:
    """How many findings above `info` a table has besides those `before`; with `strict` the first one is raised."""
    new = _faults_of(fold) - before
    if strict and new:
        raise _first_of(new, before, stream, fold, places)
    return new.total()


def findings_since(entries: Sequence[Entry], version: int) -> int:
    """How many findings above `info` the entries of a table behind that version brought."""
    return (_faults(entries) - _faults(entries[:version])).total()


def _faults(entries: Sequence[Entry]) -> Counter[_Fault]:
    return _faults_of(TableFold(corrected_reading(entries))) if entries else Counter()


def _faults_of(fold: TableFold) -> Counter[_Fault]:
    """What is above `info`, as the same fault is known again, however it is worded."""
    return Counter(
        (record.number, found.version, found.code, found.seat)
        for record in fold.deals
        for found in record.violations
        if found.severity != "info"
    )


def _first_of(
    new: Counter[_Fault], before: Counter[_Fault], stream: str, fold: TableFold, places: Mapping[int, Told]
) -> AgainstRulesError:
    """The first of the new faults, in words; of equal ones, the old come first."""
    left = before.copy()
    told = {lang: audit_answer(stream, fold, lang).findings for lang in LANGUAGES}
    for index, finding in enumerate(told["en"]):
        fault = (finding.deal or 0, finding.version, finding.code, finding.seat)
        if finding.severity == "info":
            continue
        if not left[fault]:
            what = Finished(__name__, finding.code, {lang: told[lang][index].message for lang in LANGUAGES})
            where: Text = in_stream(stream, finding.version)
            if (at := places.get(finding.version)) is not None and at.line is not None:
                where = within(at.where_and_word, where)
            return AgainstRulesError(what, finding.code, finding.rule, finding.legal or (), where, finding.seat)
        left[fault] -= 1
    raise AssertionError(f"{stream}: the audit does not tell {new}")
