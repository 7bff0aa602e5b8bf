"""Completions of arguments for shells: tables, sessions, players, statistics, saved queries, rules.

Each function gets click's context and the incomplete word. The ledger is opened without creating files next to it. If
anything fails, nothing is completed, since a shell would print the error in the middle of the command line.
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
"""The longest search for players, in seconds; the newest tables come first."""

_SEATING: Final = (b'"table_opened"', b'"player_seated"')


def _silent(named: Callable[[click.Context], Iterable[str]]) -> Completer:
    """Return a completer for the names that begin with the incomplete word; it returns none if they cannot be read."""

    @wraps(named)
    def completer(context: click.Context, param: click.Parameter, typed: str) -> list[str]:
        try:
            return [name for name in named(context) if name.casefold().startswith(typed.casefold())]
        except Exception:  # e.g. a damaged ledger, which the command itself will report
            return []

    return completer


@_silent
def table_names(context: click.Context) -> Iterable[str]:
    """Return the names of all tables."""
    from ledger.table.repository import table_slugs

    with _ledger(context) as store:
        return table_slugs(store)


@_silent
def session_names(context: click.Context) -> Iterable[str]:
    """Return the names of all sessions."""
    with _ledger(context) as store:
        return _sessions(store)


@_silent
def table_or_session_names(context: click.Context) -> Iterable[str]:
    """Return the names of all tables, then those of sessions as `session/NAME`."""
    from ledger.streams import SESSION
    from ledger.table.repository import table_slugs

    with _ledger(context) as store:
        return [*table_slugs(store), *(SESSION.stream(slug) for slug in _sessions(store))]


@_silent
def player_names(context: click.Context) -> Iterable[str]:
    """Return players as displayed: those of the table named earlier in the command, else all."""
    with _ledger(context) as store:
        shown = store.display_names()
        left = context.args[:1]  # click met an option without its value before it parsed the arguments
        table = context.params.get("table") or (left[0] if left else None)
        return sorted(shown.get(name, name) for name in _players(store, table))


@_silent
def recorded_player_names(context: click.Context) -> Iterable[str]:
    """Return players by their names in the record, or those that stand for their handles."""
    with _ledger(context) as store:
        return _typed_names(store)


DONE_WITH_PLAYERS: Final = ("hide", "link", "links", "show", "unlink")
"""The actions of `trickledger players`."""


@_silent
def words_of_players(context: click.Context) -> Iterable[str]:
    """Return players by their names in the record; for the first argument also the actions."""
    with _ledger(context) as store:
        known = _typed_names(store)
    return known if context.params.get("player") else [*known, *DONE_WITH_PLAYERS]


@_silent
def statistic_names(context: click.Context) -> Iterable[str]:
    """Return the names of the statistics."""
    from ledger.history.questions.statistics import statistics

    return statistics()


@_silent
def plot_names(context: click.Context) -> Iterable[str]:
    """Return the names of the plots."""
    from ledger.plots.figures import plots

    return plots()


@_silent
def question_names(context: click.Context) -> Iterable[str]:
    """Return the names of the queries saved next to the ledger."""
    from ledger import api

    return api.saved_questions(_address(context)).names()


@_silent
def token_ids(context: click.Context) -> Iterable[str]:
    """Return the ids of all tokens that are not revoked."""
    from ledger import api

    return [facts.id for facts in api.list_tokens(_address(context)) if facts.revoked_at is None]


@_silent
def game_names(context: click.Context) -> Iterable[str]:
    """Return the names of the games."""
    from ledger.games import registered_games

    return sorted(registered_games())


@_silent
def place_names(context: click.Context) -> Iterable[str]:
    """Return the places at which sessions were held."""
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
    """Return `NAME=` for each option of the game named earlier in the command, else of all games."""
    from msgspec import structs

    from ledger.games import registered_games

    games = registered_games()
    chosen = games.get(context.params.get("game") or "")
    types = [game.option_type for game in ([chosen] if chosen else games.values())]
    return sorted({f"{field.encode_name}=" for kind in types for field in structs.fields(kind)})


def compared_words(context: click.Context, param: click.Parameter, typed: str) -> list[str]:
    """Return `FILTER=` for each filter, then the values of the filter that is typed if they have names."""
    from ledger.history.questions.selections import COMPARABLE

    name, is_pair, value = typed.partition("=")
    if not is_pair:
        return [f"{one}=" for one in COMPARABLE if one.startswith(name)]
    values = {"player": player_names, "game": game_names, "session": session_names, "place": place_names}
    return [f"{name}={one}" for one in values[name](context, param, value)] if name in values else []


@_silent
def rule_ids(context: click.Context) -> Iterable[str]:
    """Return the ids of all rules, those of a shared rulebook once."""
    from ledger.games import registered_games
    from ledger.games.kernel.rulebook import load

    books = [load(game.package) for game in registered_games().values()]
    return dict.fromkeys(rule.id for book in books for rule in book.rules)


def games_and_rule_ids(context: click.Context, param: click.Parameter, typed: str) -> list[str]:
    """Return the games for the rulebooks, then the ids of all rules."""
    return [*game_names(context, param, typed), *rule_ids(context, param, typed)]


def _address(context: click.Context) -> str | Path:
    """Return the ledger named by the arguments or the environment; a shell passes `~` on unexpanded."""
    ledger: str | Path = context.find_root().params["ledger"]
    return ledger.expanduser() if isinstance(ledger, Path) else ledger


@contextmanager
def _ledger(context: click.Context) -> Iterator[LogStore]:
    """Open the ledger without creating files next to it.

    If another process has it open, the newest entries are in the write-ahead log, whose index then exists, too.
    """
    from ledger.log.paths import left_by_sqlite
    from ledger.log.stores import file_of, is_file, open_store

    where = _address(context)
    is_open = is_file(where) and all(file.exists() for file in left_by_sqlite(file_of(where).resolve()))
    with open_store(where, access="read" if is_open else "sealed", lock_timeout_s=_SECONDS) as store:
        yield store


def _sessions(store: LogStore) -> list[str]:
    from ledger.streams import SESSION

    return [SESSION.slug(head.stream) for head in store.streams(SESSION.prefix)]


def _players(store: LogStore, table: str | None) -> list[str]:
    """Return the players of the table, or of any table without one, sorted by name."""
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


def _typed_names(store: LogStore) -> list[str]:
    """Return the players by the names that commands take: those of the record, for handles the names that are shown."""
    shown = store.display_names() if store.has_handles else {}
    return sorted(shown.get(name, name) for name in {*_players(store, None), *shown})


def _seated(store: LogStore, stream: str) -> set[str]:
    """Return the players of a table after corrections, decoding only entries that can seat somebody."""
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
