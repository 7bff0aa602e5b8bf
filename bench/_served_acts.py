"""Requests for the service: the acts of simulated tables, one per line of the input of the `wrk` script."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice
from typing import Any, Final

import msgspec

from ledger.api import replay_all
from ledger.events import DealStarted, Event, TableOpened
from ledger.games import game_named
from ledger.log import Batch, LogStore, NewEntry
from ledger.log.append_rules import new_id
from ledger.recording.simulate import PLAYERS, simulate_table
from ledger.streams import TABLE
from ledger.web.http.routing import PREFIX

GAMES: Final = ("kop", "ombre", "quadrille", "couillon")
DEALS: Final = 40
DEALS_READ: Final = 20


def acts_of(number: int, slug: str) -> Iterator[tuple[str, Event]]:
    """Yield acts without end, each with its stream, from one long table after another."""
    name = GAMES[number % len(GAMES)]
    players = PLAYERS[: 3 if name == "ombre" else 4]
    for part in count():
        table = f"{slug}-{part}"
        for event in simulate_table(game_named(name), players, {}, DEALS, 1, table, closed=False):
            yield f"table/{table}", event


def append_lines(name: str, connections: int, most: int, *, as_played: bool) -> list[list[str]]:
    """Return up to `most` requests for each connection, each with one act at tables of its own."""
    return [
        [_line(stream, event, as_played) for stream, event in islice(acts_of(number, f"{name}-{number}"), most)]
        for number in range(connections)
    ]


def request_of(stream: str, event: Event, *, as_played: bool = False) -> tuple[str, bytes]:
    """Return the path and body that record an event: an opening opens a table, others go to their stream."""
    sent: dict[str, Any]
    if isinstance(event, TableOpened):
        path, sent = "/tables", {"id": new_id(), "slug": TABLE.slug(stream), "event": event}
    else:
        path = f"/streams/{stream}/entries"
        sent = {"entries": [{"id": new_id(), "event": event}], "as_played": as_played}
    return PREFIX + path, msgspec.json.encode(sent)


def _line(stream: str, event: Event, as_played: bool) -> str:
    path, body = request_of(stream, event, as_played=as_played)
    return f"{path}\t{body.decode()}"


def tables_to_read(store: LogStore, slugs: list[str]) -> list[str]:
    """Record a table for each slug, as one batch, and return the addresses of all steps of their deals."""
    paths = []
    for number, slug in enumerate(slugs):
        name = GAMES[number % len(GAMES)]
        players = PLAYERS[: 3 if name == "ombre" else 4]
        events = simulate_table(game_named(name), players, {}, DEALS_READ, 1, slug)
        store.append(Batch(f"table/{slug}", 0, tuple(map(NewEntry, events))), recorded_by="bench")
        for deal in range(1, sum(isinstance(event, DealStarted) for event in events) + 1):
            states = sum(1 for _ in replay_all(store, slug, deal))
            paths += [f"{PREFIX}/tables/{slug}/deals/{deal}/steps/{step}" for step in range(states)]
    return paths
