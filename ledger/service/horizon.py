"""How far a ledger has come, and how far everybody may see of it: one immutable picture for each moment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Self

from msgspec import Struct

from ledger.log.base import Head, LogStore, Row
from ledger.table.hiding import hidden_in
from ledger.table.lookup import TABLE_PREFIX
from ledger.table.redaction import Hidden


class HiddenFrom(Struct, frozen=True):
    """From the entry of this `version` of a table on, at this `position` of the log, something is hidden.

    `deal`: the number of the open deal. `place`: as of `Hidden`, where a correction put the deal in; else None.
    """

    version: int
    position: int
    deal: int
    place: int | None = None

    @classmethod
    def of(cls, hidden: Hidden, position: int) -> Self:
        """`position`: where the entry `hidden.version` stands in the log."""
        place = None if hidden.place == hidden.version else hidden.place
        return cls(hidden.version, position, hidden.deal, place)

    @classmethod
    def unread(cls, first: Row) -> Self:
        """All from this entry of a table on that cannot be read: what of it is open to all is not known."""
        return cls(first.version, first.position, 1, 1)

    @property
    def hidden(self) -> Hidden:
        """The same as the redaction takes it."""
        return Hidden(self.version, self.version if self.place is None else self.place, self.deal)


class Horizon(Struct, frozen=True):
    """`head`: the last entry that is served. `hidden`: of each table with an open deal, by stream (`table/fri-1`).

    `names` counts the changes of who is who, `persons`: for whom each linked spelling is taken.
    """

    head: Head
    hidden: Mapping[str, HiddenFrom]
    names: int = 0
    persons: Mapping[str, str] = {}

    @property
    def reaches(self) -> int:
        """The position before the first hidden entry of any open deal; that of the head where there is none."""
        return min((found.position - 1 for found in self.hidden.values()), default=self.head.position)


def horizon_of(store: LogStore, names: int = 0) -> Horizon:
    """As the ledger stands, read table by table; what is recorded meanwhile is left out."""
    head = store.head()
    hidden = {}
    for table in store.streams(TABLE_PREFIX):
        rows = store.read_stream(table.stream, until_position=head.position, verified=False)  # sound tables are served
        found = _hidden_in(rows)
        if found is not None:
            hidden[table.stream] = found
    return Horizon(head, hidden, names, store.people().persons())


def _hidden_in(rows: Sequence[Row]) -> HiddenFrom | None:
    try:
        found = hidden_in([(row.version, row.event()) for row in rows])
    except Exception:  # a game that is not installed, or fails: whoever reads the table is told
        return HiddenFrom.unread(rows[0])
    return None if found is None else HiddenFrom.of(found, rows[found.version - 1].position)
