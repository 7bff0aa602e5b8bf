"""Dry runs of imports: score and findings of each table before and after."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from msgspec import Struct

from ledger.events import Envelope
from ledger.log.append_rules import admit_envelopes
from ledger.log.base import Head, LogStore, Row
from ledger.recording.pending_entry import PendingEntry
from ledger.recording.stream_checks import StreamPlaces, stored_entries
from ledger.streams import SESSION, TABLE
from ledger.table.answers import Finding
from ledger.table.audit import audit_answer
from ledger.table.corrections import Entry, corrected_reading, with_names
from ledger.table.fold import TableFold
from ledger.table.repository import closings
from ledger.table.two_readings import Comparison, compared


class TableChange(Struct, frozen=True, kw_only=True):
    """A table and what new entries change in it; `game` and `players` are those after the change.

    `has_pool`: whether the game has a pool.
    """

    table: str
    game: str
    players: tuple[str, ...]
    has_pool: bool
    change: Comparison


class LocatedFinding(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A finding that an import would bring, with the line of the file at fault and the word there.

    `line` and `text` are left out if no line of the file shows it.
    """

    table: str
    line: int | None = None
    text: str | None = None
    finding: Finding


class DryRun(NamedTuple):
    """The changes of new entries and the findings that they would bring, for all tables together."""

    changes: tuple[TableChange, ...]
    findings: tuple[LocatedFinding, ...]


def try_entries(
    store: LogStore,
    new: Sequence[PendingEntry],
    places: Mapping[str, StreamPlaces],
    lang: str,
    names: Mapping[str, str] = MappingProxyType({}),
) -> DryRun:
    """Return what these entries would change.

    `places`: where the source has the entries of each table. `names`: the displayed names of players.
    """
    indexes: dict[str, array[int]] = {}
    for index, item in enumerate(new):
        if TABLE.has(item.stream):
            indexes.setdefault(item.stream, array("Q")).append(index)
    trials = [
        _try_table(store, stream, [new[index] for index in of_table], places[stream], lang, names)
        for stream, of_table in indexes.items()
    ]
    return DryRun(
        tuple(change for change, _ in trials), tuple(finding for _, of_table in trials for finding in of_table)
    )


def _try_table(
    store: LogStore,
    stream: str,
    pending: Sequence[PendingEntry],
    places: StreamPlaces,
    lang: str,
    names: Mapping[str, str],
) -> tuple[TableChange, list[LocatedFinding]]:
    table = TABLE.slug(stream)
    before = stored_entries(store, stream)
    after = [*before, *enumerate((item.event for item in pending), len(before) + 1)]
    was, now = _fold(with_names(before or after[:1], names)), _fold(with_names(after, names))
    change = compared(table, was, now, lang=lang)
    new = [finding for deal in change.deals for finding in deal.new]
    session = now.opened.session
    if not before and session is not None:
        now.opened_too_late = any(closings(corrected_reading(stored_entries(store, SESSION.stream(session)))))
        new += [finding for finding in audit_answer(table, now, lang).findings if finding.deal is None]
    change_of_table = TableChange(
        table=table,
        game=now.opened.game,
        players=tuple(now.players),
        has_pool="pool" in now.match.state(),
        change=change,
    )
    return change_of_table, [_located(table, finding, places) for finding in new if finding.severity != "info"]


def _fold(entries: Sequence[Entry]) -> TableFold:
    return TableFold(corrected_reading(entries), entries)


def _located(table: str, finding: Finding, places: StreamPlaces) -> LocatedFinding:
    if (at := places.get(finding.version)) is None:
        return LocatedFinding(table=table, finding=finding)
    return LocatedFinding(table=table, line=at.line, text=at.word, finding=finding)


class _LedgerAsGround:
    """The ledger as the append rules read it, outside of a transaction."""

    def __init__(self, store: LogStore) -> None:
        self._store = store

    def head(self) -> Head:
        return self._store.head()

    def version_of(self, stream: str) -> int:
        return next((head.version for head in self._store.streams(stream) if head.stream == stream), 0)

    def recorded(self, ids: Collection[str]) -> dict[str, Row]:
        return self._store.known_ids(ids)


def try_envelopes(store: LogStore, new: Iterable[Envelope]) -> None:
    """Check entries of another ledger without storing them. Raise what appending them unchanged would raise."""
    for _ in admit_envelopes(new, _LedgerAsGround(store)):
        pass
