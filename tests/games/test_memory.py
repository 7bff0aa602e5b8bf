"""A table that was folded leaves nothing in memory, and nothing for the garbage collector either."""

import gc
from itertools import product

import pytest

from ledger.games import game_named, registered_games
from ledger.table.fold import TableFold
from tests.contracts.game_tables import lawful_table

TIMES = 20


@pytest.fixture
def resting_collector():
    """Nothing is collected meanwhile, and what there is already is not looked at."""
    gc.collect()
    gc.disable()
    gc.freeze()
    yield
    gc.unfreeze()
    gc.enable()


@pytest.mark.usefixtures("resting_collector")
def test_a_folded_table_leaves_nothing_behind():
    for name, seed in product(sorted(registered_games()), range(3)):
        entries = list(enumerate(lawful_table(game_named(name), seed), 1))
        assert {record.status for record in TableFold(entries).deals} == {"complete"}
        before = len(gc.get_objects())
        for _ in range(TIMES):
            TableFold(entries)
        assert len(gc.get_objects()) - before < TIMES / 2, (name, seed)
