"""What recorders ask the writer for, what they are answered, and what everybody is told of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from ledger.games.kernel.views import Legal
from ledger.log.base import Acknowledgement, NewEntry, Row
from ledger.service.visibility import Horizon
from ledger.table.answers import Finding


class Entries(Struct, frozen=True, kw_only=True):
    """What is to be recorded in one stream; `expected_version`: None for any.

    `opens`: whether there may be no such stream yet.
    """

    stream: str
    entries: tuple[NewEntry, ...]
    expected_version: int | None = None
    opens: bool = False


class Act(Struct, frozen=True, kw_only=True):
    """What one recorder wants recorded, all of it or nothing.

    `sees_hands`: whether he may be told what hidden cards forbid. `size_bytes`: of the request.
    """

    batches: tuple[Entries, ...]
    by: str
    sees_hands: bool = False
    as_played: bool = False
    lang: str = "en"
    size_bytes: int = 0


class Standing(Struct, frozen=True, kw_only=True):
    """A stream after an act: its last version and, at a table, whose turn it is, what may come, and what was broken."""

    version: int
    turn: int | None = None
    legal: Legal = {}
    findings: tuple[Finding, ...] = ()


class Written(Struct, frozen=True, kw_only=True):
    """The answer to an act: where each of its batches stands, and each stream after it."""

    acknowledged: tuple[Acknowledgement, ...]
    standing: tuple[Standing, ...]


class Published(Struct, frozen=True, kw_only=True):
    """What has been recorded by anybody since the last time, and which deals have opened for everybody with it."""

    rows: Sequence[Row]
    horizon: Horizon
    opened: Sequence[tuple[str, int]] = ()


def ids_of(acts: Iterable[Act]) -> list[str]:
    """The ids under which these acts are to be recorded."""
    return [entry.id for act in acts for one in act.batches for entry in one.entries if entry.id is not None]
