"""The state of a running table in memory, which takes entries and judges the next one. Pure.

The cost of an act does not grow with the table. The running machine judges cards, calls and words; the start or end of
a deal is tried on a copy of the last one. Only a ruling or a correction, which may change earlier deals, folds the
table again.
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
"""Events that may change how earlier entries are read, as does a score sheet of a closed table."""

_JUDGED: Final = MACHINE_TYPES - {ScoreClaimed}
"""The events that the running machine judges; a score sheet is compared with the score of the deal."""

_HARMLESS: Final = frozenset((Noted, HandsOpened, *REREAD))
"""Events that break no rule: notes are not interpreted, and directors may overrule the rules."""


_NOBODY: Final = Signature("")


class RunningTable(TableValidator):
    """The state of a table, updated by each act.

    `fold`: deals, score and findings of a table that goes on. `entries`: all entries of its stream, with corrections.
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
        """The version of the last known entry."""
        return len(self.entries)

    @property
    def machine(self) -> Deal | None:
        """The machine of the last deal, also after its end; None before the first deal and in a closed table."""
        return machine_of(self.fold)

    @property
    def settled(self) -> TableFold:
        """Deals, score and findings as if no entry followed."""
        if self._settled is None:
            self._settled = self.fold.branch()
            self._settled.end()
        return self._settled

    @property
    def settled_as_seen(self) -> TableFold:
        """Public deals, score and findings as if no entry followed."""
        if self.hidden is None:
            return self.settled
        if self._public_settled is None:
            self._public_settled = self.seen_by_all.branch()
            self._public_settled.end()
        return self._public_settled

    @property
    def hidden(self) -> Hidden | None:
        """The hidden parts of the entries; None if everything is public."""
        return self._hiding.hidden

    @property
    def seen_by_all(self) -> TableFold:
        """The public table, folded from the redacted entries."""
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
        """Raise `MalformedError` if the event cannot be the next entry; with `as_seen`, naming no hidden card."""
        try:
            super().check(event)
        except MalformedError:
            if not as_seen or self.hidden is None or type(event) is not Corrected:
                raise
            self._check_as_seen(event, self.hidden)

    def _check_as_seen(self, event: Corrected, hidden: Hidden) -> None:
        """Raise the error of an invalid correction by the public entries, else one about an unnamed card."""
        seen = TableValidator()
        for entry in self.entries:
            seen.take(redacted(entry, hidden))
        seen.check(event)
        expected = phrase("entry.a_card", game=self.fold.game.called)
        what = phrase("entry.not_in_pack", field="cards_dealt")
        raise MalformedError(what, expected, UNKNOWN, phrase("entry.with_correction", corrected=event.version))

    def check_not_shown(self, event: Event) -> None:
        """Raise `ConflictError` if the event would continue a deal whose hands were shown."""
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
        """Return the events that show all ended deals that are still hidden."""
        seen = self.seen_by_all
        return [HandsOpened(deal=deal) for deal in self._hiding.ended(seen.deals, seen.is_closed)]

    def broken_by(self, event: Event, *, as_seen: bool = False) -> Sequence[Violation]:
        """Return the violations above `info` that a valid event would add.

        `as_seen`: only those that follow from public entries and the event itself.
        """
        kind = type(event)
        if kind in _HARMLESS:
            return ()
        fold = self.seen_by_all if as_seen else self.fold
        machine = machine_of(fold)
        if kind in _JUDGED and machine is not None:
            if fold.deals[-1].is_ignored:  # dealt after the end of the match, which was reported at its start
                return ()
            return [violation for violation in machine.check(event) if violation.severity != "info"]
        after = fold.branch((self.version + 1, event))
        after.end()
        return _new(self.settled_as_seen if as_seen else self.settled, after)

    def take(self, event: Event, signature: Signature = _NOBODY, *, as_seen: bool = False) -> Sequence[Violation]:
        """Take the next entry and return the violations that it shows. Raise `MalformedError` and keep the state if it
        is invalid.

        `as_seen`: only the violations that are public afterwards.
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
        """Return a copy that can take other entries."""
        other = super().copy()
        other._signed = dict(self._signed)
        other._hiding = self._hiding.copy()
        other.fold = self.fold.branch()
        other._public = None if self._public is None else self._public.branch()
        other._settled = other._public_settled = None
        return other


def check_not_shown(entries: Sequence[Entry], events: Sequence[Event]) -> None:
    """Raise `ConflictError` if one of the events would continue a deal whose hands were shown."""
    running = RunningTable(entries, {})
    for event in events:
        running.check_not_shown(event)
        running.take(event)


def machine_of(fold: TableFold) -> Deal | None:
    """Return the machine of the last deal; None before the first deal and in a closed table."""
    return fold.deals[-1].machine if fold.deals and not fold.is_closed else None


def _new(before: TableFold, after: TableFold) -> list[Violation]:
    """Return the violations above `info` that only `after` has; the two can differ only in the last deals."""
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
    """Return the violation in a form without words, in which equal faults are equal."""
    return violation.version, violation.code, violation.seat
