"""Enlarge a read model by copying its rows: this takes a minute, while simulating as many deals takes an hour.

Each copy has tables and sessions of its own, on the same days. In a copy each player becomes one of several namesakes,
chosen per table, so that everyone meets as many others as in a club with that many more members.
"""

from __future__ import annotations

from pathlib import Path

import duckdb

from ledger.history.model.integrity import sealing
from ledger.history.model.schema import column_types

NAMESAKES = 8
"""The number of namesakes of each player in the copies."""

_NAMES = ("table_name", "session", "stream")
_POSITIONS = ("first_position", "last_position", "log_position")
_LEFT_AS_THEY_ARE = ("meta", "card_facts", "player_links")


def lay_over(history: Path, times: int) -> None:
    """Copy the rows of the read model until each is there `times` times."""
    with history.open("rb") as file, sealing(history, file), duckdb.connect(history) as connection:
        connection.execute("SET enable_progress_bar = false")
        (apart,) = connection.execute("SELECT log_position + 1 FROM meta").fetchall()[0]
        tables = connection.execute("SELECT table_name FROM duckdb_tables() WHERE NOT internal").fetchall()
        for (table,) in tables:
            if table not in _LEFT_AS_THEY_ARE:
                columns = ", ".join(_shifted(*column, apart) for column in column_types(connection, table).items())
                connection.execute(f"CREATE TEMP TABLE once AS FROM {table}")
                for time in range(1, times):
                    connection.execute(f"INSERT INTO {table} SELECT {columns} FROM once, (SELECT {time} AS time)")
                connection.execute("DROP TABLE once")


def _shifted(column: str, data_type: str, apart: int) -> str:
    """Return the SQL expression for the value of a column in copy number `time`."""
    if column in _NAMES:
        return f"{column} || '~' || time"
    if column in _POSITIONS:
        return f"{column} + time * {apart}"
    if column.endswith("player"):
        return _namesake(column)
    if column.endswith("players") and data_type == "VARCHAR[]":
        return f"list_transform({column}, lambda player: {_namesake('player')})"
    return f'"{column}"'


def _namesake(player: str) -> str:
    return f"{player} || ' ' || hash({player} || table_name || time) % {NAMESAKES}"
