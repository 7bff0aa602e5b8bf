"""A third-party game keeps the same contract as the built-in games."""

from __future__ import annotations

import pytest

from ledger.games.kernel.protocol import Game
from tests.contracts.any_record import AnyRecord
from tests.contracts.game_suite import DeclarationContract, GameContract, SecrecyContract, WordsContract
from tests.contracts.lawful_tables import LawfulTables
from tests.contracts.strategies import DeclaredTables

pytestmark = pytest.mark.compiled


class Whist(GameContract):
    @pytest.fixture
    def game(self, whist: Game) -> Game:
        return whist


class TestDeclaration(Whist, DeclarationContract):
    pass


class TestWords(Whist, WordsContract):
    pass


class TestSecrecy(Whist, SecrecyContract):
    pass


@pytest.mark.usefixtures("whist")
class TestLawfulTables(LawfulTables):
    tables = DeclaredTables("whist")


@pytest.mark.soak
@pytest.mark.usefixtures("whist")
class TestAnyRecord(AnyRecord):
    tables = DeclaredTables("whist")
