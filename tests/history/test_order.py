"""Every answer of the history has one order, whatever the order of rows in the database."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from ledger.cli.demo import QUESTION
from ledger.events import SessionOpened
from ledger.games import registered_games
from ledger.history import Filters, History, LeagueRules, catch_up, export_parquet, plot_queries, statistics
from ledger.history.model.integrity import sealing
from ledger.history.model.schema import read_meta
from ledger.history.questions.answers import Answer
from ledger.history.questions.statistics import NamedQuery, group_queries, report_queries
from ledger.log import MemoryStore
from ledger.plots.figures import YEAR
from tests.covering import IS_SOAK
from tests.history.helpers import NAMES, SESSIONS, Club, record, select, table_events

SHUFFLES = (0, 7, 13) if IS_SOAK else (0, 7)
"""Seeds of the order in which the rows of each table are stored; 0 leaves them."""

pytestmark = [pytest.mark.soak] if IS_SOAK else []

THREADS = {0: (1, 4), 7: (1, 4), 13: (1, 4)} if IS_SOAK else {0: (1,), 7: (4,)}


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Return the read model of a club with substitutions and several adjustments of a deal, in several row orders."""
    store, folder = MemoryStore(), tmp_path_factory.mktemp("orders")
    club = Club(store, seed=11).do(150)
    for _ in range(60):
        club.rule()
    for game in registered_games():
        record(store, f"table/{game}", *table_events(game, 9, game=game, seats=4, session=SESSIONS[0], seed=3))
    record(store, "session/hall", SessionOpened(title="In the hall", date="2026-01-15", place="Łódź"))
    catch_up(store, folder / "made.duckdb")
    return [shuffled(folder / "made.duckdb", folder / f"{seed}.duckdb", seed) for seed in SHUFFLES]


def shuffled(made: Path, path: Path, seed: int) -> Path:
    """Return a copy with the same rows in another order."""
    shutil.copy(made, path)
    with path.open("rb") as file, sealing(path, file), duckdb.connect(path) as connection:
        for (table,) in connection.execute("SELECT table_name FROM duckdb_tables() WHERE NOT internal").fetchall():
            if seed:
                connection.execute(f"CREATE TEMP TABLE rows AS FROM {table} ORDER BY hash(rowid * {seed})")
                connection.execute(f"DELETE FROM {table}; INSERT INTO {table} FROM rows; DROP TABLE rows")
    return path


def histories(models: list[Path]) -> Iterator[History]:
    for seed, path in zip(SHUFFLES, models, strict=True):
        for threads in THREADS[seed]:
            with duckdb.connect(path, read_only=True, config={"threads": threads}) as connection:
                meta = read_meta(connection)
                assert meta is not None
                yield History(connection, path, meta.head)


def answers(history: History) -> Iterator[tuple[str, Answer]]:
    for name, statistic in statistics().items():
        rules = {"rules": LeagueRules(title="all", points=(3, 1), best=3)} if "rules" in statistic.parameters else {}
        yield name, history.statistic(name, Filters(**rules)).answer
    others: dict[str, NamedQuery] = {**plot_queries(), **report_queries(), **group_queries()}
    for name, query in others.items():
        filters = {"session": SESSIONS[0]} if query.parameters == ("session",) else {}
        of_whom = {"player": NAMES[0]} if name == YEAR else {}
        yield f"{name}.sql", history.answer_to(query, Filters(**filters, **of_whom)).answer


def test_the_order_of_every_answer_is_total(models: list[Path]) -> None:
    expected: dict[str, Answer] = {}
    differing = set()
    for history in histories(models):
        answered = dict(answers(history))
        expected = expected or answered
        differing |= {name for name, answer in answered.items() if answer != expected[name]}
    assert differing == set()
    assert [name for name, answer in expected.items() if not answer.rows] == []


def test_the_order_of_the_demonstration_is_total(models: list[Path]) -> None:
    all_cards = QUESTION.removesuffix(" LIMIT 5")  # some of which are level
    answered = [select(path, all_cards) for path in models]
    assert len({led for _, led in answered[0]}) < len(answered[0])
    assert all(rows == answered[0] for rows in answered)


def test_the_same_rows_make_the_same_parquet_files(models: list[Path], tmp_path: Path) -> None:
    written = []
    for number, path in enumerate(models):
        folder = tmp_path / str(number)
        export_parquet(path, folder)
        written.append({file.relative_to(folder): file.read_bytes() for file in folder.rglob("*.parquet")})
    assert written[0]
    assert all(files == written[0] for files in written)
