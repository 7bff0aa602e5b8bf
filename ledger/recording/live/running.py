"""A table that goes on, in memory: takes its entries one by one and says what the next one would break. Pure.

What an act costs does not grow with the table: a card, a call or a word is asked of the running machine, what starts or
ends a deal is tried on a twin of the last one. Only what may change the reading of earlier deals (a ruling, a
correction) makes the table be read anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final, Self

from ledger.cards import UNKNOWN
from ledger.errors import ConflictError, MalformedError
from ledger.events import MACHINE_TYPES, Corrected, DealStarted, Event, HandsOpened, Noted, RulingGiven, ScoreClaimed
from ledger.games.kernel.deal import Deal
from ledger.games.kernel.findings import Violation
from ledger.recording.catalogue import phrase
from ledger.recording.validator import TableValidator
from ledger.table.corrections import Entry, Signature
from ledger.table.fold import TableFold
from ledger.table.hiding import Hiding, goes_on
from ledger.table.redaction import Hidden, redacted, redacted_entries

REREAD: Final = frozenset((Corrected, RulingGiven))
"""After one of these what was told before may be read otherwise, as after a score sheet of a closed table."""

_JUDGED: Final = MACHINE_TYPES - {ScoreClaimed}
"""What the running machine judges; a score sheet is compared with what the deal has come to."""

_HARMLESS: Final = frozenset((Noted, HandsOpened, *REREAD))
"""Remarks are never interpreted; a director is not refused by the rules that he overrules."""


_NOBODY: Final = Signature("")


class RunningTable(TableValidator):
    """The state of a table, moved act by act: `fold` goes on with it, `standing` is as if nothing more were told.

    `entries`: all that stand in its stream, corrections among them.
    """

    fold: TableFold
    _settled: TableFold | None
    _public: TableFold | None
    _public_settled: TableFold | None

    def __init__(self, entries: Sequence[Entry], signed: dict[int, Signature]) -> None:
        super().__init__()
        for _, event in entries:
            super().take(event)
        self._signed = signed
        self.fold = self.folded(signed=signed, goes_on=True)
        self._hiding = Hiding.after(entries)
        self._public = self._folded_for_all()
        self._settled = self._public_settled = None

    @property
    def version(self) -> int:
        """Of the last entry that is known here."""
        return len(self.entries)

    @property
    def machine(self) -> Deal | None:
        """That of the last deal, which may have ended; None before the first deal and once the table is closed."""
        return machine_of(self.fold)

    @property
    def settled(self) -> TableFold:
        """Deals, score and findings as they are now."""
        if self._settled is None:
            self._settled = self.fold.branch()
            self._settled.end()
        return self._settled

    @property
    def settled_as_seen(self) -> TableFold:
        """Deals, score and findings as they are now by what everybody knows."""
        if self.hidden is None:
            return self.settled
        if self._public_settled is None:
            self._public_settled = self.seen_by_all.branch()
            self._public_settled.end()
        return self._public_settled

    @property
    def hidden(self) -> Hidden | None:
        """What of the entries not everybody may see; None: nothing."""
        return self._hiding.hidden

    @property
    def seen_by_all(self) -> TableFold:
        """The table as viewers see it, folded from the redacted entries."""
        return self.fold if self._public is None else self._public

    def _folded_for_all(self) -> TableFold | None:
        hidden, fold = self.hidden, self.fold
        if hidden is None:
            return None
        start = fold.deals[-1].start if fold.deals else 0
        is_shared = bool(start) and fold.entries[start - 1][0] < hidden.place
        recorded = None if fold.recorded is fold.entries else redacted_entries(fold.recorded, hidden)
        reading = (
            [*fold.entries[:start], *redacted_entries(fold.entries[start:], hidden)]
            if is_shared
            else (redacted_entries(fold.entries, hidden))
        )
        after = fold if is_shared else None
        return TableFold(reading, recorded, signed=self._signed, goes_on=True, after=after, is_redacted=True)

    def check(self, event: Event, *, as_seen: bool = False) -> None:
        """Raises `MalformedError` where the event cannot be the next entry at all. `as_seen`: names no hidden card."""
        try:
            super().check(event)
        except MalformedError:
            if not as_seen or self.hidden is None or type(event) is not Corrected:
                raise
            self._check_as_seen(event, self.hidden)

    def _check_as_seen(self, event: Corrected, hidden: Hidden) -> None:
        """Refuses a correction that cannot stand: for what everybody knows, else for the pack of hidden cards alone."""
        seen = TableValidator()
        for entry in self.entries:
            seen.take(redacted(entry, hidden))
        seen.check(event)
        expected = phrase("entry.a_card", game=self.fold.game.called)
        what = phrase("entry.not_in_pack", field="cards_dealt")
        raise MalformedError(what, expected, UNKNOWN, phrase("entry.with_correction", corrected=event.version))

    def check_not_shown(self, event: Event) -> None:
        """Raise `ConflictError` where the event would let a shown deal be played on."""
        after = self
        if type(event) is Corrected:
            after = self.copy()
            after.take(event)
        elif type(event) not in _JUDGED:
            return
        last = after.fold.deals[-1] if after.fold.deals and not after.fold.is_closed else None
        if last is not None and after._hiding.was_shown(last) and goes_on(last.machine):
            raise ConflictError("deal_shown", phrase("deal_shown", deal=last.number))

    def to_open(self) -> list[HandsOpened]:
        """Return the events that show all deals that have ended but are still hidden."""
        seen = self.seen_by_all
        return [HandsOpened(deal=deal) for deal in self._hiding.ended(seen.deals, seen.is_closed)]

    def broken_by(self, event: Event, *, as_seen: bool = False) -> Sequence[Violation]:
        """What is above `info` that the event would add to the findings; it is one that `check` lets pass.

        `as_seen`: as far as everybody knows, and by what the event tells itself.
        """
        kind = type(event)
        if kind in _HARMLESS:
            return ()
        fold = self.seen_by_all if as_seen else self.fold
        machine = machine_of(fold)
        if kind in _JUDGED and machine is not None:
            if fold.deals[-1].is_ignored:  # dealt after the match had ended, which was told when it began
                return ()
            return [violation for violation in machine.check(event) if violation.severity != "info"]
        after = fold.branch((self.version + 1, event))
        after.end()
        return _new(self.settled_as_seen if as_seen else self.settled, after)

    def take(self, event: Event, signature: Signature = _NOBODY, *, as_seen: bool = False) -> Sequence[Violation]:
        """The next entry; answers what it broke at once. Raises `MalformedError` and stays as it was.

        `as_seen`: as far as everybody knows once it is told.
        """
        super().take(event)
        self._settled = self._public_settled = None
        is_late_sheet = type(event) is ScoreClaimed and self.fold.is_closed
        if type(event) in REREAD or is_late_sheet:
            self._signed[self.version] = signature
            self.fold = self.folded(signed=self._signed, goes_on=True)
            self._hiding.begin(self.version, self.fold.deals)
            self._public = self._folded_for_all()
            self._show_what_ended()
            return ()
        entry = (self.version, event)
        violations = self.fold.take(entry)
        seen = violations if self._public is None else self._public.take((self.version, redacted(entry, self.hidden)))
        if type(event) is DealStarted and self.hidden is None:
            self._hiding.begin(self.version, self.fold.deals)
            self._public = self._folded_for_all()
        self._show_what_ended()
        return seen if as_seen and self.hidden is not None else violations

    def _show_what_ended(self) -> None:
        before = self.hidden
        fold = self.seen_by_all
        self._hiding.end(self.entries, fold.deals, fold.is_closed)
        if self.hidden != before:
            self._public = self._folded_for_all()

    def copy(self) -> Self:
        """Return the table as it stands, to go on another way."""
        other = super().copy()
        other._signed = dict(self._signed)
        other._hiding = self._hiding.copy()
        other.fold = self.fold.branch()
        other._public = None if self._public is None else self._public.branch()
        other._settled = other._public_settled = None
        return other


def check_not_shown(entries: Sequence[Entry], events: Sequence[Event]) -> None:
    """Raise `ConflictError` where one of these events would let a shown deal be played on."""
    running = RunningTable(entries, {})
    for event in events:
        running.check_not_shown(event)
        running.take(event)


def machine_of(fold: TableFold) -> Deal | None:
    return fold.deals[-1].machine if fold.deals and not fold.is_closed else None


def _new(before: TableFold, after: TableFold) -> list[Violation]:
    """The violations above `info` of the one and not of the other; only the last deals can differ."""
    first = max(len(before.deals) - 1, 0)
    known = Counter(map(_fault, (violation for record in before.deals[first:] for violation in record.violations)))
    new = []
    for record in after.deals[first:]:
        for violation in record.violations:
            if known[_fault(violation)]:
                known[_fault(violation)] -= 1
            elif violation.severity != "info":
                new.append(violation)
    return new


def _fault(violation: Violation) -> tuple[int, str, int | None]:
    """As the same fault is known again, however it is worded."""
    return violation.version, violation.code, violation.seat
