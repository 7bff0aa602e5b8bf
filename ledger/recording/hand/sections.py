"""In which key of a deal each of its acts is written: a hand record tells them key after key.

Most acts have one place. A call may stand among the plays, and something said in three places.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from itertools import accumulate
from typing import Final

from msgspec import Struct

from ledger.events import (
    Announced,
    BidMade,
    CardPlayed,
    CardsDealt,
    CardsExchanged,
    CardTurned,
    MachineEvent,
    PartnerCalled,
    ResultRecorded,
    ScoreClaimed,
    TrickGathered,
    TrumpNamed,
)
from ledger.games.kernel.protocol import Game


class Section(IntEnum):
    """The keys of a deal, in the order in which they are read."""

    DEALT = 0
    CALLS = 1
    TURNED = 2
    TRUMP = 3
    CALLED = 4
    EXCHANGE = 5
    PLAY = 6
    RESULT = 7
    SHEET = 8


_ONLY: Final[dict[type, Section]] = {
    CardsDealt: Section.DEALT,
    TrumpNamed: Section.TRUMP,
    PartnerCalled: Section.CALLED,
    CardsExchanged: Section.EXCHANGE,
    CardPlayed: Section.PLAY,
    TrickGathered: Section.PLAY,
    ResultRecorded: Section.RESULT,
    ScoreClaimed: Section.SHEET,
}
_AFTER_THE_CALLS: Final = frozenset((TrumpNamed, PartnerCalled, CardsExchanged, CardPlayed, TrickGathered))


class Sections(Struct, frozen=True):
    """The acts of a deal with their places, in the order of the file. `is_in_order`: in which they were recorded."""

    acts: tuple[tuple[Section, MachineEvent], ...]
    is_in_order: bool


def sections_of(events: Sequence[MachineEvent], game: Game) -> Sections:
    """Where each act is to be written; acts that were recorded in another order are put into that of the file."""
    allowed = _allowed(events, game)
    latest = list(accumulate(reversed(allowed), _latest_before, initial=Section.SHEET))[::-1][:-1]
    reached, is_in_order = Section.DEALT, True
    placed = []
    for event, sections, last in zip(events, allowed, latest, strict=True):
        possible = [section for section in sections if reached <= section <= last]
        if possible:
            reached = possible[-1]
        else:
            is_in_order = False
        placed.append((possible[-1] if possible else sections[-1], event))
    if not is_in_order:
        placed.sort(key=lambda act: act[0])
    return Sections(tuple(placed), is_in_order)


def _latest_before(after: Section, sections: Sequence[Section]) -> Section:
    """The latest place of an act that comes before one in the place `after`."""
    return max((section for section in sections if section <= after), default=after)


def _allowed(events: Sequence[MachineEvent], game: Game) -> list[Sequence[Section]]:
    """The places that each act may have, first to last."""
    begun = next((place for place, event in enumerate(events) if type(event) in _AFTER_THE_CALLS), len(events))
    last_call = max((place for place in range(begun) if type(events[place]) is BidMade), default=-1)
    return [_places(event, game, place < begun, place < last_call) for place, event in enumerate(events)]


def _places(event: MachineEvent, game: Game, is_before_play: bool, is_amid_calls: bool) -> Sequence[Section]:
    if isinstance(event, BidMade):
        could_be_played = event.card is None and event.call not in game.announcements
        return [Section.CALLS] if is_before_play or not could_be_played else [Section.PLAY]
    if isinstance(event, CardTurned):
        return [Section.CALLS] if is_amid_calls else [Section.CALLS, Section.TURNED]
    if isinstance(event, Announced):
        if is_amid_calls:
            return [Section.CALLS]
        in_calls = [] if event.what in game.calls else [Section.CALLS]
        return [*in_calls, Section.EXCHANGE, Section.PLAY]
    return [_ONLY[type(event)]]
