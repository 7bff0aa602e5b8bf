"""The invented years of a club: evenings, attendance, seating, play, and the record of it.

The same seed makes the same years, and adding an evening changes no earlier one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from random import Random
from typing import Any, Final, NamedTuple

from ledger.errors import MalformedError
from ledger.events import (
    BareLine,
    CardPlayed,
    CardsDealt,
    Corrected,
    DealStarted,
    Event,
    PlayerSeated,
    SessionClosed,
    SessionOpened,
)
from ledger.games.kernel.protocol import Game
from ledger.recording.catalogue import phrase
from ledger.recording.forms import seat_counts
from ledger.recording.seasons.members import Member
from ledger.recording.seasons.mishaps import with_mishaps
from ledger.recording.seasons.policies import SKILLS, Skill, revoking
from ledger.recording.simulate import Skills, simulate_table
from ledger.streams import SESSION, TABLE
from ledger.zones import zone_named


class TableSetup(NamedTuple):
    """A game with options and a number of seats."""

    game: Game
    options: Mapping[str, Any]
    seats: int


class Round(NamedTuple):
    """The tables of one round, and the members who wait for a place."""

    tables: Sequence[tuple[TableSetup, tuple[Member, ...]]]
    waiting: tuple[Member, ...]


def setups_of(game: Game, options: Mapping[str, Any]) -> tuple[TableSetup, ...]:
    """Return all setups of a game that a club plays; each has these `options`."""
    variants = () if game.simulation is None else game.simulation.variants
    chosen = [{**variant, **options} for variant in variants]
    return tuple(TableSetup(game, one, seats) for one in chosen for seats in seat_counts(game, one))


def draw_seats(present: Sequence[Member], ways: Mapping[str, Sequence[TableSetup]], chance: Random) -> Round:
    """Seat members by lot: draw a game, then a setup that does not leave too few members for another table."""
    left = chance.sample(present, len(present))
    fewest = min(way.seats for of_game in ways.values() for way in of_game)
    tables = []
    while len(left) >= fewest:
        fitting = {game: _fitting(of_game, len(left), fewest) for game, of_game in ways.items()}
        game = chance.choice([game for game, fitted in fitting.items() if fitted])
        way = chance.choice(fitting[game])
        tables.append((way, tuple(left[: way.seats])))
        del left[: way.seats]
    return Round(tables, tuple(left))


def _fitting(ways: Sequence[TableSetup], people: int, fewest: int) -> list[TableSetup]:
    """Return the setups with enough people, preferably those that leave nobody over."""
    able = [way for way in ways if way.seats <= people]
    return [way for way in able if people - way.seats == 0 or people - way.seats >= fewest] or able


_ROUNDS: Final = 2
_WEEK: Final = timedelta(days=7)
_BEGINS: Final = time(19, 0)
_ROUND_TAKES: Final = timedelta(hours=1, minutes=45)

_HOME: Final = ("Kraków", "Europe/Warsaw")
_AWAY: Final = (("Liège", "Europe/Brussels"), ("東京", "Asia/Tokyo"), ("London", "Europe/London"))
_IS_AWAY: Final = 0.15
"""The share of evenings on which the club plays elsewhere."""

_REPLACED, _LEFT_OPEN = 0.1, 0.02
"""The shares of tables with a substitution, and of tables that nobody closed."""

_SECONDS: Final[dict[type, tuple[int, int]]] = {
    DealStarted: (20, 60),
    CardsDealt: (30, 90),
    CardPlayed: (2, 12),
    Corrected: (30, 600),
}
_OTHERWISE_S: Final = (3, 20)
"""How many seconds other events take, from and to."""


@dataclass(frozen=True, kw_only=True)
class Club:
    """An invented club: its `members` play `games` every week from the `first` day on, with `deals` deals a table.

    `options` apply to every table. Sessions are named `<slug>-<day>`, their tables `<slug>-<day>-<n>`.
    """

    members: Sequence[Member]
    games: Sequence[Game]
    first: date
    deals: int
    seed: int
    slug: str
    options: Mapping[str, Any]
    lang: str = "en"


def invent_season(club: Club, evenings: int) -> Iterator[BareLine]:
    """Yield the lines of so many evenings, in order of time at each table.

    Raise `MalformedError` for options that none of the games has, and for days beyond the calendar.
    """
    ways = {game.name: setups for game in club.games if (setups := setups_of(game, club.options))}
    if not ways:
        raise MalformedError(phrase("seasons.no_game"), phrase("seasons.options"), ", ".join(club.options))
    for number in range(evenings):
        try:
            day = club.first + number * _WEEK
        except OverflowError:
            raise MalformedError(phrase("seasons.too_late"), phrase("seasons.calendar"), str(evenings)) from None
        yield from _evening(club, ways, day)


def _evening(club: Club, ways: Mapping[str, Sequence[TableSetup]], day: date) -> Iterator[BareLine]:
    chance = Random(f"{club.seed} {club.slug} {day}")
    place, zone = chance.choice(_AWAY) if chance.random() < _IS_AWAY else _HOME
    session = f"{club.slug}-{day}"
    begins = datetime.combine(day, _BEGINS, zone_named(zone)).astimezone(UTC)
    title = phrase("seasons.title", day=day).in_words(club.lang)
    opened = SessionOpened(title=title, date=str(day), club=club.slug, place=place, zone=zone)
    yield BareLine(stream=SESSION.stream(session), event=opened, happened_at=_written(begins))
    present = [member for member in club.members if chance.random() < member.comes]
    number, ends = 0, begins
    for round_number in range(_ROUNDS):
        starts = begins + round_number * _ROUND_TAKES
        seating = draw_seats(present, ways, chance)
        waiting = list(seating.waiting)
        for way, members in seating.tables:
            number += 1
            events = _table(club, way, members, waiting, f"{session}-{number}", session, chance)
            for event, at in _timed(events, starts, chance):
                yield BareLine(stream=TABLE.stream(f"{session}-{number}"), event=event, happened_at=_written(at))
                ends = max(ends, at)
    yield BareLine(stream=SESSION.stream(session), event=SessionClosed(), happened_at=_written(ends))


def _table(
    club: Club,
    way: TableSetup,
    members: Sequence[Member],
    waiting: list[Member],
    name: str,
    session: str,
    chance: Random,
) -> Sequence[Event]:
    """Return the events of one table as recorded; a waiting member may take a seat."""
    sitting = [*map(_skill, members)]
    change: tuple[int, int, Member] | None = None
    if waiting and club.deals > 1 and chance.random() < _REPLACED * len(waiting):
        change = (chance.randint(2, club.deals), chance.randrange(way.seats), waiting.pop())

    def skills(deal: int) -> Skills:
        if change is None or deal < change[0]:
            return sitting
        return [_skill(change[2]) if seat == change[1] else skill for seat, skill in enumerate(sitting)]

    events = simulate_table(
        way.game,
        [member.name for member in members],
        way.options,
        club.deals,
        club.seed,
        name,
        session=session,
        closed=chance.random() >= _LEFT_OPEN,
        skills=skills,
    )
    if change is not None:
        events = _with_change(events, *change)
    return with_mishaps(way.game, events, chance, club.lang)


def _skill(member: Member) -> Skill:
    return revoking(SKILLS[member.skill])


def _with_change(events: Sequence[Event], deal: int, seat: int, member: Member) -> list[Event]:
    """Return the events with the member seated before that deal, if it exists."""
    changed: list[Event] = []
    for event in events:
        if isinstance(event, DealStarted) and event.deal == deal:
            changed.append(PlayerSeated(seat=seat, player=member.name))
        changed.append(event)
    return changed


def _timed(events: Sequence[Event], starts: datetime, chance: Random) -> Iterator[tuple[Event, datetime]]:
    at = starts
    for event in events:
        at += timedelta(seconds=chance.randint(*_SECONDS.get(type(event), _OTHERWISE_S)))
        yield event, at


def _written(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
