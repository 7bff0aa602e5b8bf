"""What payments and findings say stands in the read model without a language, too: as a code and values."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any, Final

import pytest
from msgspec import json

import ledger
from ledger.games import Game, game_named
from ledger.history import catch_up
from ledger.i18n import Words, sentence
from ledger.log import MemoryStore
from tests.history.helpers import select

REPLAYS: Final = sorted((Path(__file__).parents[2] / "replays").rglob("*.toml"))
PLAYERS: Final = "(SELECT players FROM deals d WHERE d.table_name = s.table_name AND d.deal = s.deal)"
SEATED: Final = "(SELECT list(player ORDER BY seat) FROM seats WHERE is_seated AND seats.table_name = s.table_name)"


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The read model of every recorded table."""
    store = MemoryStore()
    for path in REPLAYS:
        ledger.import_file(store, path, recording=ledger.Recording(by="recorder-1"))
    path = tmp_path_factory.mktemp("sentences") / "club.history.duckdb"
    catch_up(store, path)
    return path


def test_a_payment_is_told_by_its_code_and_values(history: Path) -> None:
    told = select(
        history,
        f"SELECT game, code, values, explanation, coalesce({PLAYERS}, {SEATED})"
        " FROM score_lines s JOIN tables USING (table_name)",
    )
    assert len({game for game, *_ in told}) == 5
    for game, code, values, explanation, players in told:
        assert_says(game_named(game), Words(code, words_in(json.decode(values or "{}"))), players, explanation)


def test_a_finding_is_told_by_its_code_and_values(history: Path) -> None:
    told = select(
        history,
        f"SELECT game, code, severity, values, message, {PLAYERS} FROM findings s JOIN tables USING (table_name)",
    )
    assert len({code for _, code, *_ in told}) > 10
    for game, code, severity, values, message, players in told:
        words = Words(key_of(game_named(game), code, severity), words_in(json.decode(values)))
        assert_says(game_named(game), words, players, message)


def assert_says(game: Game, words: Words, players: list[str], english: str) -> None:
    assert sentence(game.package, words, players) == english
    assert sentence(game.package, words, players, "ja") != english


def key_of(game: Game, code: str, severity: str) -> str:
    """The sentence that goes with an irregularity: each severity has one."""
    irregularities = importlib.import_module(f"{game.package}.irregularities").IRREGULARITIES
    (key,) = [name for name, told in irregularities.items() if told == (code, severity)]
    return str(key)


def words_in(value: Any) -> Any:
    """Values as JSON has them, with the sentences among them made again."""
    if isinstance(value, dict):
        inner = {name: words_in(one) for name, one in value.items()}
        return Words(inner["key"], inner["values"]) if inner.keys() == {"key", "values"} else inner
    return [words_in(one) for one in value] if isinstance(value, list) else value
