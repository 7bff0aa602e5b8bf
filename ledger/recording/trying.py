"""What an import would change, where nothing is to be stored: score and findings of each table, before and after."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from msgspec import Struct

from ledger.events import Envelope
from ledger.log.admission import admit_envelopes
from ledger.log.base import Head, LogStore, Row
from ledger.recording.judging import Places
from ledger.recording.told import Told
from ledger.table.answers import Finding
from ledger.table.comparison import Comparison, compared
from ledger.table.corrections import Entry, corrected_reading
from ledger.table.fold import TableFold
from ledger.table.lookup import TABLE_PREFIX, slug_of


class TableChange(Struct, frozen=True, kw_only=True):
    """A table and what new entries change in it; `game` and `players` as after them.

    `has_pool`: whether the game has one.
    """

    table: str
    game: str
    players: tuple[str, ...]
    has_pool: bool
    change: Comparison


class FoundInFile(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A finding that an import would bring, with the line of the file at fault and the word there.

    Either is left out where what shows it is told in no line.
    """

    table: str
    line: int | None = None
    text: str | None = None
    finding: Finding


def changes_of(store: LogStore, new: Sequence[Told], lang: str) -> tuple[TableChange, ...]:
    """What these entries change in each table."""
    told: dict[str, list[Told]] = {}
    for item in new:
        if item.stream.startswith(TABLE_PREFIX):
            told.setdefault(item.stream, []).append(item)
    return tuple(_change(store, stream, of_table, lang) for stream, of_table in told.items())


def _change(store: LogStore, stream: str, told: Sequence[Told], lang: str) -> TableChange:
    before: list[Entry] = [(row.version, row.event()) for row in store.read_stream(stream)]
    after = [*before, *enumerate((item.event for item in told), len(before) + 1)]
    was, now = _fold(before or after[:1]), _fold(after)
    return TableChange(
        table=slug_of(stream),
        game=now.opened.game,
        players=tuple(now.players),
        has_pool="pool" in now.match.state(),
        change=compared(slug_of(stream), was, now, lang=lang),
    )


def _fold(entries: Sequence[Entry]) -> TableFold:
    return TableFold(corrected_reading(entries), entries)


def found_in_file(changes: Iterable[TableChange], places: Places) -> tuple[FoundInFile, ...]:
    """The findings above `info` that are new, with their places."""
    return tuple(
        _found(one.table, finding, places)
        for one in changes
        for deal in one.change.deals
        for finding in deal.new
        if finding.severity != "info"
    )


def _found(table: str, finding: Finding, places: Places) -> FoundInFile:
    at = places.get(TABLE_PREFIX + table, {}).get(finding.version)
    if at is None:
        return FoundInFile(table=table, finding=finding)
    return FoundInFile(table=table, line=at.line, text=at.word, finding=finding)


class _LedgerAsGround:
    """The ledger as the rules of appending look at it, outside of any transaction."""

    def __init__(self, store: LogStore) -> None:
        self._store = store

    def head(self) -> Head:
        return self._store.head()

    def version_of(self, stream: str) -> int:
        return next((head.version for head in self._store.streams(stream) if head.stream == stream), 0)

    def recorded(self, ids: Collection[str]) -> dict[str, Row]:
        return self._store.known_ids(ids)


def try_envelopes(store: LogStore, new: Iterable[Envelope]) -> None:
    """Raises what taking these entries of another ledger as they are would raise; stores nothing."""
    for _ in admit_envelopes(new, _LedgerAsGround(store)):
        pass
