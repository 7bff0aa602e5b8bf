"""The lines of one deal as a person would write them: each act under its key, with a name only where the rules do not
say who acts.

Most acts have only one place. A call may come during the play, and an announcement has three possible places.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from enum import IntEnum
from itertools import accumulate
from typing import Final, TypeAlias

from msgspec import Struct

from ledger.errors import MalformedError
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
from ledger.recording.catalogue import phrase
from ledger.recording.grammar import NOBODY, Names, Speaker, Word, tokenize
from ledger.recording.hand.turns import Turns


class DealSection(IntEnum):
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


_ONLY: Final[dict[type, DealSection]] = {
    CardsDealt: DealSection.DEALT,
    TrumpNamed: DealSection.TRUMP,
    PartnerCalled: DealSection.CALLED,
    CardsExchanged: DealSection.EXCHANGE,
    CardPlayed: DealSection.PLAY,
    TrickGathered: DealSection.PLAY,
    ResultRecorded: DealSection.RESULT,
    ScoreClaimed: DealSection.SHEET,
}
_AFTER_THE_CALLS: Final = frozenset((TrumpNamed, PartnerCalled, CardsExchanged, CardPlayed, TrickGathered))


class ArrangedActs(Struct, frozen=True):
    """The acts of a deal with their sections, in the order of the file. `is_in_order`: whether they were recorded in
    that order.
    """

    acts: tuple[tuple[DealSection, MachineEvent], ...]
    is_in_order: bool


def arrange_acts(events: Sequence[MachineEvent], game: Game) -> ArrangedActs:
    """Assign a section to each act; acts recorded in another order are sorted into that of the file."""
    allowed = _allowed(events, game)
    latest = list(accumulate(reversed(allowed), _latest_before, initial=DealSection.SHEET))[::-1][:-1]
    reached, is_in_order = DealSection.DEALT, True
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
    return ArrangedActs(tuple(placed), is_in_order)


def _latest_before(after: DealSection, sections: Sequence[DealSection]) -> DealSection:
    """Return the latest section of an act that comes before one in section `after`."""
    return max((section for section in sections if section <= after), default=after)


def _allowed(events: Sequence[MachineEvent], game: Game) -> list[Sequence[DealSection]]:
    """Return the possible sections of each act, first to last."""
    begun = next((place for place, event in enumerate(events) if type(event) in _AFTER_THE_CALLS), len(events))
    last_call = max((place for place in range(begun) if type(events[place]) is BidMade), default=-1)
    return [_places(event, game, place < begun, place < last_call) for place, event in enumerate(events)]


def _places(event: MachineEvent, game: Game, is_before_play: bool, is_amid_calls: bool) -> Sequence[DealSection]:
    if isinstance(event, BidMade):
        could_be_played = event.card is None and event.call not in game.announcements
        return [DealSection.CALLS] if is_before_play or not could_be_played else [DealSection.PLAY]
    if isinstance(event, CardTurned):
        return [DealSection.CALLS] if is_amid_calls else [DealSection.CALLS, DealSection.TURNED]
    if isinstance(event, Announced):
        if is_amid_calls:
            return [DealSection.CALLS]
        in_calls = [] if event.what in game.calls else [DealSection.CALLS]
        return [*in_calls, DealSection.EXCHANGE, DealSection.PLAY]
    return [_ONLY[type(event)]]


_CALLS_CHARS: Final = 100
"""The characters of an auction's line after which a new line begins."""

_ENDS_A_LINE: Final = frozenset("#/\n")

_Act: TypeAlias = BidMade | TrumpNamed | PartnerCalled | CardsExchanged | CardPlayed


def spoken_name(names: Names, seat: int) -> str:
    """Return the player's name as a line can contain it: the whole name, else a part of it.

    Raise `MalformedError` if no part of the name can be read back.
    """
    name = names.players[seat]
    beginnings = (name[:length].strip() for length in range(len(name) - 1, 0, -1))
    for text in (name, *name.split(), *beginnings):
        if _is_read_as(text, names, seat):
            return text
    raise MalformedError(phrase("written.unspeakable"), phrase("name.another"), name)


def _is_read_as(text: str, names: Names, seat: int) -> bool:
    if not _ENDS_A_LINE.isdisjoint(text):
        return False
    with suppress(MalformedError):
        return names.seat(text) == seat and tokenize(f"{text}: x", names) == [Speaker((seat,)), Word("x")]
    return False


class LineWriter:
    """Writer of the acts of a deal. It asks `turns` who would be taken to act, adds the name if that is another player,
    and plays the act.

    `names_all`: every act has a name and a line of its own, which are read the same way whatever the rules say.
    """

    def __init__(self, turns: Turns, names_all: bool) -> None:
        self.turns = turns
        self.names_all = names_all
        self.turned: list[str] = []
        self._lines: dict[DealSection, list[str]] = {}
        self._is_line_over = True
        self._was_card = False

    def of(self, section: DealSection) -> Sequence[str]:
        """Return the lines of the section."""
        return self._lines.get(section, ())

    def write(self, section: DealSection, event: MachineEvent) -> None:
        """Write the act, and play it."""
        if isinstance(event, CardTurned):
            self.turned.append(event.card)
        elif isinstance(event, Announced):
            self._write_word(section, event)
        elif isinstance(event, TrickGathered):
            self._append(section, f"> {spoken_name(self.turns.names, event.seat)}", not self._was_card)
            self._is_line_over = True
        else:
            assert isinstance(event, _Act)
            self._write_act(section, event)
        self._was_card = isinstance(event, CardPlayed)
        self.turns.act(event)

    def _write_act(self, section: DealSection, event: _Act) -> None:
        text = act_text(event)
        begins = self._begins_line(section)
        is_amid_trick = section is DealSection.PLAY and begins and self.turns.cards_in_trick() > 0
        if self.names_all or is_amid_trick or self._taken_to_act(event, text) != event.seat:
            text = f"{spoken_name(self.turns.names, event.seat)}: {text}"
        self._append(section, text, begins)

    def _write_word(self, section: DealSection, event: Announced) -> None:
        text = event.what
        if self.names_all or not self._is_understood(event):
            seats = event.seats or (() if event.seat is None else (event.seat,))
            first = () if event.seat is None else (event.seat,)
            others = tuple(seat for seat in seats if seat not in first)
            speakers = "+".join(spoken_name(self.turns.names, seat) for seat in (*first, *others))
            text = f"{speakers or NOBODY}: {text}"
        self._append(section, text, self._begins_line(section))

    def _taken_to_act(self, event: _Act, text: str) -> int | None:
        with suppress(MalformedError):
            return self.turns.player(type(event), text)
        return None

    def _is_understood(self, event: Announced) -> bool:
        """Return whether the word alone shows who speaks."""
        if event.seat is None or event.seats not in (None, (event.seat,)):
            return False
        with suppress(MalformedError):
            return self.turns.announcer(event.what) == event.seat
        return False

    def _begins_line(self, section: DealSection) -> bool:
        """Return whether the next act of the section begins a line; in an auction it continues the line."""
        if self.names_all or section not in (DealSection.CALLS, DealSection.PLAY) or not self.of(section):
            return True
        if section is DealSection.CALLS:
            return len(self._lines[section][-1]) > _CALLS_CHARS
        return self._is_line_over or not self.turns.cards_in_trick()

    def _append(self, section: DealSection, text: str, begins: bool) -> None:
        lines = self._lines.setdefault(section, [])
        if begins or self.names_all or not lines:
            lines.append(text)
        else:
            lines[-1] += f" {text}"
        self._is_line_over = False


def act_text(event: _Act) -> str:
    """Return the text of an act in a hand record, without the player's name."""
    match event:
        case BidMade():
            return event.call if event.card is None else f"{event.call} {event.card}"
        case TrumpNamed():
            return event.suit
        case PartnerCalled():
            return event.card or "none"
        case CardPlayed():
            return event.card
        case CardsExchanged():
            if not event.count:
                return "none"
            aside = " ".join(event.discarded) if event.discarded is not None else str(event.count)
            return aside if event.drawn is None else f"{aside} > {' '.join(event.drawn)}"
