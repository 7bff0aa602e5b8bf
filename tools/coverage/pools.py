"""Many deals of a game played by people of one skill, as the read model tells them, to draw samples from."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

import duckdb

from ledger.events import DealStarted
from ledger.games import game_named
from ledger.history import catch_up
from ledger.log import Batch, MemoryStore, NewEntry
from ledger.recording.seasons.policies import SKILLS, Skill
from ledger.recording.simulate import PLAYERS, own_number, simulate_table

POLICIES: Final = ("careful", "counting")
"""Skills that are better than chance."""

COMPANY: Final = ("random", "counting")
"""Who else sits at the tables of somebody whose company changes, table by table in turn."""

_DEALS_A_TABLE: Final = 20
_SHARE_OF_POOL: Final = 0.05
"""What is rarer is no ground to draw 100 deals from."""

_AMOUNTS: Final = {
    "player": "SELECT '' AS what, unnest(deltas) AS amount FROM deals",
    "declarer": "SELECT contract AS what, deltas[declarer + 1] AS amount FROM deals WHERE declarer IS NOT NULL",
    "gain": """
        SELECT
          coalesce(
            outcome ->> 'doublings', (list_position(['plain', 'mit', 'kontra', 're'], contract) - 1)::VARCHAR
          ) AS what,
          list_max(deltas) AS amount
        FROM deals WHERE game IN ('couillon', 'kop', 'baska')""",
    "cards": "SELECT contract AS what, card_count AS amount FROM deals WHERE contract IS NOT NULL",
    "calls": "SELECT contract AS what, call_count AS amount FROM deals WHERE contract IS NOT NULL",
}
"""What statistics take means of, and what it is told for: a player's points; the declarer's by contract; those of
the seat that gained most by step; cards and calls by contract.
"""


def make_pool(game_name: str, policy: str, deals: int, path: Path, company: Sequence[str] = ()) -> None:
    """Play so many deals at least, at tables of 20, into a read model at the path.

    `company`: how all but the first seat play, table by table in turn; without it as the first.
    """
    game = game_named(game_name)
    seats = own_number(game, {})
    assert seats is not None, f"{game_name} is played by nobody"
    store, made, number = MemoryStore(), 0, 0
    while made < deals:
        number += 1
        others = company[number % len(company)] if company else policy
        name = f"{policy}-{number}"
        skills = [SKILLS[policy], *[SKILLS[others]] * (seats - 1)]
        events = simulate_table(
            game, PLAYERS[:seats], {}, _DEALS_A_TABLE, 1, name, skills=partial(_in_each_deal, skills)
        )
        store.append(Batch(f"table/{name}", 0, tuple(map(NewEntry, events))), recorded_by="coverage")
        made += sum(type(event) is DealStarted for event in events)
    catch_up(store, path)


def _in_each_deal(skills: Sequence[Skill], deal: int) -> Sequence[Skill]:
    return skills


def amounts(connection: duckdb.DuckDBPyConnection, kind: str) -> dict[str, list[int]]:
    """The amounts of a kind by what they are told for, as far as they are frequent."""
    found = connection.execute(f"""
        SELECT what, list(amount ORDER BY amount) AS amounts
        FROM ({_AMOUNTS[kind]})
        GROUP BY what
        HAVING count(*) >= {_SHARE_OF_POOL} * (SELECT count(*) FROM deals)
        ORDER BY what""")
    return dict(found.fetchall())


def amounts_at_tables(connection: duckdb.DuckDBPyConnection, seat: int | None = None) -> list[list[int]]:
    """A player's points deal by deal, for each seat of each table, or for one."""
    sql = """
        SELECT list(delta)
        FROM (SELECT table_name, unnest(deltas) AS delta, generate_subscripts(deltas, 1) - 1 AS seat FROM deals)
        WHERE $seat::BIGINT IS NULL OR seat = $seat
        GROUP BY table_name, seat
        ORDER BY table_name, seat"""
    found = connection.execute(sql, {"seat": seat})
    return [points for (points,) in found.fetchall()]
