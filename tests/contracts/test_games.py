"""Every registered game keeps the contract of a game; one that does not cannot be registered."""

from __future__ import annotations

import pytest

from ledger.games import registered_games
from ledger.games.kernel.protocol import Game
from tests.contracts.game_suite import (
    AnyRecordContract,
    DeclarationContract,
    GameContract,
    LawfulTableContract,
    SecrecyContract,
)


class Registered(GameContract):
    @pytest.fixture(params=sorted(registered_games()))
    def game(self, request: pytest.FixtureRequest) -> Game:
        return registered_games()[request.param]


class TestDeclaration(Registered, DeclarationContract):
    pass


class TestLawfulTables(Registered, LawfulTableContract):
    pass


class TestSecrecy(Registered, SecrecyContract):
    pass


class TestAnyRecord(Registered, AnyRecordContract):
    pass
