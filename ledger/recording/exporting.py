"""Exports: whole with digests, bare for another ledger (contract 4), without names, or one table as a hand record.

Lines without names are bare, because a whole export keeps its chain and with it every name. Numbers replace players,
clubs, places, sessions and tables, consistently in the whole ledger; free text is removed, and all times are moved back
by the same number of weeks. The players of a table may still recognise a deal by its cards.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any, Final

import msgspec
from msgspec import structs

from ledger.errors import MalformedError, UnreadableError
from ledger.events import (
    BareLine,
    Corrected,
    DealStarted,
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
from ledger.log.base import EMPTY, Head, LogStore, Row
from ledger.log.catalogue import phrase as log_phrase
from ledger.log.verified_rows import sound_rows
from ledger.recording.catalogue import phrase
from ledger.recording.hand.record_writer import TableToWrite, WrittenRecord, write_hand_record
from ledger.streams import TABLE
from ledger.table.corrections import Entry, corrected_reading, corrections_in_force
from ledger.table.fold import TableFold
from ledger.table.people import persons_at
from ledger.table.repository import (
    TableAsRead,
    fold_table,
    no_such_position,
    no_table,
    opening_of,
    session_entries,
    table_slugs,
)


def export_lines(
    store: LogStore,
    *,
    bare: bool = False,
    tables: Sequence[str] = (),
    anonymous: bool = False,
    after: int = 0,
    until: int | None = None,
) -> Iterator[bytes]:
    """Yield the lines of an export, without line feeds; bare lines keep id and time.

    `tables`: only these. `anonymous`: bare lines without personal data. `after`, `until`: only the positions after the
    one, up to and including the other. Raise `NotFoundError` for an unknown table or position, and `UnreadableError` at
    the first damaged entry.
    """
    wanted = {TABLE.stream(TABLE.slug(table)) for table in tables}
    known = [TABLE.stream(slug) for slug in table_slugs(store)]
    unknown = wanted.difference(known)
    if unknown:
        raise no_table(store, sorted(unknown)[0])
    last = _last_position(store, after, until)
    before = _head_at(store, after)

    def rows() -> Iterator[Row]:
        sound = sound_rows(store.read(after, last, verified=False), last, wanted, before)
        return (row for row in sound if not wanted or row.stream in wanted)

    if anonymous:
        yield from anonymous_lines(rows, _persons_by_stream(store, wanted or known, last))
        return
    for row in rows():
        if bare:
            line = BareLine(stream=row.stream, event=row.event(), id=row.id, happened_at=row.happened_at)
            yield msgspec.json.encode(line)
        else:
            yield row.line()


def _persons_by_stream(store: LogStore, streams: Iterable[str], last: int) -> Mapping[str, Mapping[str, str]]:
    """Return the person of each linked spelling, by stream: two who sat together at a table are two there."""
    persons = store.people().persons()

    def reading(stream: str) -> Sequence[Entry]:
        return corrected_reading((row.version, row.event()) for row in store.read_stream(stream, until_position=last))

    return {stream: persons_at(reading(stream), persons) for stream in streams} if persons else {}


def _last_position(store: LogStore, after: int, until: int | None) -> int:
    last = store.head().position
    for position in (after, until):
        if position is not None and not 0 <= position <= last:
            raise no_such_position(str(position), last)
    return last if until is None else max(until, after)


def _head_at(store: LogStore, position: int) -> Head:
    """Return the entry at a position; `EMPTY` before the first."""
    if not position:
        return EMPTY
    row = next(store.read(position - 1, position, verified=False), None)
    if row is None:
        raise UnreadableError("damaged", log_phrase("damaged_at", position=position))
    return Head(row.position, row.digest)


def export_hand_record(store: LogStore, table: str | TableAsRead, deal: int | None = None) -> WrittenRecord:
    """Return a table, as corrected, as a hand record, and what no hand record can contain of it.

    Importing the record makes the same table. The first table of a session also opens the session; the others refer to
    it. With `deal`, the record has only this deal, as the first one of its players. Raise `NotFoundError` for an
    unknown table or deal, and `MalformedError` for a table that no hand record can represent, e.g. with two players of
    one name.
    """
    read = TableAsRead(TABLE.slug(table), fold_table(store, table)) if isinstance(table, str) else table
    slug, fold = read.slug, read.fold
    session = fold.opened.session
    opening = None if session is None else opening_of(corrected_reading(session_entries(store, session)))
    moments = {
        row.version: row.happened_at for row in store.read_stream(TABLE.stream(slug)) if row.happened_at is not None
    }
    return write_hand_record(
        TableToWrite(
            slug=slug,
            reading=fold.entries if deal is None else _one_deal(fold, deal),
            moments=moments,
            session=opening if session is not None and deal is None and _is_first(store, slug, session) else None,
            zone=None if opening is None else opening.zone,
            corrections=len(corrections_in_force(fold.recorded)),
        )
    )


def _one_deal(fold: TableFold, number: int) -> list[Entry]:
    """Return the entries of one deal, renumbered as the first deal of a table of its players."""
    record = fold.deal(number)
    version, started = fold.entries[record.start]
    assert isinstance(started, DealStarted), "a deal begins with its start"
    return [
        (fold.entries[0][0], structs.replace(fold.opened, players=tuple(record.players))),
        (version, structs.replace(started, deal=1)),
        *fold.entries[record.start + 1 : record.end],
    ]


def _is_first(store: LogStore, table: str, session: str) -> bool:
    """Return whether the table is the first one opened in the session."""
    for slug in table_slugs(store):
        if slug == table:
            return True
        reading = corrected_reading((row.version, row.event()) for row in store.read_stream(TABLE.stream(slug)))
        if any(type(event) is TableOpened and event.session == session for _, event in reading):
            return False
    return True


FIRST_WEEK: Final = date(2000, 1, 3)
"""The Monday of the week into which the first day of the ledger is moved; weekdays and hours stay."""

GONE: Final = "–"
"""The replacement of a removed text."""

_CODE: Final = re.compile("[A-Za-z0-9_]+")


def anonymous_lines(rows: Callable[[], Iterable[Row]], persons: Mapping[str, Mapping[str, str]]) -> Iterator[bytes]:
    """Yield the entries as bare lines without personal data, without line feeds.

    `rows` returns the entries anew for each call; `persons` has, by stream, the one spelling of a person written in
    several ways. Raise `MalformedError` if the times of the record are too far apart to be moved together.
    """
    mask = _Mask(rows(), persons)
    for row in rows():
        # Statistics date an entry without a time by its recording, which an import would change.
        moment = mask.moment(row.happened_at or row.recorded_at)
        line = BareLine(stream=mask.stream(row.stream), event=mask.event(row.event(), row.stream), happened_at=moment)
        yield msgspec.json.encode(line)


class _Mask:
    """The replacement of names by numbers, and of times by earlier ones."""

    def __init__(self, rows: Iterable[Row], persons: Mapping[str, Mapping[str, str]]) -> None:
        self._persons = persons
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
        """Return the event without personal data."""
        match event:
            case SessionOpened(title=title, date=day, club=club, place=place):
                return SessionOpened(
                    title=self._name("Session", title),
                    date=self._moved(date.fromisoformat(day)).isoformat(),
                    club=None if club is None else self._name("Club", club),
                    place=None if place is None else self._name("Place", place),
                )  # without its time zone, which reveals the place
            case TableOpened(players=players, session=session):
                names = tuple(self._player(player, stream) for player in players)
                slug = None if session is None else self._slug("session", session)
                return structs.replace(event, players=names, session=slug)
            case PlayerSeated(player=player):
                return structs.replace(event, player=self._player(player, stream))
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

    def _player(self, name: str, stream: str) -> str:
        return self._name("Player", self._persons.get(stream, {}).get(name, name))

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
        """Return a score sheet with only its numbers and the codes of the game."""
        return sheet and {key: self._on_sheet(key, value, game) for key, value in sheet.items()}

    def _on_sheet(self, key: str, value: Any, game: Game) -> Any:
        masked = self._codes(value)
        try:
            msgspec.convert({key: masked}, game.sheet_type)
        except msgspec.ValidationError:
            return value  # a word of the game
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
