"""Random lawful deals with missing cards: no fault is found, and what can be scored is scored alike."""

from collections import Counter
from random import Random

import pytest

from ledger.errors import MalformedError
from ledger.events import CardPlayed, CardsDealt
from ledger.games import game_named
from ledger.games.kernel.findings import Violation
from ledger.recording.simulate import simulate_table
from ledger.table.corrections import Entry
from ledger.table.fold import DealRecord, TableFold
from tests.contracts.game_tables import some_options
from tests.games.masked import with_masked_hands, with_masked_plays, without_hands

GAMES = ("ombre", "quadrille", "couillon", "kop", "baska")
NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve")


def lawful_deal(name: str, chance: Random) -> list[Entry]:
    """Return one deal with any options of the game, simulated to its end."""
    game = game_named(name)
    while True:
        options, players = some_options(game, chance)
        try:
            events = simulate_table(game, NAMES[:players], options, 1, chance.getrandbits(32), "t", closed=False)
        except MalformedError:  # options that this number of players may not have
            continue
        return list(enumerate(events, start=1))


def is_played_out(entries: list[Entry]) -> bool:
    held = sum(len(hand or ()) for _, event in entries if isinstance(event, CardsDealt) for hand in event.hands)
    return held == sum(isinstance(event, CardPlayed) for _, event in entries)


def errors(record: DealRecord) -> list[Violation]:
    """Return the violations of severity error; unrecorded cards break no rule."""
    return [violation for violation in record.violations if violation.severity == "error"]


def payments(record: DealRecord) -> tuple[object, ...]:
    assert record.settlement is not None
    return list(record.settlement.deltas), record.settlement.pool_after


def check(name: str, seeds: range) -> Counter[str]:
    counts: Counter[str] = Counter()
    for seed in seeds:
        chance = Random(f"{name}-{seed}")
        entries = lawful_deal(name, chance)
        full = TableFold(entries).deals[0]
        if full.status != "complete":
            continue
        assert not errors(full), f"{name} {seed} is lawful"
        assert not errors(TableFold(with_masked_plays(entries, chance)).deals[0]), f"{name} {seed}, cards not read"
        for masked in (with_masked_hands(entries, chance), without_hands(entries)):
            less = TableFold(masked).deals[0]
            assert not errors(less), f"{name} {seed} is found at fault without its hands"
            counts["deals"] += 1
            counts[less.status] += 1
            if less.status == "complete":
                assert payments(less) == payments(full), f"{name} {seed} is scored otherwise without its hands"
            else:
                assert not is_played_out(entries), f"{name} {seed} was played out and is not scored without its hands"
    return counts


@pytest.mark.parametrize("name", GAMES)
def test_a_deal_without_its_hands_is_scored_as_with_them_and_one_that_was_played_out_always(name: str) -> None:
    counts = check(name, range(60))
    assert counts["complete"] > counts["deals"] * 0.9


@pytest.mark.soak
@pytest.mark.parametrize("name", GAMES)
def test_a_deal_without_its_hands_is_scored_as_with_them_at_length(name: str) -> None:
    counts = check(name, range(3_000))
    print(name, dict(counts))
    assert counts["complete"] > counts["deals"] * 0.9
