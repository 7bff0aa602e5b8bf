"""From which entry of a table on cards are hidden, because its last deal is open. Pure.

A deal opens for everybody at the entry that completes, voids or leaves it, or that closes the table, and then it stays
open, whatever is corrected. One that can no longer be scored goes on being hidden until then: its play may go on, and
whether it was halted may depend on the cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from msgspec import Struct

from ledger.events import MACHINE_TYPES, Corrected, DealStarted, DealVoided, Event, TableClosed, TableOpened
from ledger.games import game_named
from ledger.games.kernel.deal import Deal
from ledger.table.corrections import Entry, corrected_reading

_HOLDING_BACK: Final = frozenset(("open", "unscorable"))


class Hidden(Struct, frozen=True):
    """What of a table is hidden: what was recorded from `version` on and is read at the version `place` or later.

    The two differ where a correction put the deal in. `deal`: the number of the first deal that is hidden.
    """

    version: int
    place: int
    deal: int

    def covers(self, version: int, event: Event) -> bool:
        """Whether this entry is one of those: a correction stands where the entry does that it corrects."""
        return version >= self.version and (event.version if type(event) is Corrected else version) >= self.place


class DealSoFar(Protocol):
    """A deal with the version of its `deal_started`, as read."""

    number: int
    version: int
    machine: Deal


class Hiding:
    """Goes along with a table, entry by entry, and knows what of it is hidden; None: nothing is."""

    def __init__(self) -> None:
        self.hidden: Hidden | None = None
        self._opened_deal = 0
        self._opened_by = 0

    @classmethod
    def after(cls, entries: Sequence[Entry]) -> Hiding:
        """What is hidden after these entries of a table, its corrections among them."""
        hiding = cls()
        if any(type(event) is Corrected for _, event in entries):
            hiding._follow(entries)
        else:
            hiding._look_at_end(entries)
        return hiding

    def _follow(self, entries: Sequence[Entry]) -> None:
        """Entry by entry: what a correction hides or opens depends on what had been opened before it."""
        deals: list[_Played] = []
        is_closed = False
        for at, (version, event) in enumerate(entries):
            kind = type(event)
            if kind in (Corrected, DealStarted):
                reading = corrected_reading(entries[: at + 1])
                deals, is_closed = _last_deals(reading), any(type(read) is TableClosed for _, read in reading)
            elif kind is TableClosed:
                is_closed = True
            elif deals:
                deals[-1].play(version, event)
            self.take(version, deals, is_closed)

    def _look_at_end(self, entries: Sequence[Entry]) -> None:
        """The same where nothing was corrected: then only the last deal can be hidden, and it alone is played."""
        deals = _last_deals(entries)
        if deals:
            self._open(deals[-1].number - 1, deals[-1].version)
            self.hidden = Hidden(deals[-1].version, deals[-1].version, deals[-1].number)
        self.take(len(entries), deals, any(type(event) is TableClosed for _, event in entries))

    def copy(self) -> Hiding:
        other = Hiding()
        other.__dict__.update(self.__dict__)
        return other

    def take(self, version: int, deals: Sequence[DealSoFar], is_closed: bool) -> None:
        """The entry of that version was told. `deals`: as read with it, of which only the last two are looked at."""
        if is_closed:
            self._open(deals[-1].number if deals else 0, version)
            return
        if len(deals) > 1 and not self._has_opened(deals[-2]):
            self._open(deals[-2].number, version)  # it was left
        if not deals or self._has_opened(last := deals[-1]):
            return
        if last.machine.status not in _HOLDING_BACK:
            self._open(last.number, version)
        elif self.hidden is None:
            self.hidden = Hidden(version, last.version, last.number)
        elif last.version < self.hidden.place or last.number < self.hidden.deal:
            place, deal = min(self.hidden.place, last.version), min(self.hidden.deal, last.number)
            self.hidden = Hidden(self.hidden.version, place, deal)

    def _open(self, deal: int, version: int) -> None:
        struck = 0 if self.hidden is None else self.hidden.deal
        self.hidden = None
        self._opened_deal, self._opened_by = max(self._opened_deal, deal, struck), version

    def _has_opened(self, deal: DealSoFar) -> bool:
        """Whether this deal was open to all; one that was struck and dealt anew under its number is another."""
        return deal.number <= self._opened_deal and deal.version <= self._opened_by


def hidden_in(entries: Sequence[Entry]) -> Hidden | None:
    """What of a table is hidden; `entries`: all of its stream."""
    return Hiding.after(entries).hidden


class _Played:
    """A deal that is played as far as told, apart from its table."""

    def __init__(self, number: int, version: int, machine: Deal) -> None:
        self.number, self.version, self.machine = number, version, machine

    def play(self, version: int, event: Event) -> None:
        if type(event) in MACHINE_TYPES:
            self.machine.apply(event, version)
        elif type(event) is DealVoided:
            self.machine.void(version)


def _last_deals(reading: Sequence[Entry]) -> list[_Played]:
    """The last two deals, of which only the last is played."""
    _, opened = reading[0]
    assert isinstance(opened, TableOpened), "a table's first entry opens it"
    game, seats = game_named(opened.game), len(opened.players)
    options = game.make_options(opened.options, seats)
    starts = [place for place, (_, event) in enumerate(reading) if type(event) is DealStarted][-2:]
    deals = []
    for start in starts:
        version, event = reading[start]
        assert isinstance(event, DealStarted)
        deals.append(_Played(event.deal, version, game.make_match(options, seats).start_deal(event.dealer)))
    for version, event in reading[starts[-1] + 1 :] if starts else ():
        deals[-1].play(version, event)
    return deals
