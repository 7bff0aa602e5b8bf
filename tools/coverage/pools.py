"""Many deals of a game as a club plays them, in the tables of the read model, to draw samples from."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final

import duckdb
import msgspec

from ledger.events import DealStarted
from ledger.games import game_named, registered_games
from ledger.history import catch_up, statistic_named
from ledger.history.questions.statistics import SQL_PARAMETERS
from ledger.log import Batch, MemoryStore, NewEntry
from ledger.recording.seasons.policies import SKILLS, Skill, counting
from ledger.recording.simulate import own_number, simulate_table

VARIANTS: Final[dict[str, dict[str, Any]]] = {
    "ombre": {}, "quadrille": {}, "kop": {}, "baska": {}, "couillon basic4": {"form": "basic4"},
    "couillon mit4": {"form": "mit4"}, "couillon six24": {"form": "six24"}, "couillon six32": {"form": "six32"},
    "couillon six32 upcard": {"form": "six32", "six32_procedure": "upcard"}, "couillon eight32": {"form": "eight32"},
}  # fmt: skip
"""Each game, and each form of Couillon, with its table options."""

CLUBS: Final = ("even", "mixed")

_MEMBERS: Final = {
    "weak": SKILLS["random"], "careful": SKILLS["careful"], "strong": SKILLS["counting"], "bold": Skill(counting, False)
}  # fmt: skip
"""The players of a mixed club: bold and weak players call at random, the others make the call that their hand is worth
most.
"""

_DEALS_A_TABLE: Final = 20
_LEAST: Final = 200
"""The least number of amounts in a pool; fewer do not represent all deals."""

_LEAST_TABLES: Final = 50


_AMOUNTS: Final = {
    "points": """
        SELECT '' AS what, player, delta AS amount FROM complete
        UNION ALL
        SELECT 'led', players[opening_leader + 1], deltas[opening_leader + 1]
        FROM deals WHERE opening_leader IS NOT NULL""",
    "contract": """
        WITH said AS (
          SELECT table_name, deal, seat, word FROM announcements WHERE word IN ('mit', 'kontra', 're')
          UNION
          SELECT table_name, deal, seat, call FROM calls WHERE call IN ('kontra', 're', 'bok', 'slup')
        )
        SELECT contract AS what, player, delta AS amount FROM declared WHERE NOT ends_with(contract, '_du')
        UNION ALL
        SELECT contract || ' of all', NULL, delta FROM declared WHERE NOT ends_with(contract, '_du')
        UNION ALL
        SELECT 'said ' || word, player, delta FROM said JOIN deal_scores USING (table_name, deal, seat)""",
    "du": """
        SELECT contract AS what, player, delta AS amount FROM declared WHERE ends_with(contract, '_du')
        UNION ALL
        SELECT contract || ' of all', NULL, delta FROM declared WHERE ends_with(contract, '_du')""",
    "declarer": "SELECT '' AS what, player, delta AS amount FROM roles WHERE role = 'declarer'",
    "partner": """
        SELECT '' AS what, player, delta AS amount FROM roles WHERE role = 'partner'
        UNION ALL
        SELECT 'pair', NULL, both_gained / 2 FROM pairs""",
    "defender": "SELECT '' AS what, player, delta AS amount FROM roles WHERE role = 'defender'",
    "won": "SELECT role AS what, player, is_won::INTEGER AS amount FROM roles",
    "gain": "SELECT step::VARCHAR AS what, NULL AS player, list_max(deltas) AS amount FROM steps",
    "cards": "SELECT contract AS what, NULL AS player, card_count AS amount FROM deals",
    "calls": "SELECT contract AS what, NULL AS player, call_count AS amount FROM deals",
}
"""The amounts that statistics average, by kind of mean, with the case and the player; `won` are shares."""

_PARTS: Final = {"roles": ("roles", "in_roles"), "pairs": ("partners", "named"), "steps": ("doublings", "chosen")}
"""Statistics whose own SQL selects the amounts, and the part of it that does."""


def make_pool(variant: str, club: str, deals: int, path: Path) -> None:
    """Play at least `deals` deals, at tables of 20, into a read model at `path`.

    In a mixed club the players of a table are drawn at random. A player is named after how they play and their seat.
    """
    game, options = game_named(variant.partition(" ")[0]), VARIANTS[variant]
    seats = own_number(game, options)
    assert seats is not None, f"{variant} is played by nobody"
    store, made, number = MemoryStore(), 0, 0
    while made < deals:
        number += 1
        members = _members(club, number, seats)
        players = [f"{member} {seat}" for seat, member in enumerate(members)]
        name = f"{club}-{number}"
        skills = partial(_in_each_deal, [_MEMBERS[member] for member in members])
        events = simulate_table(game, players, options, _DEALS_A_TABLE, 1, name, skills=skills)
        store.append(Batch(f"table/{name}", 0, tuple(map(NewEntry, events))), recorded_by="coverage")
        made += sum(type(event) is DealStarted for event in events)
    catch_up(store, path)
    with duckdb.connect(path) as connection:
        connection.execute("""
            CREATE TABLE complete AS
            SELECT table_name, deal, seat, player, delta
            FROM deal_scores SEMI JOIN complete_deals(NULL, NULL, NULL, NULL) USING (table_name, deal)""")
        connection.execute("""
            CREATE TABLE declared AS
            SELECT
              contract, unnest(declarer_players) AS player, unnest([deltas[seat + 1] FOR seat IN declarers]) AS delta
            FROM deals""")
        for part, (statistic, name) in _PARTS.items():
            sql = statistic_named(statistic).sql
            parameters: dict[str, Any] = {
                key: None for key in SQL_PARAMETERS if f"${key}" in sql[: sql.index("\ncounted AS")]
            }
            if "$teams" in sql:
                teams = {name: one.teams for name, one in registered_games().items() if one.teams}
                parameters["teams"] = msgspec.json.encode(teams).decode()
            begun = sql[: sql.index(",\ncounted AS")]
            connection.execute(f"CREATE TABLE {part} AS {begun} FROM {name}", parameters)


def _in_each_deal(skills: Sequence[Skill], deal: int) -> Sequence[Skill]:
    return skills


def _members(club: str, table: int, seats: int) -> Sequence[str]:
    if club == "even":
        return ["strong"] * seats
    return Random(f"{club} {table}").choices(list(_MEMBERS), k=seats)


def amounts(connection: duckdb.DuckDBPyConnection, kind: str) -> dict[tuple[str, str], list[float]]:
    """Return the amounts of a kind by case and by how the player plays; cases with too few are left out.

    The second part of the key is empty for a case that is not about a player.
    """
    rows = connection.execute(f"""
        SELECT what, coalesce(split_part(player, ' ', 1), '') AS who, list(amount::DOUBLE ORDER BY amount)
        FROM ({_AMOUNTS[kind]})
        WHERE what IS NOT NULL AND amount IS NOT NULL
        GROUP BY what, who
        HAVING count(*) >= {_LEAST}
        ORDER BY what, who""")
    return {(what, who): amounts for what, who, amounts in rows.fetchall()}


def tables(connection: duckdb.DuckDBPyConnection) -> dict[str, list[tuple[float, float, float]]]:
    """Return what each player made at each table, by how they play: points, deals, sum of the squares of the points."""
    rows = connection.execute(f"""
        SELECT what, list([points, deals, squares]::DOUBLE[])
        FROM (
          SELECT
            split_part(player, ' ', 1) AS what, sum(delta) AS points, count(*) AS deals, sum(delta * delta) AS squares
          FROM complete
          GROUP BY table_name, player
          ORDER BY table_name, player
        )
        GROUP BY what
        HAVING count(*) >= {_LEAST_TABLES}
        ORDER BY what""")
    return dict(rows.fetchall())
