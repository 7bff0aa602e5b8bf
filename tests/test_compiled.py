"""The rules can run as machine code. `make test` runs their tests on that build too; this says that it really does."""

import os
from importlib.util import find_spec

import pytest


@pytest.mark.parametrize(
    "module", ["ledger.cards", "ledger.games.kernel.matadors", "ledger.games.ombre.deal", "ledger.table.fold"]
)
def test_the_build_that_was_asked_for_is_the_one_that_is_tested(module):
    asked_for_compiled = os.environ.get("TRICKLEDGER_BUILD") == "compiled"
    assert find_spec(module).origin.endswith(".py") != asked_for_compiled
