"""Random ledgers with corrections and rulings, and queries of their read models."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import cache, lru_cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Self

import duckdb
from duckdb import DuckDBPyConnection

from ledger import events as ev
from ledger.games import game_named
from ledger.history import History, catch_up, default_history_path, open_history
from ledger.history.model.database import attached, opened_file
from ledger.history.model.projector import Task, advance
from ledger.history.model.schema import create_tables
from ledger.log import Batch, LogStore, MemoryStore, NewEntry, SqliteStore
from ledger.recording.simulate import simulate_table
from ledger.table.corrections import corrected_reading
from ledger.table.fold import TableFold

NAMES = ("Ann", "Bob", "Cleo", "Dirk", "Ève", '鈴木 "☂"')
SESSIONS = ("spring", "autumn")


def table_events(
    slug: str = "t", deals: int = 3, *, game: str = "ombre", seats: int = 3, names: Sequence[str] = NAMES,
    options: Mapping[str, Any] | None = None, session: str | None = None, closed: bool = True, seed: int = 6,
) -> list[ev.Event]:  # fmt: skip
    """Return the events of a simulated table of the first `seats` of these names."""
    chosen = tuple((options or {}).items())
    return list(_simulated(game, tuple(names[:seats]), chosen, deals, seed, slug, session, closed))


@lru_cache(maxsize=200)  # the same for all tests
def _simulated(
    game: str, players: Sequence[str], options: Sequence[tuple[str, Any]], deals: int, seed: int, slug: str,
    session: str | None, closed: bool,
) -> Sequence[ev.Event]:  # fmt: skip
    return simulate_table(game_named(game), players, dict(options), deals, seed, slug, session=session, closed=closed)


def record(store: LogStore, stream: str, *events: ev.Event, happened_at: str | None = None) -> None:
    entries = tuple(NewEntry(event, None, happened_at) for event in events)
    store.append(Batch(stream, "any", entries), recorded_by="recorder-1")


def fold_of(store: LogStore, table: str) -> TableFold:
    """Return the table as corrected."""
    rows = store.read_stream(f"table/{table}")
    return TableFold(corrected_reading([(row.version, row.event()) for row in rows]))


def ledger_at(path: Path, *tables: str, has_model: bool = False) -> Path:
    """Make a ledger of simulated tables, if wanted with its read model."""
    with SqliteStore.create(path) as store:
        for table in tables:
            record(store, f"table/{table}", *table_events(table))
        if has_model:
            catch_up(store, default_history_path(path))
    return path


@contextmanager
def opened_history(store: LogStore) -> Iterator[History]:
    with TemporaryDirectory() as folder:
        catch_up(store, Path(folder) / "h.duckdb")
        with open_history(Path(folder) / "h.duckdb") as history:
            yield history


def table_rows(history: Path, without: str = "") -> dict[str, list[str]]:
    """Return every row of every table and view of a read model, sorted. The column `without` is left out."""
    columns = f"COLUMNS(lambda name: name <> '{without}')"
    with opened_file(history, readonly=True) as connection:
        return {
            table: sorted(str(row) for row in connection.execute(f"SELECT {columns} FROM {table}").fetchall())
            for (table,) in connection.execute("SHOW TABLES").fetchall()
        }


@cache
def _in_memory() -> DuckDBPyConnection:
    connection = duckdb.connect(config={"threads": 1})
    create_tables(connection)
    return connection


class Model:
    """A read model in memory, by default of a ledger in memory; before each query it catches up.

    All instances share the same tables, because creating them takes most of a small read model's time: a new instance
    ends those before it.
    """

    def __init__(self, store: LogStore | None = None) -> None:
        self.store = MemoryStore() if store is None else store
        self.connection = _in_memory()
        self._known: tuple[int, dict[str, str]] | None = None
        for table in self.tables():
            if table != "card_facts":
                self.connection.execute(f"DELETE FROM {table}")

    def tables(self) -> list[str]:
        """Return the tables with rows of their own; views show the same in other ways."""
        rows = self.connection.execute("SELECT table_name FROM duckdb_tables() WHERE database_name = 'memory'")
        return [table for (table,) in rows.fetchall()]

    def record(self, stream: str, *events: ev.Event, happened_at: str | None = None) -> None:
        record(self.store, stream, *events, happened_at=happened_at)

    def catch_up(self) -> None:
        now = self.store.head().position, self.store.people().persons()
        if self._known != now:
            after = self._known[0] if self._known else 0
            with closing(self.connection.cursor()) as cursor, TemporaryDirectory() as folder:
                advance(cursor, Task(store=self.store, path=Path(folder) / "history.duckdb"), after)
            self._known = now

    def select(self, sql: str, *parameters: Any) -> list[tuple[Any, ...]]:
        self.catch_up()
        return self.connection.execute(sql, list(parameters)).fetchall()

    def differences(
        self, history: Path, *, but: Collection[str] = (), without: Collection[str] = (), with_views: bool = False
    ) -> dict[str, Any]:
        """Return by table the rows that only another read model has, and those that it lacks.

        Tables in `but` and columns in `without` are left out.
        """
        views_sql = "SELECT view_name FROM duckdb_views() WHERE NOT internal AND database_name = 'memory'"
        views = [view for (view,) in self.select(views_sql)] if with_views else []
        self.catch_up()
        with attached(self.connection, history, readonly=True) as name:
            parts: dict[str, list[str]] = {name: [], "memory": []}
            for table in [*self.tables(), *views]:
                names = [f'"{name}"' for name in self.connection.table(table).columns if name not in without]
                for owner, selections in parts.items() if table not in but else ():
                    selections.append(f"SELECT {', '.join(names)} FROM {owner}.{table}")
            sums = [
                sorted(self.select(" UNION ALL ".join(map(_SUM.format, range(len(selections)), selections))))
                for selections in parts.values()
            ]
            return {
                other: [self.select(f"{other} EXCEPT ALL {made}"), self.select(f"{made} EXCEPT ALL {other}")]
                for other, made, *counted in zip(*parts.values(), *sums, strict=True)
                if counted[0] != counted[1]
            }


_SUM = "SELECT {}, count(*), sum(hash(row)) FROM ({}) AS row"


def assert_as_made_anew(store: LogStore, history: Path) -> None:
    differences = Model(store).differences(history)
    assert differences == {}, differences


def select(history: Path, sql: str, *parameters: Any) -> list[tuple[Any, ...]]:
    with opened_file(history, readonly=True) as connection:
        return connection.execute(sql, list(parameters)).fetchall()


class Club:
    """A club whose records grow at random: tables in pieces, sessions, substitutions, corrections and rulings."""

    def __init__(self, store: LogStore, seed: int) -> None:
        self.store = store
        self.chance = Random(seed)
        self.waiting: dict[str, list[ev.Event]] = {}
        self.tables: list[str] = []
        self.sessions: list[str] = []

    def do(self, times: int) -> Self:
        for _ in range(times):
            self.do_something()
        return self

    def do_something(self) -> None:
        doings = [
            self.open_table, self.play_on, self.play_on, self.play_on, self.correct, self.rule, self.dispute,
            self.change_session,
        ]  # fmt: skip
        doing = self.chance.choice(doings)
        if self.tables or doing not in (self.correct, self.rule, self.dispute):
            doing()

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

    def _with_substitutions(self, events: Sequence[ev.Event]) -> list[ev.Event]:
        substituted: list[ev.Event] = []
        for event in events:
            if isinstance(event, ev.DealStarted) and self.chance.random() < 0.2:
                substituted.append(ev.PlayerSeated(seat=self.chance.randrange(3), player=self.chance.choice(NAMES)))
            substituted.append(event)
        return substituted

    def play_on(self, table: str | None = None) -> None:
        """Append the next events of a table, cut anywhere."""
        open_tables = [name for name, events in self.waiting.items() if events]
        if table is None and not open_tables:
            return
        table = table or self.chance.choice(open_tables)
        count = self.chance.randint(1, 60)
        events, self.waiting[table] = self.waiting[table][:count], self.waiting[table][count:]
        record(self.store, f"table/{table}", *events)

    def correct(self) -> None:
        """Correct a card that was written down wrongly, forgotten, or written twice."""
        table = self.chance.choice(self.tables)
        rows = self.store.read_stream(f"table/{table}")
        plain = [row for row in rows if isinstance(row.event(), ev.CardPlayed | ev.CardsExchanged | ev.PlayerSeated)]
        if not plain:
            return
        row = self.chance.choice(plain)
        action = self.chance.choice(("replace", "strike", "insert_after"))
        instead = ev.CardPlayed(seat=self.chance.randrange(3), card=self.chance.choice(("SA", "H7", "??", "DK")))
        events = None if action == "strike" else (instead,)
        record(self.store, f"table/{table}", ev.Corrected(row.version, action, "misread", events))

    def rule(self) -> None:
        table = self.chance.choice(self.tables)
        fold = fold_of(self.store, table)
        if not fold.deals:
            return
        seats = len(fold.players)
        gain = self.chance.randint(1, 9)
        deltas = (gain, *(0,) * (seats - 2), -gain - 1)
        kind = self.chance.choice(("adjust", "adjust", "replace", "void", "stands"))
        payment = {"deltas": deltas, "pool": 1} if kind in ("adjust", "replace") else {}
        deal = self.chance.choice(fold.deals).number
        record(self.store, f"table/{table}", ev.RulingGiven(deal=deal, text="so be it", kind=kind, **payment))

    def dispute(self) -> None:
        table = self.chance.choice(self.tables)
        deals = fold_of(self.store, table).deals
        if deals:
            raised = ev.DisputeRaised(
                deal=self.chance.choice(deals).number, text="not so!", seat=self.chance.randrange(3)
            )
            record(self.store, f"table/{table}", raised)

    def change_session(self) -> None:
        """Open a session, perhaps after its tables, or correct its date."""
        session = self.chance.choice(SESSIONS)
        opened = ev.SessionOpened(title=session.title(), date=f"2026-0{self.chance.randint(1, 9)}-15")
        if session in self.sessions:
            correction = ev.Corrected(version=1, action="replace", reason="wrong day", events=(opened,))
            record(self.store, f"session/{session}", correction)
        else:
            self.sessions.append(session)
            record(self.store, f"session/{session}", opened)


def opening(**fields: Any) -> ev.TableOpened:
    return ev.TableOpened(**{"game": "ombre", "players": NAMES[:3], **fields})
