"""A game that somebody else wrote keeps the same contract as ours."""

from __future__ import annotations

import pytest

from ledger.games.kernel.protocol import Game
from tests.contracts.game_suite import (
    AnyRecordContract,
    DeclarationContract,
    GameContract,
    LawfulTableContract,
    SecrecyContract,
)


class Whist(GameContract):
    @pytest.fixture
    def game(self, whist: Game) -> Game:
        return whist


class TestDeclaration(Whist, DeclarationContract):
    pass


class TestLawfulTables(Whist, LawfulTableContract):
    pass


class TestSecrecy(Whist, SecrecyContract):
    pass


class TestAnyRecord(Whist, AnyRecordContract):
    pass
