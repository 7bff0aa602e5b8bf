"""Seasons of every size and kind, for what a picture must look like whatever was played."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from itertools import cycle, islice
from typing import Final

from ledger.events import DealStarted, Event, ResultRecorded, RulingGiven, SessionOpened, TableClosed, TableOpened
from ledger.log import MemoryStore
from tests.history.helpers import record, table_events

BY_TURNS: Final = ((1, [2, 5, 2]), (2, [3, 5, 1]), (0, [5, 2, 2]), (0, [3, 3, 3]), (2, [4, 1, 4]))
"""Seats of an ombre and the tricks of all: deals of which only the result was recorded."""

LONG: Final = ["Maximiliane von Hohenlohe-Schillingsfürst", "Wilhelmina Konstancja Brzęczyszczykiewicz-Łękołodzka"]


def results(store: MemoryStore, table: str, opened: TableOpened, *deals: tuple[int, list[int]]) -> None:
    """Record a table of deals of which only the result was recorded: the seat of the ombre, and the tricks."""
    events: list[Event] = [opened]
    for number, (ombre, tricks) in enumerate(deals, 1):
        outcome = {"ombre": ombre, "contract": "entrada", "trump": "S", "tricks": tricks}
        events += [DealStarted(deal=number, dealer=(number - 1) % 3), ResultRecorded(outcome=outcome)]
    record(store, f"table/{table}", *events, TableClosed())


def played(store: MemoryStore, number: int, game: str, names: list[str], deals: int = 4, days_apart: int = 1) -> None:
    """Record a table of an evening of its own."""
    session = f"evening-{number:03}"
    day = date(2026, 1, 2) + timedelta(days=days_apart * number)
    record(store, f"session/{session}", SessionOpened(title=session, date=str(day)))
    table = f"evening-of-the-club-{number:03}"
    seats, options = len(names), {"ante": 5} if game in ("ombre", "quadrille") else {}
    events = table_events(
        table, deals, game=game, seats=seats, names=names, options=options, session=session, seed=number
    )
    record(store, f"table/{table}", *events)


def one_deal(store: MemoryStore) -> None:
    played(store, 1, "ombre", ["Ann", "Bob", "Cleo"], 1)


def one_evening(store: MemoryStore) -> None:
    record(store, "session/spring", SessionOpened(title="Spring", date="2026-03-20"))
    for number in range(3):
        names = ["Ann", "Bob", "Cleo", '鈴木 "☂"'][number % 2 :][:3]
        record(store, f"table/t{number}", *table_events(f"t{number}", 6, names=names, session="spring", seed=number))


def three_players(store: MemoryStore) -> None:
    for number in range(20):
        played(store, number, "ombre", ["Ann", "Bob", "Cleo"], 3, days_apart=17)


def forty_players(store: MemoryStore) -> None:
    players = [*LONG, *(f"{name} {number}" for number in range(19) for name in ("Łukasz Zażółć", "鈴木花子"))]
    for number in range(30):
        names = [players[(4 * number + 7 * seat) % 40] for seat in range(4)]
        played(store, number, ("quadrille", "kop")[number % 2], names)


def many_deals(store: MemoryStore) -> None:
    opened = TableOpened(game="ombre", players=["Ann", "Bob", "Cleo"])
    results(store, "long", opened, *islice(cycle(BY_TURNS), 4000))
    for number in range(2):
        results(store, f"t{number}", opened, *islice(cycle(BY_TURNS[number:]), 500))


def games_mixed(store: MemoryStore) -> None:
    for number in range(15):
        game, seats = (("ombre", 3), ("kop", 4), ("quadrille", 4), ("couillon", 4), ("baska", 4))[number % 5]
        played(store, number, game, [*LONG, "Cleo", "Dirk"][:seats], 8)


def one_outlier(store: MemoryStore) -> None:
    opened = TableOpened(game="ombre", players=["Ann", "Bob", "Cleo"])
    results(store, "t", opened, *islice(cycle(BY_TURNS), 60))
    ruling = RulingGiven(deal=7, text="a bet", kind="replace", deltas=(52_000, -26_000, -26_000), pool=0)
    record(store, "table/t", ruling)


def nothing(store: MemoryStore) -> None:
    record(store, "session/spring", SessionOpened(title="Spring", date="2026-03-20"))


SEASONS: Final[dict[str, Callable[[MemoryStore], None]]] = {
    season.__name__: season
    for season in (
        one_deal, one_evening, three_players, forty_players, many_deals, games_mixed, one_outlier, nothing,
    )
}  # fmt: skip
