"""Writes a ledger out without saying who played: for statistics elsewhere, for research, for a report of a fault.

Lines are bare: a whole export keeps its chain, and with it every name. Players, clubs, places, sessions and tables have
numbers, the same ones all through the ledger; free text is gone; all moments are earlier by the same number of weeks.
Whoever sat at a table may still know a deal again by its cards: they are the record.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime, timedelta
from typing import Any, Final

import msgspec
from msgspec import structs

from ledger.errors import MalformedError
from ledger.events import (
    BareLine,
    Corrected,
    DealVoided,
    DisputeRaised,
    Event,
    HandsOpened,
    Noted,
    PlayerSeated,
    RulingGiven,
    ScoreClaimed,
    SessionOpened,
    TableClosed,
    TableOpened,
)
from ledger.games import game_named
from ledger.games.kernel.protocol import Game
from ledger.log.append_rules import timestamp
from ledger.log.base import Row
from ledger.recording.words import phrase

FIRST_WEEK: Final = date(2000, 1, 3)
"""The Monday of the week into which the first day of the ledger falls; days of the week and hours stay."""

GONE: Final = "–"
"""What stands where a text was."""

_CODE: Final = re.compile("[A-Za-z0-9_]+")


def anonymous_lines(rows: Callable[[], Iterable[Row]], person: Callable[[str], str]) -> Iterator[bytes]:
    """The entries as bare lines, without line feeds; `rows` answers them, each time anew. `person`: the one spelling of
    somebody who is written in several ways.

    Raises `MalformedError` where the moments of the record are too far apart to be moved together.
    """
    mask = _Mask(rows(), person)
    for row in rows():
        # Where nobody said when it took place, statistics take the moment of recording, which an import makes new.
        moment = mask.moment(row.happened_at or row.recorded_at)
        line = BareLine(stream=mask.stream(row.stream), event=mask.event(row.event(), row.stream), happened_at=moment)
        yield msgspec.json.encode(line)


class _Mask:
    """Puts numbers in the place of names, and moves moments."""

    def __init__(self, rows: Iterable[Row], person: Callable[[str], str]) -> None:
        self._person = person
        self._numbers: dict[str, dict[str, int]] = defaultdict(dict)
        self._name_words: set[str] = set()
        self._games: dict[str, Game] = {}
        first = date.max
        for row in rows:
            first = min(first, date.fromisoformat((row.happened_at or row.recorded_at)[:10]))
            for event in _with_corrected(row.event()):
                if isinstance(event, SessionOpened):
                    first = min(first, date.fromisoformat(event.date))
                elif isinstance(event, TableOpened):
                    self._games[row.stream] = game_named(event.game)
                self._name_words.update(word.casefold() for name in _names(event) for word in name.split())
        self._earlier = timedelta(days=(first - FIRST_WEEK).days // 7 * 7)

    def moment(self, text: str) -> str:
        return timestamp(self._moved(datetime.fromisoformat(text)))

    def stream(self, name: str) -> str:
        kind, _, slug = name.partition("/")
        return f"{kind}/{self._slug(kind, slug)}"

    def event(self, event: Event, stream: str) -> Event:
        """The event of a stream without what it says of persons."""
        match event:
            case SessionOpened(title=title, date=day, club=club, place=place):
                return SessionOpened(
                    title=self._name("Session", title),
                    date=self._moved(date.fromisoformat(day)).isoformat(),
                    club=None if club is None else self._name("Club", club),
                    place=None if place is None else self._name("Place", place),
                )  # without its zone, which says where it was
            case TableOpened(players=players, session=session):
                names = tuple(map(self._player, players))
                slug = None if session is None else self._slug("session", session)
                return structs.replace(event, players=names, session=slug)
            case PlayerSeated(player=player):
                return structs.replace(event, player=self._player(player))
            case TableClosed(reason=reason) | HandsOpened(reason=reason):
                return structs.replace(event, reason=None if reason is None else GONE)
            case ScoreClaimed(sheet=sheet):
                return structs.replace(event, sheet=self._sheet(sheet, self._games[stream]))
            case DealVoided():
                return DealVoided(reason=GONE)
            case DisputeRaised() | RulingGiven() | Noted():
                return structs.replace(event, text=GONE)
            case Corrected(events=events):
                instead = None if events is None else tuple(self.event(inner, stream) for inner in events)
                return structs.replace(event, reason=GONE, events=instead)
            case _:
                return event

    def _player(self, name: str) -> str:
        return self._name("Player", self._person(name))

    def _name(self, kind: str, name: str) -> str:
        numbers = self._numbers[kind]
        return f"{kind} {numbers.setdefault(name, len(numbers) + 1)}"

    def _slug(self, kind: str, slug: str) -> str:
        numbers = self._numbers[f"{kind}/"]
        return f"{kind}-{numbers.setdefault(slug, len(numbers) + 1)}"

    def _moved(self, day: Any) -> Any:
        try:
            return day - self._earlier
        except OverflowError:
            raise MalformedError(phrase("anonymous.far_apart"), phrase("anonymous.years"), str(day)) from None

    def _sheet(self, sheet: dict[str, Any] | None, game: Game) -> dict[str, Any] | None:
        """A score sheet with its numbers and codes; texts that the game leaves free are gone."""
        return sheet and {key: self._on_sheet(key, value, game) for key, value in sheet.items()}

    def _on_sheet(self, key: str, value: Any, game: Game) -> Any:
        masked = self._codes(value)
        try:
            msgspec.convert({key: masked}, game.sheet_type)
        except msgspec.ValidationError:
            return value  # one of the game's own words
        return masked

    def _codes(self, value: Any) -> Any:
        if isinstance(value, str):
            is_code = _CODE.fullmatch(value) is not None and value.casefold() not in self._name_words
            return value if is_code else GONE
        if isinstance(value, dict):
            return {key: self._codes(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self._codes(item) for item in value]
        return value


def _with_corrected(event: Event) -> Iterator[Event]:
    yield event
    if isinstance(event, Corrected):
        yield from event.events or ()


def _names(event: Event) -> tuple[str, ...]:
    match event:
        case TableOpened(players=players):
            return players
        case PlayerSeated(player=player):
            return (player,)
        case SessionOpened(title=title, club=club, place=place):
            return title, club or "", place or ""
        case _:
            return ()
