"""A ledger of any size for measurements: random tables of all games, an evening each, in sessions."""

from __future__ import annotations

from itertools import cycle, islice

from ledger.events import SessionOpened
from ledger.games import game_named
from ledger.log import Batch, LogStore, NewEntry
from ledger.recording.simulate import simulate_table

DEALS_A_TABLE = 20
TABLES_A_SESSION = 8
MEMBERS = ("Ann", "Bob", "Cleo", "Dirk", "Ève", "Falk", "Gül", "Hana", "Ines", "Jan", "Kim", "Lea")
GAMES = {"ombre": 3, "quadrille": 4, "couillon": 4, "kop": 4}
"""The games by turns, with their seats."""


def fill(store: LogStore, deals: int, games: dict[str, int] = GAMES) -> list[str]:
    """Record tables until there are so many deals, and answer their names."""
    made = 0
    tables: list[str] = []
    for number, (game, seats) in enumerate(cycle(games.items())):
        session = f"evening-{number // TABLES_A_SESSION}"
        if number % TABLES_A_SESSION == 0:
            opened = SessionOpened(
                title=session, date=f"{2000 + number % 25}-{1 + number % 12:02}-{1 + number % 28:02}"
            )
            store.append(Batch(f"session/{session}", 0, (NewEntry(opened),)), recorded_by="bench")
        table = f"bench-{number}"
        players = tuple(islice(cycle(MEMBERS), number % len(MEMBERS), number % len(MEMBERS) + seats))
        events = simulate_table(game_named(game), players, {}, DEALS_A_TABLE, 1, table, session=session)
        store.append(Batch(f"table/{table}", 0, tuple(map(NewEntry, events))), recorded_by="bench")
        tables.append(table)
        made += sum(event.__struct_config__.tag == "deal_started" for event in events)
        if made >= deals:
            return tables
    raise AssertionError("the games never end")
