"""What a shell may complete a word to: names of the ledger's tables, sessions and players, of questions and of rules.

Each function is told click's context and what is typed so far. The ledger is read without writing anything beside it,
and where that cannot be, or anything else fails, nothing is completed: a shell shows whatever goes wrong in the middle
of somebody's line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final, TypeAlias

import click

if TYPE_CHECKING:
    from ledger.log.base import LogStore

Completer: TypeAlias = Callable[[click.Context, click.Parameter, str], list[str]]

_SECONDS: Final = 0.4
"""How long players are looked for; those of the newest tables come first."""

_SEATING: Final = (b'"table_opened"', b'"player_seated"')


def _silent(named: Callable[[click.Context], Iterable[str]]) -> Completer:
    """The names that begin with what is typed; none where they cannot be told."""

    @wraps(named)
    def completer(context: click.Context, param: click.Parameter, typed: str) -> list[str]:
        try:
            return [name for name in named(context) if name.casefold().startswith(typed.casefold())]
        except Exception:  # a damaged ledger, a missing one, no permission: nobody asked for it yet
            return []

    return completer


@_silent
def table_names(context: click.Context) -> Iterable[str]:
    from ledger.table.repository import table_slugs

    with _ledger(context) as store:
        return table_slugs(store)


@_silent
def session_names(context: click.Context) -> Iterable[str]:
    with _ledger(context) as store:
        return _sessions(store)


@_silent
def table_or_session_names(context: click.Context) -> Iterable[str]:
    """Tables, then sessions with what tells them from tables."""
    from ledger.streams import SESSION
    from ledger.table.repository import table_slugs

    with _ledger(context) as store:
        return [*table_slugs(store), *(SESSION.stream(slug) for slug in _sessions(store))]


@_silent
def player_names(context: click.Context) -> Iterable[str]:
    """Players as they are shown: those of the table that stands before, else all."""
    with _ledger(context) as store:
        shown = store.display_names()
        left = context.args[:1]  # where click met an option without its value before it gave the words to arguments
        table = context.params.get("table") or (left[0] if left else None)
        return sorted(shown.get(name, name) for name in _players(store, table))


@_silent
def recorded_player_names(context: click.Context) -> Iterable[str]:
    """Players by their names in the record."""
    with _ledger(context) as store:
        return _players(store, None)


DONE_WITH_PLAYERS: Final = ("hide", "link", "links", "show", "unlink")
"""What `trickledger players` does besides showing them."""


@_silent
def words_of_players(context: click.Context) -> Iterable[str]:
    """Players by their names in the record; before the first of them also what is to be done with them."""
    with _ledger(context) as store:
        known = _players(store, None)
    return known if context.params.get("player") else [*known, *DONE_WITH_PLAYERS]


@_silent
def statistic_names(context: click.Context) -> Iterable[str]:
    from ledger.history.questions.statistics import statistics

    return statistics()


@_silent
def plot_names(context: click.Context) -> Iterable[str]:
    from ledger.plots.figures import plots

    return plots()


@_silent
def question_names(context: click.Context) -> Iterable[str]:
    """The questions that were saved beside the ledger."""
    from ledger.history.questions.saved import SavedQuestions

    return SavedQuestions(_path(context)).names()


@_silent
def token_ids(context: click.Context) -> Iterable[str]:
    """What was given out for the service and not revoked since."""
    from ledger import api

    return [facts.id for facts in api.list_tokens(_path(context)) if facts.revoked_at is None]


@_silent
def game_names(context: click.Context) -> Iterable[str]:
    from ledger.games import registered_games

    return sorted(registered_games())


@_silent
def place_names(context: click.Context) -> Iterable[str]:
    """The places at which sessions were held."""
    from ledger.streams import SESSION
    from ledger.table.corrections import corrected_reading
    from ledger.table.repository import opening_of

    with _ledger(context) as store:
        streams = [head.stream for head in store.streams(SESSION.prefix)]
        readings = [[(row.version, row.event()) for row in store.read_stream(stream)] for stream in streams]
        opened = [opening_of(corrected_reading(reading)) for reading in readings]
    return sorted({one.place for one in opened if one is not None and one.place is not None})


@_silent
def option_names(context: click.Context) -> Iterable[str]:
    """The options of the game that stands before, else of all games, each up to its value."""
    from msgspec import structs

    from ledger.games import registered_games

    games = registered_games()
    chosen = games.get(context.params.get("game") or "")
    types = [game.option_type for game in ([chosen] if chosen else games.values())]
    return sorted({f"{field.encode_name}=" for kind in types for field in structs.fields(kind)})


def compared_words(context: click.Context, param: click.Parameter, typed: str) -> list[str]:
    """Filters up to their value, then the values of the one that is typed, where they have names."""
    from ledger.history.questions.selections import COMPARABLE

    name, is_pair, value = typed.partition("=")
    if not is_pair:
        return [f"{one}=" for one in COMPARABLE if one.startswith(name)]
    values = {"player": player_names, "game": game_names, "session": session_names, "place": place_names}
    return [f"{name}={one}" for one in values[name](context, param, value)] if name in values else []


@_silent
def rule_ids(context: click.Context) -> Iterable[str]:
    """The rules of all games; a rulebook that several games share once."""
    from ledger.games import registered_games
    from ledger.games.kernel.rulebook import load

    books = [load(game.package) for game in registered_games().values()]
    return dict.fromkeys(rule.id for book in books for rule in book.rules)


def games_and_rule_ids(context: click.Context, param: click.Parameter, typed: str) -> list[str]:
    return [*game_names(context, param, typed), *rule_ids(context, param, typed)]


def _path(context: click.Context) -> Path:
    """The ledger that the words before name, or the environment; a shell hands on `~` as it stands."""
    path: Path = context.find_root().params["ledger_path"]
    return path.expanduser()


@contextmanager
def _ledger(context: click.Context) -> Iterator[LogStore]:
    """The ledger, read so that no file appears beside it.

    Where somebody has it open, the newest entries are in the write-ahead log, whose index is there then, too.
    """
    from ledger.log.paths import left_by_sqlite
    from ledger.log.stores import open_store

    path = _path(context)
    is_open = all(file.exists() for file in left_by_sqlite(path.resolve()))
    with open_store(path, access="read" if is_open else "sealed", lock_timeout_s=_SECONDS) as store:
        yield store


def _sessions(store: LogStore) -> list[str]:
    from ledger.streams import SESSION

    return [SESSION.slug(head.stream) for head in store.streams(SESSION.prefix)]


def _players(store: LogStore, table: str | None) -> list[str]:
    """Who sat at the table, or, without one, at any; by name."""
    from ledger.streams import TABLE

    streams = [head.stream for head in reversed(store.streams(TABLE.prefix))]
    if table is not None and TABLE.stream(TABLE.slug(table)) in streams:
        streams = [TABLE.stream(TABLE.slug(table))]
    players: set[str] = set()
    until = monotonic() + _SECONDS
    for stream in streams:
        players |= _seated(store, stream)
        if monotonic() > until:
            break
    return sorted(players)


def _seated(store: LogStore, stream: str) -> set[str]:
    """The players of a table as corrected; of its entries only those are taken apart that can seat somebody."""
    from ledger.events import PlayerSeated, TableOpened
    from ledger.table.corrections import corrected_reading

    rows = store.read_stream(stream)
    seating = {row.version for row in rows if any(kind in row.payload for kind in _SEATING)}
    entries = [
        (row.version, row.event())
        for row in rows
        if row.version in seating or (len(seating) > 0 and b'"corrected"' in row.payload)
    ]
    players: set[str] = set()
    for _, event in corrected_reading(entries):
        if isinstance(event, TableOpened):
            players.update(event.players)
        elif isinstance(event, PlayerSeated):
            players.add(event.player)
    return players
