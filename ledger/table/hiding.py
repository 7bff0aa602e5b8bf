"""The entry of a table from which cards are hidden from viewers without `hands`, and when they are shown. Pure.

Only the redacted entries decide: otherwise the moment of showing would reveal something about the hidden cards. A deal
is shown at the entry that completes it by its last card. A deal that ends in any other way (voided, left, closed over,
conceded, thrown in, passed out …) is shown when a later deal of its table is completed by its last card, or by
`hands_opened`; at once if it has no hidden cards. A deal that was shown stays shown. HTTP contract, section 4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from typing import Final, NamedTuple, Protocol

from ledger.events import (
    MACHINE_TYPES,
    Corrected,
    DealStarted,
    DealVoided,
    Event,
    HandsOpened,
    TableClosed,
    TableOpened,
)
from ledger.games import game_named
from ledger.games.kernel.deal import Deal
from ledger.games.kernel.match import Match
from ledger.table.corrections import Entry, corrected_reading
from ledger.table.redaction import Hidden, cards_not_seen, redacted, redacted_entries

_IN_PLAY: Final = frozenset(("open", "unscorable"))
"""The play of a deal that can no longer be scored may continue, and whether it was halted may depend on the cards."""


class DealSoFar(Protocol):
    """A deal of the redacted reading, with the version of its `deal_started`."""

    number: int
    version: int

    @property
    def machine(self) -> Deal: ...


class Hiding:
    """Track what is hidden at a table, entry by entry; `hidden` is None while nothing is."""

    def __init__(self) -> None:
        self.hidden: Hidden | None = None
        self._shown_deal = 0
        self._shown_by = 0

    @classmethod
    def after(cls, entries: Sequence[Entry]) -> Hiding:
        """Return the state after all entries of a table, corrections included."""
        hiding = cls()
        if any(type(event) is Corrected for _, event in entries):
            hiding._follow(entries)
        else:
            hiding._look_at_end(entries)
        return hiding

    def copy(self) -> Hiding:
        """Return an independent copy of the state."""
        other = Hiding()
        other.__dict__.update(self.__dict__)
        return other

    def begin(self, version: int, deals: Sequence[DealSoFar]) -> None:
        """Hide a deal that the entry of this version started. `deals` are all of the reading; no machine is used."""
        first = next(iter(self.not_shown(deals)), None)
        if first is None:
            return
        if self.hidden is None:
            self.hidden = Hidden(version, first.version, first.number)
        elif first.version < self.hidden.place or first.number < self.hidden.deal:
            place, deal = min(self.hidden.place, first.version), min(self.hidden.deal, first.number)
            self.hidden = Hidden(self.hidden.version, place, deal)

    def end(self, entries: Sequence[Entry], deals: Sequence[DealSoFar], is_closed: bool) -> None:
        """Show the deals that may be shown after the last of these entries. `deals`: of the redacted reading."""
        _, event = entries[-1]
        if self.hidden is None:
            return
        if type(event) is HandsOpened:
            hidden = self.not_shown(deals)
            is_last = not hidden or event.deal >= hidden[-1].number
            self._show(event.deal, entries, struck_too=is_last)
        hidden = self.not_shown(deals)
        if not hidden:
            return
        last = hidden[-1]
        if is_played_out(last.machine):
            self._show(last.number, entries, struck_too=True)
            return
        ended = hidden if is_closed or is_over(last.machine) else hidden[:-1]
        if ended and not _have_hidden_cards(entries[self.hidden.version - 1 :]):
            self._show(ended[-1].number, entries)

    def ended(self, deals: Sequence[DealSoFar], is_closed: bool) -> list[int]:
        """Return the numbers of the deals that have ended but are still hidden; `hands_opened` shows them."""
        if self.hidden is None:
            return []
        hidden = self.not_shown(deals)
        if not hidden:
            return [self.hidden.deal]  # the hidden deal was struck
        return [deal.number for deal in (hidden if is_closed or is_over(hidden[-1].machine) else hidden[:-1])]

    def not_shown(self, deals: Sequence[DealSoFar]) -> list[DealSoFar]:
        """Return the deals that are still hidden, in order."""
        if self._shown_deal == 0:
            return list(deals)
        first = len(deals)
        while first and not self.was_shown(deals[first - 1]):
            first -= 1
        return list(deals[first:])

    def was_shown(self, deal: DealSoFar) -> bool:
        """Return whether this deal was shown; a later deal dealt again under the same number was not."""
        return deal.number <= self._shown_deal and deal.version <= self._shown_by

    def _show(self, deal: int, entries: Sequence[Entry], *, struck_too: bool = False) -> None:
        """Show the deals up to this number; with `struck_too` also everything hidden that was struck."""
        assert self.hidden is not None
        started = [] if struck_too else deals_started(entries[self.hidden.version - 1 :])
        left = [start for start in started if start.deal > deal]
        self._shown_deal = max(self._shown_deal, deal, self.hidden.deal if not left else 0)
        self._shown_by = entries[-1][0]
        self.hidden = (
            Hidden(left[0].version, min(one.place for one in left), min(one.deal for one in left)) if left else None
        )

    # A whole table at once

    def _follow(self, entries: Sequence[Entry]) -> None:
        """Go entry by entry: the effect of a correction depends on what had been shown before it."""
        deals: list[_Played] = []
        is_closed = False
        for at, entry in enumerate(entries):
            version, event = entry
            so_far = entries[: at + 1]
            kind = type(event)
            if kind in (Corrected, DealStarted):
                reading = corrected_reading(so_far)
                self.begin(version, _deals(reading))
                seen = reading if kind is DealStarted else corrected_reading(redacted_entries(so_far, self.hidden))
                deals, is_closed = _deals(seen, plays_last=True), any(type(read) is TableClosed for _, read in seen)
            elif kind is TableClosed:
                is_closed = True
            elif deals:
                deals[-1].play(version, redacted(entry, self.hidden))
            self.end(so_far, deals, is_closed)

    def _look_at_end(self, entries: Sequence[Entry]) -> None:
        """Do the same without corrections: replay deals from the last one backwards until one was played out."""
        deals = _deals(entries)
        self._shown_deal = max((event.deal for _, event in entries if type(event) is HandsOpened), default=0)
        ends = [*(deal.version for deal in deals[1:]), len(entries) + 1][: len(deals)]
        for deal, end in zip(reversed(deals), reversed(ends), strict=True):
            if deal.number <= self._shown_deal:
                break
            hidden = Hidden(deal.version, deal.version, deal.number)
            for entry in entries[deal.version : end - 1]:
                deal.play(entry[0], redacted(entry, hidden))
            if is_played_out(deal.machine):
                self._shown_deal = deal.number
        is_closed = any(type(event) is TableClosed for _, event in entries)
        for deal, end in zip(deals, ends, strict=True):
            has_ended = deal is not deals[-1] or is_closed or is_over(deal.machine)
            if deal.number == self._shown_deal + 1 and has_ended:
                if _have_hidden_cards(entries[deal.version - 1 : end - 1]):
                    break
                self._shown_deal = deal.number
        shown = [deal for deal in deals if deal.number <= self._shown_deal]
        self._shown_by = shown[-1].version if shown else 0
        left = deals[len(shown) :]
        self.hidden = Hidden(left[0].version, left[0].version, left[0].number) if left else None


def hidden_in(entries: Sequence[Entry]) -> Hidden | None:
    """Return what is hidden after all entries of a table's stream; None where nothing is."""
    return Hiding.after(entries).hidden


def deals_shown(before: int, now: int | None, last: int) -> range:
    """Return the deals no longer hidden: hidden from number `before` on, now from `now` on or, if None, not at all."""
    return range(before, max(before + 1, last + 1 if now is None else now))


def hidden_deals_in(entries: Sequence[Entry]) -> list[int]:
    """Return the numbers of the deals that have ended but are still hidden; `entries` are the whole stream."""
    hiding = Hiding.after(entries)
    if hiding.hidden is None:
        return []
    reading = corrected_reading(redacted_entries(entries, hiding.hidden))
    return hiding.ended(_deals(reading, plays_last=True), any(type(event) is TableClosed for _, event in reading))


def is_played_out(machine: Deal) -> bool:
    """Return whether a deal was completed by its last card."""
    laid = machine.laid()
    return machine.status == "complete" and laid is not None and laid.ending == "played"


def is_over(machine: Deal) -> bool:
    """Return whether play has ended, as far as the state shows."""
    return machine.status not in _IN_PLAY


def goes_on(machine: Deal) -> bool:
    """Return whether more than the last trick of a deal can still be played."""
    laid = machine.laid()
    return not is_over(machine) and (laid is None or len(laid.winners) < laid.course.length - 1)


def _have_hidden_cards(entries: Iterable[Entry]) -> bool:
    return any(cards_not_seen(event) for _, event in entries)


class StartedDeal(NamedTuple):
    """The start of a deal: recorded by the entry `version`, read at the version `place`."""

    version: int
    place: int
    deal: int


def deals_started(entries: Iterable[Entry]) -> Iterator[StartedDeal]:
    """Yield every start of a deal in the record, struck ones included."""
    for version, event in entries:
        if isinstance(event, DealStarted):
            yield StartedDeal(version, version, event.deal)
        elif isinstance(event, Corrected):
            for one in event.events or ():
                if isinstance(one, DealStarted):
                    yield StartedDeal(version, event.version, one.deal)


class _Played:
    """A deal that is replayed apart from its table."""

    def __init__(self, started: DealStarted, version: int, match: Callable[[], Match]) -> None:
        self.number, self.version = started.deal, version
        self._dealer, self._match = started.dealer, match

    @cached_property
    def machine(self) -> Deal:
        return self._match().start_deal(self._dealer)

    def play(self, version: int, event: Event) -> None:
        if type(event) in MACHINE_TYPES:
            self.machine.apply(event, version)
        elif type(event) is DealVoided:
            self.machine.void(version)


def _deals(reading: Sequence[Entry], *, plays_last: bool = False) -> list[_Played]:
    """Return all deals of a reading; with `plays_last` the last one is replayed."""
    _, opened = reading[0]
    assert isinstance(opened, TableOpened), "a table's first entry opens it"
    game, seats = game_named(opened.game), len(opened.players)
    match = partial(game.make_match, game.make_options(opened.options, seats), seats)
    deals, start = [], 0
    for place, (version, event) in enumerate(reading):
        if type(event) is DealStarted:
            start = place
            deals.append(_Played(event, version, match))
    for version, event in reading[start + 1 :] if deals and plays_last else ():
        deals[-1].play(version, event)
    return deals
