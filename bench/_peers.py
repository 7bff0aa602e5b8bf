"""Three queries of the read model, and the same queries in SQLite and polars over the same rows.

SQLite has the rows in a file with an index for each query; polars holds them in memory as data frames. All must return
the same rows.
"""

from __future__ import annotations

import sqlite3
import statistics
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import duckdb
import polars
from polars import col

ROUNDS = 3
Rows = list[tuple[Any, ...]]

POINTS = "table_name, game, seat, player, amount"
DEALS = "game, contract, declarer, status, result, declarer_won"

# The same text for DuckDB and SQLite.
QUESTIONS = {
    "standings": """
        SELECT player, sum(amount), count(DISTINCT table_name) FROM points GROUP BY player ORDER BY player""",
    "contracts won": """
        SELECT game, contract, count(*), count(*) FILTER (WHERE declarer_won) FROM deals
        WHERE status = 'complete' AND result IS NOT NULL AND contract IS NOT NULL AND declarer IS NOT NULL
        GROUP BY game, contract ORDER BY game, contract""",
    "head to head": """
        WITH made AS (
          SELECT table_name, game, player, min(seat) AS seat, sum(amount) AS points
          FROM points GROUP BY table_name, game, player
        )
        SELECT mine.player, theirs.player, count(*), count(*) FILTER (WHERE mine.points > theirs.points)
        FROM made AS mine JOIN made AS theirs ON mine.table_name = theirs.table_name AND mine.player <> theirs.player
        WHERE mine.game <> 'couillon' OR mine.seat % 2 <> theirs.seat % 2
        GROUP BY mine.player, theirs.player ORDER BY mine.player, theirs.player""",
}
INDEXES = (
    "points (player, table_name, amount)",
    "points (table_name, game, player, seat, amount)",
    "deals (game, contract, status, result, declarer, declarer_won)",
)


def compared(history: Path, folder: Path) -> dict[str, float]:
    """Return how long each query takes us, in ms, and how many times as long it takes the peers."""
    figures: dict[str, float] = {}
    with closing(duckdb.connect(history, read_only=True)) as ours, closing(_in_sqlite(ours, folder)) as in_sqlite:
        in_polars = _in_polars(ours, folder)
        for name, sql in QUESTIONS.items():
            ways: Mapping[str, Callable[[], Rows]] = {
                "ours": partial(_rows, ours, sql),
                "SQLite": partial(_rows, in_sqlite, sql),
                "polars": in_polars[name],
            }
            took_ms = _taking_turns(ways)
            figures[f"{name} (ms)"] = took_ms["ours"]
            for peer in ("SQLite", "polars"):
                figures[f"{name}, {peer} takes so many times as long (ratio)"] = took_ms[peer] / took_ms["ours"]
    return figures


def _rows(connection: duckdb.DuckDBPyConnection | sqlite3.Connection, sql: str) -> Rows:
    return connection.execute(sql).fetchall()


def _taking_turns(ways: Mapping[str, Callable[[], Rows]]) -> dict[str, float]:
    """Return the median times in ms, measured in turns. Raise `AssertionError` if two answers differ."""
    took: dict[str, list[float]] = {way: [] for way in ways}
    for _ in range(ROUNDS):
        answers = {}
        for way, ask in ways.items():
            start = time.perf_counter()
            answers[way] = ask()
            took[way].append(1000 * (time.perf_counter() - start))
        for way, answer in answers.items():
            assert answer == answers["ours"], f"{way} answers {answer[:3]} …, we answer {answers['ours'][:3]} …"
    return {way: statistics.median(times) for way, times in took.items()}


def _in_sqlite(ours: duckdb.DuckDBPyConnection, folder: Path) -> sqlite3.Connection:
    peer = sqlite3.connect(folder / "peer.sqlite")
    for table, columns in {"points": POINTS, "deals": DEALS}.items():
        peer.execute(f"CREATE TABLE {table} ({columns})")
        rows_read = ours.execute(f"SELECT {columns} FROM {table}")
        rows = chain.from_iterable(iter(partial(rows_read.fetchmany, 50_000), []))
        peer.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(columns.split(',')))})", rows)
    for index, columns in enumerate(INDEXES):
        peer.execute(f"CREATE INDEX index_{index} ON {columns}")
    peer.execute("ANALYZE")
    peer.commit()
    return peer


def _in_polars(ours: duckdb.DuckDBPyConnection, folder: Path) -> dict[str, Callable[[], Rows]]:
    frames = {}
    for table, columns in {"points": POINTS, "deals": DEALS}.items():
        file = folder / f"{table}.parquet"
        ours.execute(f"COPY (SELECT {columns} FROM {table}) TO '{file}'")
        frames[table] = polars.read_parquet(file)
    points, deals = frames["points"], frames["deals"]

    def standings() -> Rows:
        rows_read = points.lazy().group_by("player").agg(col("amount").sum(), col("table_name").n_unique())
        rows: Rows = rows_read.sort("player").collect().rows()
        return rows

    def contracts_won() -> Rows:
        is_counted = (col("status") == "complete") & col("result").is_not_null() & col("declarer").is_not_null()
        chosen = deals.lazy().filter(is_counted & col("contract").is_not_null())
        counts = chosen.group_by("game", "contract").agg(polars.len().alias("played"), col("declarer_won").sum())
        rows: Rows = counts.sort("game", "contract").collect().rows()
        return rows

    def head_to_head() -> Rows:
        made = points.lazy().group_by("table_name", "game", "player").agg(col("seat").min(), col("amount").sum())
        pairs = made.join(made, on="table_name", suffix="_other").filter(
            (col("player") != col("player_other"))
            & ((col("game") != "couillon") | (col("seat") % 2 != col("seat_other") % 2))
        )
        is_ahead = (col("amount") > col("amount_other")).sum().alias("ahead")
        counts = pairs.group_by("player", "player_other").agg(polars.len().alias("tables"), is_ahead)
        rows: Rows = counts.sort("player", "player_other").collect().rows()
        return rows

    return {"standings": standings, "contracts won": contracts_won, "head to head": head_to_head}
