"""Helpers that alter ledgers and check the reported damage, in every language."""

import sqlite3
from contextlib import closing
from pathlib import Path

from ledger.log.verify import Damage
from tests.japanese import assert_has_japanese


def alter(path: Path, script: str) -> None:
    """Run SQL on the file as an attacker would: without the triggers, which are then restored."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        triggers = connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        connection.executescript(script)
        for _, sql in triggers:
            connection.execute(sql)


def swap_cards(path: Path, table: str) -> int:
    """Swap the first two cards played at a table, and return the position of the first."""
    with closing(sqlite3.connect(path)) as connection:
        plays = connection.execute(
            "SELECT position, event ->> 'card' FROM entries WHERE stream = ? AND event ->> 'type' = 'card_played'"
            " ORDER BY position LIMIT 2",
            (f"table/{table}",),
        ).fetchall()
    (first, one), (second, other) = plays
    alter(
        path,
        f"UPDATE entries SET event = replace(event, '{one}', '{other}') WHERE position = {first};"
        f"UPDATE entries SET event = replace(event, '{other}', '{one}') WHERE position = {second}",
    )
    return int(first)


def described(damage: Damage | None) -> tuple[int | None, str]:
    """Return the position of the damage and its English sentence."""
    assert damage is not None
    assert_has_japanese(damage.what, "--since")
    return damage.position, str(damage.what)
