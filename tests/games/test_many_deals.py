"""Thousands of simulated deals of every game: no finding, sums that hold, equal results, and nothing left in memory."""

import gc
from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import pytest

from ledger.events import DealStarted, Event, ResultRecorded, TableClosed, TableOpened
from ledger.games import BUILT_IN, game_named, registered_games
from ledger.games.kernel.protocol import Game
from ledger.recording.simulate import simulate_table
from ledger.table.audit import audit_answer
from ledger.table.fold import TableFold
from ledger.table.score import score_answer
from tests.builders import EIGHT_NAMES
from tests.contracts.game_tables import lawful_table, some_options

GAMES = pytest.mark.parametrize("game", BUILT_IN, ids=lambda game: game.name)


def as_results(events: list[Event], answers: list[dict[str, Any]]) -> Iterator[Event]:
    """Yield the same table with each deal known only by its result."""
    outcomes = iter(answers)
    for event in events:
        if isinstance(event, TableOpened | TableClosed):
            yield event
        elif isinstance(event, DealStarted):
            yield event
            yield ResultRecorded(outcome=next(outcomes))


def check_deals(game: Game, deals: int, seed: int) -> None:
    chance = Random(seed)
    played = 0
    while played < deals:
        options, players = some_options(game, chance)
        events = simulate_table(game, EIGHT_NAMES[:players], options, 50, chance.randrange(10**9), "many")
        fold = TableFold(list(enumerate(events, start=1)))
        findings = [finding for finding in audit_answer("many", fold).findings if finding.severity != "info"]
        assert not findings, (options, findings[0])
        answer = score_answer("many", fold)
        for deal in answer.deals:
            assert deal.status == "complete", options
            if game.is_zero_sum:
                assert sum(deal.deltas) + deal.pool_after - deal.pool_before == 0, options
        again = list(as_results(events, [deal.outcome for deal in answer.deals]))
        replayed = score_answer("many", TableFold(list(enumerate(again, start=1))))
        assert [deal.deltas for deal in replayed.deals] == [deal.deltas for deal in answer.deals], options
        assert (replayed.totals, replayed.state) == (answer.totals, answer.state), options
        played += len(answer.deals)


@GAMES
def test_a_hundred_simulated_deals_are_without_fault(game: Game) -> None:
    check_deals(game, 100, seed=1)


@pytest.mark.soak
@GAMES
def test_ten_thousand_simulated_deals_are_without_fault(game: Game) -> None:
    check_deals(game, 10_000, seed=2)


TIMES = 20


@pytest.fixture
def resting_collector():
    """Stop the garbage collector meanwhile, and hide existing objects from it."""
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
