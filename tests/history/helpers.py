"""Ledgers made by chance, with corrections and rulings, and what the tests of the read model ask of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import duckdb

from ledger.events import (
    CardPlayed,
    CardsExchanged,
    Corrected,
    DealStarted,
    DisputeRaised,
    Event,
    PlayerSeated,
    RulingGiven,
    SessionOpened,
    TableOpened,
)
from ledger.games import game_named
from ledger.log import Batch, LogStore, NewEntry
from ledger.recording.simulate import simulate_table
from ledger.table.corrections import corrected_reading
from ledger.table.fold import TableFold

NAMES = ("Ann", "Bob", "Cleo", "Dirk", "Ève", '鈴木 "☂"')
SESSIONS = ("spring", "autumn")


def table_events(
    slug: str = "t", deals: int = 3, *, seats: int = 3, session: str | None = None, closed: bool = True, seed: int = 6
) -> list[Event]:
    """A simulated Ombre table."""
    return simulate_table(game_named("ombre"), NAMES[:seats], {}, deals, seed, slug, session=session, closed=closed)


def record(store: LogStore, stream: str, *events: Event, happened_at: str | None = None) -> None:
    """Append the events to a stream."""
    entries = tuple(NewEntry(event, None, happened_at) for event in events)
    store.append(Batch(stream, "any", entries), recorded_by="recorder-1")


def fold_of(store: LogStore, table: str) -> TableFold:
    """The table as corrected."""
    rows = store.read_stream(f"table/{table}")
    return TableFold(corrected_reading([(row.version, row.event()) for row in rows]))


def table_rows(history: Path) -> dict[str, list[str]]:
    """Every row of every table and view of a read model, in an order that does not depend on how it was made"""
    with duckdb.connect(history, read_only=True) as connection:
        return {
            table: sorted(str(row) for row in connection.execute(f"FROM {table}").fetchall())
            for (table,) in connection.execute("SHOW TABLES").fetchall()
        }


def select(history: Path, sql: str, *parameters: Any) -> list[tuple[Any, ...]]:
    with duckdb.connect(history, read_only=True) as connection:
        return connection.execute(sql, list(parameters)).fetchall()


class Club:
    """A club whose records grow by chance: tables in pieces, sessions, substitutions, corrections and rulings."""

    def __init__(self, store: LogStore, seed: int) -> None:
        self.store = store
        self.chance = Random(seed)
        self.waiting: dict[str, list[Event]] = {}
        self.tables: list[str] = []
        self.sessions: list[str] = []

    def do_something(self) -> None:
        """One append of some kind."""
        doings = [
            self.open_table, self.play_on, self.play_on, self.play_on, self.correct, self.rule, self.dispute,
            self.tell_session,
        ]  # fmt: skip
        self.chance.choice(doings)()

    def open_table(self) -> None:
        table = f"t{len(self.tables)}"
        session = self.chance.choice((None, *SESSIONS))
        events = table_events(
            table, self.chance.randint(1, 4), seats=self.chance.choice((3, 4)), session=session,
            closed=self.chance.random() < 0.7, seed=self.chance.randrange(1000),
        )  # fmt: skip
        self.tables.append(table)
        self.waiting[table] = self._with_substitutions(events)
        self.play_on(table)

    def _with_substitutions(self, events: Sequence[Event]) -> list[Event]:
        """Sometimes another player takes a seat before a deal."""
        found: list[Event] = []
        for event in events:
            if isinstance(event, DealStarted) and self.chance.random() < 0.2:
                found.append(PlayerSeated(seat=self.chance.randrange(3), player=self.chance.choice(NAMES)))
            found.append(event)
        return found

    def play_on(self, table: str | None = None) -> None:
        """The next events of a table, cut anywhere."""
        open_tables = [name for name, events in self.waiting.items() if events]
        if table is None and not open_tables:
            return
        table = table or self.chance.choice(open_tables)
        count = self.chance.randint(1, 60)
        events, self.waiting[table] = self.waiting[table][:count], self.waiting[table][count:]
        record(self.store, f"table/{table}", *events)

    def correct(self) -> None:
        """A card was written down wrongly, forgotten, or written twice."""
        if not self.tables:
            return
        table = self.chance.choice(self.tables)
        rows = self.store.read_stream(f"table/{table}")
        plain = [row for row in rows if isinstance(row.event(), CardPlayed | CardsExchanged | PlayerSeated)]
        if not plain:
            return
        row = self.chance.choice(plain)
        action = self.chance.choice(("replace", "strike", "insert_after"))
        instead = CardPlayed(seat=self.chance.randrange(3), card=self.chance.choice(("SA", "H7", "??", "DK")))
        record(
            self.store,
            f"table/{table}",
            Corrected(
                version=row.version, action=action, reason="misread", events=None if action == "strike" else (instead,)
            ),
        )

    def rule(self) -> None:
        """The director decides about a deal."""
        if not self.tables:
            return
        table = self.chance.choice(self.tables)
        fold = fold_of(self.store, table)
        if not fold.deals:
            return
        seats = len(fold.players)
        gain = self.chance.randint(1, 9)
        deltas = (gain, *(0,) * (seats - 2), -gain - 1)
        kind = self.chance.choice(("adjust", "adjust", "replace", "void", "stands"))
        is_payment = kind in ("adjust", "replace")
        ruling = RulingGiven(
            deal=self.chance.choice(fold.deals).number,
            text="so be it",
            kind=kind,
            deltas=deltas if is_payment else None,
            pool=1 if is_payment else None,
        )
        record(self.store, f"table/{table}", ruling)

    def dispute(self) -> None:
        """A player of some deal is not content."""
        if not self.tables:
            return
        table = self.chance.choice(self.tables)
        deals = fold_of(self.store, table).deals
        if deals:
            raised = DisputeRaised(deal=self.chance.choice(deals).number, text="not so!", seat=self.chance.randrange(3))
            record(self.store, f"table/{table}", raised)

    def tell_session(self) -> None:
        """A session is opened, perhaps after its tables, or its date is corrected."""
        session = self.chance.choice(SESSIONS)
        opened = SessionOpened(title=session.title(), date=f"2026-0{self.chance.randint(1, 9)}-15")
        if session in self.sessions:
            correction = Corrected(version=1, action="replace", reason="wrong day", events=(opened,))
            record(self.store, f"session/{session}", correction)
        else:
            self.sessions.append(session)
            record(self.store, f"session/{session}", opened)


def opening(**fields: Any) -> TableOpened:
    return TableOpened(**{"game": "ombre", "players": NAMES[:3], **fields})
