"""Corrections and rulings that were recorded after a session was closed, with the points that they moved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from ledger.events import Corrected, RulingGiven
from ledger.log.base import LogStore, Row
from ledger.streams import SESSION, TABLE
from ledger.table.corrections import corrected_reading
from ledger.table.fold import TableFold
from ledger.table.repository import ReadAs, closings, fold_table
from ledger.table.score import points_by_player

CHANGES_MAX: Final = 20
"""The number of changes of a table that are shown, the latest ones: each folds the table once more."""


class LaterChange(Struct, frozen=True, kw_only=True):
    """A later correction or ruling. `deal`: None before the first one. `moved`: the change of points by player."""

    table: str
    position: int
    recorded_at: str
    deal: int | None
    version: int
    event: Corrected | RulingGiven
    moved: Mapping[str, int]


def closing_position(store: LogStore, session: str) -> int | None:
    """Return the position at which a session was closed for the last time; None if it is open."""
    rows = store.read_stream(SESSION.stream(session))
    closed = set(closings(corrected_reading([(row.version, row.event()) for row in rows])))
    return max((row.position for row in rows if row.version in closed), default=None)


def later_changes(
    store: LogStore, table: str, fold: TableFold, closed_at: int, names: Mapping[str, str]
) -> Iterator[LaterChange]:
    """Yield the changes of a table after this position, in the order of the record. `names`: those of the fold."""
    rows = [row for row in store.read_stream(TABLE.stream(table)) if row.position > closed_at]
    changes = [(row, event) for row in rows if isinstance(event := row.event(), Corrected | RulingGiven)]
    changes = changes[-CHANGES_MAX:]
    if not changes:
        return
    before = _points(store, table, changes[0][0].position - 1, names)
    for row, event in changes:
        after = _points(store, table, row.position, names)
        moved = {one: after.get(one, 0) - before.get(one, 0) for one in {**after, **before}}
        yield _change(table, fold, row, event, {one: amount for one, amount in moved.items() if amount})
        before = after


def _change(
    table: str, fold: TableFold, row: Row, event: Corrected | RulingGiven, moved: Mapping[str, int]
) -> LaterChange:
    return LaterChange(
        table=table,
        position=row.position,
        recorded_at=row.recorded_at,
        deal=event.deal if isinstance(event, RulingGiven) else _deal_of(fold, event.version),
        version=row.version,
        event=event,
        moved=moved,
    )


def _deal_of(fold: TableFold, version: int) -> int | None:
    """Return the deal that has this entry; None before the first deal."""
    begun: Sequence[int] = [record.number for record in fold.deals if record.version <= version]
    return begun[-1] if begun else None


def _points(store: LogStore, table: str, until: int, names: Mapping[str, str]) -> Mapping[str, int]:
    fold = fold_table(store, table, ReadAs(until=until, names=names))
    return {one.player: one.points for one in points_by_player(fold)}
