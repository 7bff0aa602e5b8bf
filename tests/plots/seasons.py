"""Seasons of every size and kind, from seasons.toml."""

import tomllib
from datetime import date, timedelta
from itertools import cycle, islice
from pathlib import Path
from typing import Any, Final

from ledger.events import DealStarted, Event, ResultRecorded, RulingGiven, SessionOpened, TableClosed, TableOpened
from ledger.log import MemoryStore
from tests.history.helpers import record, table_events

SEASONS: Final[dict[str, dict[str, Any]]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))

BY_TURNS: Final = ((1, [2, 5, 2]), (2, [3, 5, 1]), (0, [5, 2, 2]), (0, [3, 3, 3]), (2, [4, 1, 4]))
SEATS: Final = {"ombre": 3}


def results(store: MemoryStore, table: str, opened: TableOpened, *deals: tuple[int, list[int]]) -> None:
    """Record a table of deals with only their results: the seat of the ombre, and the tricks."""
    events: list[Event] = [opened]
    for number, (ombre, tricks) in enumerate(deals, 1):
        outcome = {"ombre": ombre, "contract": "entrada", "trump": "S", "tricks": tricks}
        events += [DealStarted(deal=number, dealer=(number - 1) % 3), ResultRecorded(outcome=outcome)]
    record(store, f"table/{table}", *events, TableClosed())


def season_of(kind: str) -> MemoryStore:
    store, season = MemoryStore(), SEASONS[kind]
    days, players = season.get("days", 1), season.get("players", [])
    for number in range(season.get("tables", 0)):
        session = f"evening-{number * days:03}"
        if number == 0 or days:
            day = date(2026, 1, 2) + timedelta(days=days * number)
            record(store, f"session/{session}", SessionOpened(title=session, date=str(day)))
        game = season["games"][number % len(season["games"])]
        first, seats = season.get("step", 0) * number, SEATS.get(game, 4)
        names = [players[(first + seat) % len(players)] for seat in range(seats)]
        table = f"evening-of-the-club-{number:03}"
        events = table_events(table, season["deals"], game=game, seats=seats, names=names, session=session, seed=number)
        record(store, f"table/{table}", *events)
    for number, deals in enumerate(season.get("results", [])):
        opened = TableOpened(game="ombre", players=["Ann", "Bob", "Cleo"])
        results(store, f"t{number}", opened, *islice(cycle(BY_TURNS[number:]), deals))
    if ruling := season.get("ruling"):
        given = RulingGiven(deal=7, text="a bet", kind="replace", deltas=tuple(ruling), pool=0)
        record(store, "table/t0", given)
    if not store.head().position:
        record(store, "session/empty", SessionOpened(title="Empty", date="2026-03-20"))
    return store
