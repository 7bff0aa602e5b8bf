"""What a deal pays (OMB section 7): examples 2 to 16 and 23, to each payment, without the ante."""

import tomllib
from pathlib import Path

import pytest

from ledger.games.ombre import make_options
from ledger.games.ombre.outcome import OmbreOutcome, checked_outcome
from ledger.games.ombre.pack import active_seats, played_result
from ledger.games.ombre.scoring import payment_lines

AMOUNTS = tomllib.loads(Path(__file__).with_name("scoring.toml").read_text(encoding="utf-8"))["amounts"]


def paid(pool, dealer, ombre, contract, tricks, *, players=3, trump="S", options=None, **facts):
    """Changes of the seats and the pool after the deal. `tricks` by seat; the first five are the Ombre's if said so."""
    outcome = OmbreOutcome(ombre=ombre, contract=contract, trump=trump, tricks=tuple(tricks), **facts)
    complete = checked_outcome(outcome, players, dealer)
    chosen = make_options(options or {}, players)
    changes = [0] * players
    for line in payment_lines(complete, chosen, players, dealer, pool):
        for place, amount in ((line.source, -line.amount), (line.target, line.amount)):
            if place == "pool":
                pool += amount
            else:
                changes[place] += amount
    return complete.result, changes, pool


@pytest.mark.parametrize(("e", "points"), [(0, 0), (2, 0), (3, 3), (9, 9)])
def test_estuches_are_paid_from_three_on(e, points):
    assert paid(0, 2, 0, "entrada", [4, 3, 2], estuches=e)[1] == [2 * points, -points, -points]


@pytest.mark.parametrize(("options", "facts", "changes"), AMOUNTS)
def test_every_amount_is_an_option(options, facts, changes):
    facts = {"contract": "entrada", "tricks": [4, 3, 2], **facts}
    assert paid(0, 2, 0, facts.pop("contract"), facts.pop("tricks"), options=options, **facts)[1] == changes


def test_the_distributions_of_puesta_and_the_wins_of_four_tricks():
    """OMB-7.16 and 7.17, over all distributions of nine tricks."""
    shared = [(o, a, 9 - o - a) for o in range(10) for a in range(10 - o)]
    results = {tricks: played_result(*tricks, False) for tricks in shared}
    assert {tricks for tricks in shared if results[tricks] == "PUESTA"} == {(4, 4, 1), (4, 1, 4), (1, 4, 4), (3, 3, 3)}
    assert {t for t in shared if results[t] == "SACADA" and t[0] < 5} == {(4, 3, 2), (4, 2, 3)}


def test_no_line_pays_nothing_and_all_name_a_rule():
    outcome = checked_outcome(OmbreOutcome(ombre=0, contract="entrada", trump="S", tricks=(4, 4, 1)), 3, 2)
    (line,) = payment_lines(outcome, make_options({}, 3), 3, 2, 5)
    assert (line.rule, line.source, line.target, line.amount) == ("OMB-7.26", 0, "pool", 20)
    assert active_seats(3, 2) == (0, 1, 2)
