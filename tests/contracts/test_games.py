"""Every registered game keeps the contract of a game; one that does not cannot be registered.

What holds for its tables stands in its own `test_properties.py` and `test_robustness.py`, with its own strategies.
"""

from __future__ import annotations

from importlib import import_module

import pytest
from hypothesis import find

from ledger.games import registered_games
from ledger.games.kernel.protocol import Game
from tests.contracts.any_record import AnyRecord
from tests.contracts.game_suite import DeclarationContract, GameContract, SecrecyContract
from tests.contracts.lawful_tables import LawfulTables


class Registered(GameContract):
    @pytest.fixture(params=sorted(registered_games()))
    def game(self, request: pytest.FixtureRequest) -> Game:
        return registered_games()[request.param]


class TestDeclaration(Registered, DeclarationContract):
    pass


class TestSecrecy(Registered, SecrecyContract):
    pass


class TestTables(Registered):
    @pytest.mark.parametrize(
        ("module", "name", "suite"),
        [("test_properties", "TestLawfulTables", LawfulTables), ("test_robustness", "TestAnyRecord", AnyRecord)],
    )
    def test_its_folder_of_tests_says_that_they_are_lawful_and_can_be_read(
        self, game: Game, module: str, name: str, suite: type[LawfulTables | AnyRecord]
    ) -> None:
        folder = game.package.rpartition(".")[2]
        subclass = getattr(import_module(f"tests.games.{folder}.{module}"), name)
        assert issubclass(subclass, suite)
        find(subclass.tables.openings, lambda opened: opened.game == game.name)
