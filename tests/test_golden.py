"""Every registered game, form and contract has a recorded deal to its name, and every form a whole match."""

from __future__ import annotations

from functools import cache
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest

from ledger.games import OURS
from ledger.games.kernel.protocol import Game
from ledger.table.fold import TableFold
from tests.hand_records import REPLAYS, fold_of, record_in

GAMES = pytest.mark.parametrize("game", OURS, ids=lambda game: game.name)


@cache
def recorded_tables() -> list[TableFold]:
    """All tables under replays/, folded."""
    return [fold_of(record_in(path)) for path in sorted(REPLAYS.rglob("*.toml"))]


def literals(kind: Any) -> set[str]:
    """The texts that a field may hold."""
    if get_origin(kind) is Literal:
        return {choice for choice in get_args(kind) if isinstance(choice, str)}
    if get_origin(kind) in (Union, UnionType) or hasattr(kind, "__metadata__"):
        return set().union(*(literals(part) for part in get_args(kind)))
    return set()


def choices(struct: type, field: str) -> set[str]:
    return literals(get_type_hints(struct, include_extras=True).get(field))


def tables_of(game: Game) -> list[TableFold]:
    return [table for table in recorded_tables() if table.game.name == game.name]


@GAMES
def test_every_contract_of_a_game_is_played_in_a_recorded_deal(game: Game) -> None:
    played = {getattr(deal.outcome, "contract", None) for table in tables_of(game) for deal in table.deals}
    assert choices(game.outcome_type, "contract") <= played | _of_the_sister_game(game)


def _of_the_sister_game(game: Game) -> set[str]:
    """Kop and Baśka share one vocabulary: what only Baśka has cannot be played at a Kop table (KOP-4.3)."""
    return {"grand", "grand_du", "baska"} if game.name == "kop" else set()


@GAMES
def test_every_form_of_a_game_has_a_whole_match(game: Game) -> None:
    finished = [table for table in tables_of(game) if table.is_closed or table.match.is_over]
    assert finished, "no recorded match of this game comes to its end"
    assert choices(game.option_type, "form") <= {getattr(table.options, "form", "") for table in finished}
