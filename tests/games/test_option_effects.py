"""Every option that a game declares does something: what it changes is named by the first observation that differs.

`option_effects.toml` has, for an option that shows only beside others or in a rare deal, those options and that deal.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from msgspec import inspect, structs

from ledger.events import CardsDealt, DealStarted, Event, ResultRecorded, TableOpened
from ledger.games import OURS, game_named
from ledger.games.kernel.protocol import Game
from ledger.games.kernel.rulebook import load
from ledger.recording.simulate import PLAYERS, own_number, simulate_table
from ledger.table.audit import audit_answer
from ledger.table.fold import TableFold
from ledger.table.score import score_answer
from ledger.table.steps import replay_steps
from ledger.text.replay import story

CASES: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name("option_effects.toml").read_text("utf-8"))
SEEDS = range(40)


def values_of(kind: inspect.Type) -> Iterator[Any]:
    """Yield all words and truths; of numbers the least and some small ones."""
    match kind:
        case inspect.UnionType(types=types):
            yield from (value for one in types for value in values_of(one))
        case inspect.LiteralType(values=values):
            yield from values
        case inspect.BoolType():
            yield from (False, True)
        case inspect.IntType(ge=least, le=most, multiple_of=step):
            assert isinstance(least, int) and isinstance(most, int)
            yield from (value for value in range(least, min(most, 30) + 1, step or 1) if value - least in (0, 1, 2, 4))


def choices() -> Iterator[tuple[str, str, Any]]:
    """Yield each option of each game with each value that is not its default."""
    for game in OURS:
        kind = inspect.type_info(game.option_type)
        assert isinstance(kind, inspect.StructType)
        for field in kind.fields:
            default = None if field.default is inspect.NODEFAULT else field.default
            for value in dict.fromkeys(values_of(field.type)):
                if value != default and (value, default) != ("none", None):  # `none` spells out null
                    yield game.name, field.encode_name, value


def table_of(game: Game, options: Mapping[str, Any], case: Mapping[str, Any], seed: int) -> Sequence[Event]:
    """Return a table with the deals of the case, if it has some, else one by chance."""
    seats = own_number(game, options) or 0
    if "outcomes" in case:
        opened = TableOpened(game=game.name, players=PLAYERS[:seats], options=dict(options))
        deals = enumerate(case["outcomes"], 1)
        begun = ((DealStarted(deal=deal, dealer=(seats + deal - 2) % seats), outcome) for deal, outcome in deals)
        return [opened, *(event for start, outcome in begun for event in (start, ResultRecorded(outcome=outcome)))]
    events = simulate_table(game, PLAYERS[:seats], options, case.get("deals", 2), seed, "t")
    return [with_deck(event, case["deck"]) for event in events] if "deck" in case else events


def with_deck(event: Event, packets: str) -> Event:
    """Return the cards dealt with the order of the pack that gives the hands, from seat 0 on, in these packets."""
    if not isinstance(event, CardsDealt):
        return event
    hands = [iter(hand or ()) for hand in event.hands]
    deck = [card for size in packets.split("-") for hand in hands for card in islice(hand, int(size))]
    return structs.replace(event, deck=tuple(deck))


def observed(events: Sequence[Event], options: Mapping[str, Any]) -> Iterator[object]:
    """Yield what anybody can see of a table: score, findings, the deals as text, what was legal."""
    first, *others = events
    fold = TableFold(list(enumerate([structs.replace(first, options=dict(options)), *others], start=1)))
    yield score_answer("t", fold)
    yield audit_answer("t", fold)
    for record in fold.deals:
        yield list(story("t", fold, record.number, None, "en"))
        yield [step.view.legal for step in replay_steps(fold, record.number)]


@pytest.mark.parametrize(("game", "option", "value"), list(choices()))
def test_each_value_of_each_option_changes_something(game: str, option: str, value: Any) -> None:
    case = CASES[game].get(option, {})
    case = case.get(str(value), case)
    played = game_named(game)
    if "reason" in case:  # the rulebook itself says that nothing follows from it
        assert case["reason"] in " ".join(load(played.package).text.split())
        return
    without = case.get("with", {})
    changed = {**without, option: value}
    if own_number(played, without) != own_number(played, changed):
        return
    assert any(
        one != other
        for seed in SEEDS
        for options in (changed, without)
        for events in [table_of(played, options, case, seed)]
        for one, other in zip(observed(events, without), observed(events, changed), strict=True)
    )
