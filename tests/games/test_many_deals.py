"""Thousands of simulated deals of every game, options drawn at random: no finding, sums that hold, equal results."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest

from ledger.errors import MalformedError
from ledger.events import DealStarted, Event, ResultRecorded, TableClosed, TableOpened
from ledger.games import OURS
from ledger.games.kernel.protocol import Game
from ledger.recording.simulate import simulate_table
from ledger.table.audit import audit_answer
from ledger.table.fold import TableFold
from ledger.table.score import score_answer
from tests.builders import EIGHT_NAMES

GAMES = pytest.mark.parametrize("game", OURS, ids=lambda game: game.name)


def values_of(kind: Any, chance: Random) -> list[Any]:
    """Some values that an option of this type may have."""
    if hasattr(kind, "__metadata__"):
        (inner,) = get_args(kind)[:1]
        note = kind.__metadata__[0]
        if inner is int:
            low = note.ge if note.ge is not None else 0
            return [low, low + 1, chance.randint(low, min(note.le or low + 9, low + 9))]
        return values_of(inner, chance)
    if get_origin(kind) in (Union, UnionType):
        return [value for part in get_args(kind) for value in values_of(part, chance)]
    if get_origin(kind) is Literal:
        return list(get_args(kind))
    return {bool: [False, True], int: [0, 1, 5]}.get(kind, [])


def random_options(game: Game, chance: Random) -> tuple[dict[str, Any], int]:
    """Options that the game takes, most of them at their default, and a number of players for them."""
    hints = get_type_hints(game.option_type, include_extras=True)
    while True:
        names = [
            name for name in hints if chance.random() < 0.3 and not name.startswith("match_") and name != "players"
        ]
        options = {name: chance.choice(choices) for name in names if (choices := values_of(hints[name], chance))}
        for players in chance.sample(range(3, 9), 6):
            try:
                game.make_options(options, players)
            except MalformedError:
                continue
            return options, players


def as_results(events: list[Event], answers: list[dict[str, Any]]) -> Iterator[Event]:
    """The same table, each deal known only by its result."""
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
        options, players = random_options(game, chance)
        events = simulate_table(game, EIGHT_NAMES[:players], options, 50, chance.randrange(10**9), "many")
        fold = TableFold(list(enumerate(events, start=1)))
        found = [finding for finding in audit_answer("many", fold).findings if finding.severity != "info"]
        assert not found, (options, found[0])
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
