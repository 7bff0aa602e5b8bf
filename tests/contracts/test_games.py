"""Every registered game keeps the contract of a game; one that does not cannot be registered.

The properties of tables of built-in games are in `test_properties.py` of each, with strategies of its own.
"""

from importlib import import_module

import pytest
from hypothesis import Phase, find, settings

from ledger.games import registered_games
from ledger.games.kernel.protocol import Game
from tests.contracts.any_record import AnyRecord
from tests.contracts.game_suite import DeclarationContract, GameContract, SecrecyContract, WordsContract
from tests.contracts.lawful_tables import LawfulTables
from tests.contracts.strategies import DeclaredTables

SUITES: dict[str, type] = {"LawfulTables": LawfulTables, "AnyRecord": AnyRecord}
BUILT_IN = {name for name, game in registered_games().items() if game.package.startswith("ledger.")}


class Registered(GameContract):
    @pytest.fixture(params=sorted(registered_games()))
    def game(self, request: pytest.FixtureRequest) -> Game:
        return registered_games()[request.param]


class TestDeclaration(Registered, DeclarationContract):
    pass


class TestWords(Registered, WordsContract):
    pass


class TestSecrecy(Registered, SecrecyContract):
    pass


class TestTables:
    @pytest.mark.parametrize("name", sorted(BUILT_IN))
    @pytest.mark.parametrize("suite", SUITES)
    def test_its_folder_of_tests_says_that_they_are_lawful_and_can_be_read(self, name: str, suite: str) -> None:
        folder = registered_games()[name].package.rpartition(".")[2]
        said = getattr(import_module(f"tests.games.{folder}.test_properties"), f"Test{suite}")
        assert issubclass(said, SUITES[suite])
        find(said.tables.openings, lambda opened: opened.game == name, settings=settings(phases=[Phase.generate]))


for _name in sorted(registered_games().keys() - BUILT_IN):  # installed packages, without strategies
    for _suite, _properties in SUITES.items():
        globals()[f"Test{_suite}Of{_name}"] = type(_suite, (_properties,), {"tables": DeclaredTables(_name)})
