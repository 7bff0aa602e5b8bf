"""A table that goes on, in memory: takes its entries one by one and says what the next one would break. Pure.

What an act costs does not grow with the table: a card, a call or a word is asked of the running machine, what starts or
ends a deal is tried on a twin of the last one. Only what may change the reading of earlier deals (a ruling, a
correction) makes the table be read anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from ledger.events import MACHINE_TYPES, Corrected, Event, Noted, RulingGiven, ScoreClaimed
from ledger.games.kernel.deal import Deal
from ledger.games.kernel.findings import Violation
from ledger.recording.admissible import TableSoFar
from ledger.table.corrections import Entry, Signature, corrected_reading
from ledger.table.fold import TableFold
from ledger.table.redaction import open_deal, redacted, redacted_since

REREAD: Final = frozenset((Corrected, RulingGiven))
"""After one of these what was told before may be read otherwise, as after a score sheet of a closed table."""

_ASKED: Final = MACHINE_TYPES - {ScoreClaimed}
"""What the running machine judges; a score sheet is compared with what the deal has come to."""

_HARMLESS: Final = frozenset((Noted, *REREAD))
"""Remarks are never interpreted; a director is not refused by the rules that he overrules."""


class RunningTable:
    """A table so far: `fold` goes on with it, `standing` is as if nothing more were told.

    `entries`: all that stand in its stream, corrections among them.
    """

    fold: TableFold
    _standing: TableFold | None
    _public: TableFold | None

    def __init__(self, entries: Sequence[Entry], signed: dict[int, Signature]) -> None:
        self._so_far = TableSoFar()
        for _, event in entries:
            self._so_far.take(event)
        self._signed = signed
        self.fold = self._reread()
        self._standing = self._public = None

    @property
    def entries(self) -> Sequence[Entry]:
        return self._so_far.entries

    @property
    def version(self) -> int:
        return len(self._so_far.entries)

    @property
    def machine(self) -> Deal | None:
        """That of the last deal, which may have ended; None before the first deal and once the table is closed."""
        return self.fold.deals[-1].machine if self.fold.deals and not self.fold.is_closed else None

    @property
    def standing(self) -> TableFold:
        """Deals, score and findings as they are now."""
        if self._standing is None:
            self._standing = self.fold.branch()
            self._standing.end()
        return self._standing

    @property
    def seen_by_all(self) -> TableFold:
        """The table as everybody may see it, folded from entries without the hidden cards of an open deal."""
        hidden = open_deal(self.fold)
        if hidden is None:
            self._public = None
            return self.fold
        if self._public is None:
            fold = self.fold
            reading = [*fold.entries[: hidden.start], *redacted_since(fold.entries[hidden.start :], hidden.version)]
            recorded = None if fold.recorded is fold.entries else redacted_since(fold.recorded, hidden.version)
            self._public = TableFold(reading, recorded, signed=self._signed, goes_on=True, after=fold)
        return self._public

    def check(self, event: Event) -> None:
        """Raises `MalformedError` where the event cannot be the next entry at all."""
        self._so_far.check(event)

    def broken_by(self, event: Event) -> Sequence[Violation]:
        """What is above `info` that the event would add to the findings; it is one that `check` lets pass."""
        kind = type(event)
        if kind in _HARMLESS:
            return ()
        machine = self.machine
        if kind in _ASKED and machine is not None:
            return [found for found in machine.check(event) if found.severity != "info"]
        after = self.fold.branch((self.version + 1, event))
        after.end()
        return _new(self.standing, after)

    def take(self, event: Event, signature: Signature) -> Sequence[Violation]:
        """The next entry; answers what it broke at once. Raises `MalformedError` and stays as it was."""
        self._so_far.take(event)
        self._standing = None
        is_late_sheet = type(event) is ScoreClaimed and self.fold.is_closed
        if type(event) in REREAD or is_late_sheet:
            self._signed[self.version] = signature
            self.fold, self._public = self._reread(), None
            return ()
        if self._public is not None:
            self._public.take((self.version, redacted(event)))
        found = self.fold.take((self.version, event))
        if self._public is not None and open_deal(self.fold) is None:
            self._public = None  # the deal has opened for everybody
        return found

    def copy(self) -> RunningTable:
        """The table as it stands, to go on another way."""
        other = RunningTable.__new__(RunningTable)
        other._so_far = self._so_far.copy()
        other._signed = dict(self._signed)
        other.fold = self.fold.branch()
        other._standing = other._public = None
        return other

    def _reread(self) -> TableFold:
        recorded = list(self._so_far.entries)
        is_corrected = any(type(event) is Corrected for _, event in recorded)
        reading = list(corrected_reading(recorded)) if is_corrected else recorded
        return TableFold(reading, recorded if is_corrected else None, signed=self._signed, goes_on=True)


def _new(before: TableFold, after: TableFold) -> list[Violation]:
    """The violations above `info` of the one and not of the other; only the last deals can differ."""
    first = max(len(before.deals) - 1, 0)
    known = Counter(map(_fault, (found for record in before.deals[first:] for found in record.violations)))
    new = []
    for record in after.deals[first:]:
        for found in record.violations:
            if known[_fault(found)]:
                known[_fault(found)] -= 1
            elif found.severity != "info":
                new.append(found)
    return new


def _fault(found: Violation) -> tuple[int, str, int | None]:
    """As the same fault is known again, however it is worded."""
    return found.version, found.code, found.seat
