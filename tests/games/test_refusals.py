"""Errors of the games: `refusals.toml` has the exact messages, and their Japanese ones have no English left."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ledger.errors import MalformedError
from ledger.events import Award, Event
from ledger.games import BUILT_IN, game_named
from ledger.i18n import Phrase, catalogue
from tests.contracts.refusals import english_left

REFUSALS: list[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("refusals.toml").read_text("utf-8"))["refusal"]


def refused(row: dict[str, Any]) -> MalformedError:
    game, players = game_named(row["game"]), row["players"]
    with pytest.raises(MalformedError) as refusal:
        options = game.make_options(row.get("options", {}), players)
        if "outcome" in row:
            game.check_outcome(row["outcome"], options, players, 2)
        if "award" in row and game.check_award is not None:
            game.check_award(msgspec.convert(row["award"], Award), options)
        if "event" in row and game.check_event is not None:
            game.check_event(msgspec.json.decode(row["event"], type=Event))
    return refusal.value


@pytest.mark.parametrize("game", sorted({row["game"] for row in REFUSALS}))
def test_each_refusal_is_worded_in_english_and_in_japanese(game: str) -> None:
    rows = [row for row in REFUSALS if row["game"] == game]
    messages = [(str(error := refused(row)), english_left(error, game_named(game))) for row in rows]
    assert messages == [(row["message"], set()) for row in rows]


def test_every_sentence_of_a_refusal_is_tested() -> None:
    tried: set[tuple[str, str]] = set()

    def note(words: object) -> None:
        if isinstance(words, Phrase):
            tried.add((words.package, words.key))
            for value in words.values.values():
                note(value)

    for row in REFUSALS:
        error = refused(row)
        note(error.what)
        note(error.expected)
    for package in {"ledger.games", *(game.package for game in BUILT_IN)}:
        keys = {key for key in catalogue(package, "en") if re.match(r"refusal\.", key)}
        assert {key for key in keys if (package, key) not in tried} == set()


@pytest.mark.parametrize(("game", "options"), [("ombre", {}), ("couillon", {"form": "six24"})])
def test_a_wrong_number_of_players_is_at_the_field_players(game: str, options: dict[str, Any]) -> None:
    with pytest.raises(MalformedError) as refusal:
        game_named(game).make_options(options, 2)
    assert refusal.value.faulty_field == "players"
