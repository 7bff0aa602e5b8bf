"""What was decided on a reading that has changed since: rulings and score sheets that are stale.

A ruling rests on the entries of its deal that stood before it, as they were read when it was given, and on the opening
of the table. A score sheet rests on the same of its own deal; where it states totals or a pool, on all deals before it
and their rulings, too. Remarks, disputes and what was recorded later carry nothing. See docs/disputes.md.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import Final

from ledger.events import (
    DEAL_TYPES,
    Corrected,
    DealStarted,
    Event,
    RulingGiven,
    ScoreClaimed,
    TableClosed,
    TableOpened,
)
from ledger.table.corrections import Entry, corrections_in_force, read_instead
from ledger.table.fold import TableFold

CARRYING: Final[frozenset[type]] = DEAL_TYPES | {TableClosed, TableOpened}
"""The events that a decision can rest on; a score sheet rests on no other sheet."""

_OPENING: Final[frozenset[type]] = frozenset((TableOpened,))


class Superseded:
    """Answers, for the rulings and score sheets of a table, which later corrections changed what they rest on."""

    def __init__(self, fold: TableFold) -> None:
        self._recorded = fold.recorded
        self._corrections = [entry for entry in fold.recorded if type(entry[1]) is Corrected]
        self._in_force = corrections_in_force(self._corrections)
        self._starts = (_deal_starts(fold.recorded), _deal_starts(fold.entries)) if self._in_force else ()

    def of_ruling(self, version: int, ruling: RulingGiven) -> tuple[int, ...]:
        """The versions of the corrections that make a ruling stale, in order; none: what it rests on is as it was."""
        changed = self._changed_since(version, ruling, CARRYING)
        return tuple(sorted(correction for correction, deals in changed if ruling.deal in deals))

    def of_sheet(self, version: int, sheet: ScoreClaimed, deal: int) -> tuple[int, ...]:
        """The versions of the corrections that make a score sheet of that deal stale."""
        rests_on_all = sheet.totals is not None or sheet.pool is not None
        carrying = (CARRYING | {RulingGiven} if rests_on_all else CARRYING) - {ScoreClaimed}
        changed = self._changed_since(version, sheet, carrying)
        touching = (
            correction for correction, deals in changed if deal in deals or (rests_on_all and deals.start < deal)
        )
        return tuple(sorted(touching))

    def _changed_since(self, version: int, decided: Event, carrying: frozenset[type]) -> Iterator[tuple[int, range]]:
        """The corrections by which such events are read otherwise than when this was decided; the deals they touch."""
        if not self._in_force:
            return
        given_at = self._given_at(version, decided)
        then = corrections_in_force(self._corrections, until=given_at)
        for corrected, correction in sorted(self._in_force.items()):
            if corrected >= given_at:
                continue
            original = self._recorded[corrected - 1][1]
            before, now = read_instead(original, then.get(corrected)), read_instead(original, correction)
            if _only(before, carrying) != _only(now, carrying):
                yield correction.version, self._deals_of(corrected, before, now)

    def _given_at(self, version: int, decided: Event) -> int:
        """The version at which this was decided: its own, or that of the correction that put it there."""
        correction = self._in_force.get(version)
        if correction is None or self._recorded[version - 1][1] is decided:
            return version
        return correction.version

    def _deals_of(self, version: int, before: tuple[Event, ...], now: tuple[Event, ...]) -> range:
        """The deals that an entry belongs to, as recorded and as read now."""
        if _only(before, _OPENING) != _only(now, _OPENING):
            return range(1, len(self._recorded) + 1)
        numbers = [bisect_right(starts, version) for starts in self._starts]
        reaches_back = _before_start(before) != _before_start(now)  # what stands before a start ends the deal before
        return range(min(numbers) - reaches_back, max(numbers) + 1)


def _before_start(events: tuple[Event, ...]) -> list[Event]:
    """The events before the deal that starts among these; none where no deal does."""
    starts = [place for place, event in enumerate(events) if type(event) is DealStarted]
    return list(events[: starts[0]]) if starts else []


def _only(events: tuple[Event, ...], kinds: frozenset[type]) -> list[Event]:
    return [event for event in events if type(event) in kinds]


def _deal_starts(entries: Iterable[Entry]) -> list[int]:
    return [version for version, event in entries if type(event) is DealStarted]
