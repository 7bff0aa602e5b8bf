"""From which entry of a table on cards are hidden from who may not see hands, and when they are shown. Pure.

Everything is decided by the entries as everybody may see them: otherwise the moment at which a deal is shown would tell
something of its cards. A deal is shown at the entry that completes it by its last card. One that ends in any other way
(voided, left, closed over, conceded, thrown in, passed out …) is shown when a later deal of its table is completed by
its last card, or by `hands_opened`; at once where no hidden card was recorded. What was shown once stays shown.
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
"""The play of a deal that can no longer be scored may go on, and whether it was halted may depend on the cards."""


class DealSoFar(Protocol):
    """A deal with the version of its `deal_started`, as read by everybody."""

    number: int
    version: int

    @property
    def machine(self) -> Deal: ...


class Hiding:
    """Goes along with a table, entry by entry, and knows what of it is hidden; None: nothing is."""

    def __init__(self) -> None:
        self.hidden: Hidden | None = None
        self._shown_deal = 0
        self._shown_by = 0

    @classmethod
    def after(cls, entries: Sequence[Entry]) -> Hiding:
        """What is hidden after these entries of a table, its corrections among them."""
        hiding = cls()
        if any(type(event) is Corrected for _, event in entries):
            hiding._follow(entries)
        else:
            hiding._look_at_end(entries)
        return hiding

    def copy(self) -> Hiding:
        other = Hiding()
        other.__dict__.update(self.__dict__)
        return other

    def begin(self, version: int, deals: Sequence[DealSoFar]) -> None:
        """The entry of that version was told. `deals`: all that are read with it; their machines are not asked."""
        first = next(iter(self.not_shown(deals)), None)
        if first is None:
            return
        if self.hidden is None:
            self.hidden = Hidden(version, first.version, first.number)
        elif first.version < self.hidden.place or first.number < self.hidden.deal:
            place, deal = min(self.hidden.place, first.version), min(self.hidden.deal, first.number)
            self.hidden = Hidden(self.hidden.version, place, deal)

    def end(self, entries: Sequence[Entry], deals: Sequence[DealSoFar], is_closed: bool) -> None:
        """Shows what the last of these entries ends. `deals`: as everybody reads them now."""
        _, event = entries[-1]
        if self.hidden is None:
            return
        if type(event) is HandsOpened:
            waiting = self.not_shown(deals)
            is_last = not waiting or event.deal >= waiting[-1].number
            self._show(event.deal, entries, struck_too=is_last)
        waiting = self.not_shown(deals)
        if not waiting:
            return
        last = waiting[-1]
        if is_played_out(last.machine):
            self._show(last.number, entries, struck_too=True)
            return
        ended = waiting if is_closed or is_over(last.machine) else waiting[:-1]
        if ended and not _tell_cards(entries[self.hidden.version - 1 :]):
            self._show(ended[-1].number, entries)

    def waiting(self, deals: Sequence[DealSoFar], is_closed: bool) -> list[int]:
        """The deals that have ended and are hidden still, by number: `hands_opened` shows them."""
        if self.hidden is None:
            return []
        hidden = self.not_shown(deals)
        if not hidden:
            return [self.hidden.deal]  # it was struck
        return [deal.number for deal in (hidden if is_closed or is_over(hidden[-1].machine) else hidden[:-1])]

    def not_shown(self, deals: Sequence[DealSoFar]) -> list[DealSoFar]:
        """Those of the deals that are read whose cards not everybody may see, in order."""
        if self._shown_deal == 0:
            return list(deals)
        first = len(deals)
        while first and not self.was_shown(deals[first - 1]):
            first -= 1
        return list(deals[first:])

    def was_shown(self, deal: DealSoFar) -> bool:
        """Whether this deal was shown; one that was struck and dealt anew under its number is another."""
        return deal.number <= self._shown_deal and deal.version <= self._shown_by

    def _show(self, deal: int, entries: Sequence[Entry], *, struck_too: bool = False) -> None:
        """Shows the deals up to this number; `struck_too`: whatever else was hidden, of deals that are not read."""
        assert self.hidden is not None
        started = [] if struck_too else deals_started(entries[self.hidden.version - 1 :])
        left = [start for start in started if start.deal > deal]
        self._shown_deal = max(self._shown_deal, deal, self.hidden.deal if not left else 0)
        self._shown_by = entries[-1][0]
        self.hidden = (
            Hidden(left[0].version, min(one.place for one in left), min(one.deal for one in left)) if left else None
        )

    # --- all of a table at once ---------------------------------------------------------------------------------------

    def _follow(self, entries: Sequence[Entry]) -> None:
        """Entry by entry: what a correction hides or shows depends on what had been shown before it."""
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
        """The same where nothing was corrected: deals are played from the last backwards, until one was played out."""
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
                if _tell_cards(entries[deal.version - 1 : end - 1]):
                    break
                self._shown_deal = deal.number
        shown = [deal for deal in deals if deal.number <= self._shown_deal]
        self._shown_by = shown[-1].version if shown else 0
        left = deals[len(shown) :]
        self.hidden = Hidden(left[0].version, left[0].version, left[0].number) if left else None


def hidden_in(entries: Sequence[Entry]) -> Hidden | None:
    """What of a table is hidden; `entries`: all of its stream."""
    return Hiding.after(entries).hidden


def deals_shown(before: int, now: int | None, last: int) -> range:
    """The deals that were hidden, from `before` on, and are not now: from the deal `now` on; None: up to the `last`."""
    return range(before, max(before + 1, last + 1 if now is None else now))


def waiting_in(entries: Sequence[Entry]) -> list[int]:
    """The deals of a table that have ended and are hidden still, by number; `entries`: all of its stream."""
    hiding = Hiding.after(entries)
    if hiding.hidden is None:
        return []
    reading = corrected_reading(redacted_entries(entries, hiding.hidden))
    return hiding.waiting(_deals(reading, plays_last=True), any(type(event) is TableClosed for _, event in reading))


def is_played_out(machine: Deal) -> bool:
    """Whether a deal was completed by its last card."""
    laid = machine.laid()
    return machine.status == "complete" and laid is not None and laid.ending == "played"


def is_over(machine: Deal) -> bool:
    """Whether nothing more is played in a deal, as far as is known."""
    return machine.status not in _IN_PLAY


def goes_on(machine: Deal) -> bool:
    """Whether a deal can be played on, by more than its last trick."""
    laid = machine.laid()
    return not is_over(machine) and (laid is None or len(laid.winners) < laid.course.length - 1)


def _tell_cards(entries: Iterable[Entry]) -> bool:
    return any(cards_not_seen(event) for _, event in entries)


class StartedDeal(NamedTuple):
    """The start of a deal as it was recorded, by the entry `version`, to be read at the version `place`."""

    version: int
    place: int
    deal: int


def deals_started(entries: Iterable[Entry]) -> Iterator[StartedDeal]:
    """The starts of deals that the entries tell, whether they are still read or not."""
    for version, event in entries:
        if isinstance(event, DealStarted):
            yield StartedDeal(version, version, event.deal)
        elif isinstance(event, Corrected):
            for one in event.events or ():
                if isinstance(one, DealStarted):
                    yield StartedDeal(version, event.version, one.deal)


class _Played:
    """A deal that is played as far as told, apart from its table."""

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
    """All deals of a reading; none of them is played, or only the last one."""
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
