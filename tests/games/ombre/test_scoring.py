"""Results and payments of Ombre (OMB section 7): examples 2 to 16 and 23, payment by payment."""

import tomllib
from pathlib import Path

import pytest

from ledger.errors import MalformedError
from ledger.games.ombre import GAME, make_options
from ledger.games.ombre.outcome import OmbreOutcome, checked_outcome
from ledger.games.ombre.pack import active_seats, played_result
from ledger.games.ombre.scoring import payment_lines

SCORING = tomllib.loads(Path(__file__).with_name("scoring.toml").read_text(encoding="utf-8"))


def paid(pool, dealer, ombre, contract, tricks, *, players=3, trump="S", options=None, **facts):
    """Return the result, the seats' changes and the pool after the deal. `tricks`: by seat."""
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


@pytest.mark.parametrize(("options", "facts", "changes"), SCORING["amounts"])
def test_every_amount_is_an_option(options, facts, changes):
    facts = {"contract": "entrada", "tricks": [4, 3, 2], **facts}
    assert paid(0, 2, 0, facts.pop("contract"), facts.pop("tricks"), options=options, **facts)[1] == changes


def test_the_distributions_of_puesta_and_the_wins_of_four_tricks():
    """Check OMB-7.16 and 7.17 for all distributions of nine tricks."""
    shared = [(o, a, 9 - o - a) for o in range(10) for a in range(10 - o)]
    results = {tricks: played_result(*tricks, False) for tricks in shared}
    assert {tricks for tricks in shared if results[tricks] == "PUESTA"} == {(4, 4, 1), (4, 1, 4), (1, 4, 4), (3, 3, 3)}
    assert {t for t in shared if results[t] == "SACADA" and t[0] < 5} == {(4, 3, 2), (4, 2, 3)}


def test_no_line_pays_nothing_and_all_name_a_rule():
    outcome = checked_outcome(OmbreOutcome(ombre=0, contract="entrada", trump="S", tricks=(4, 4, 1)), 3, 2)
    (line,) = payment_lines(outcome, make_options({}, 3), 3, 2, 5)
    assert (line.rule, line.source, line.target, line.amount) == ("OMB-7.26", 0, "pool", 20)
    assert active_seats(3, 2) == (0, 1, 2)


SACADA = {"ombre": 0, "contract": "entrada", "trump": "S", "tricks": [5, 2, 2]}


def check(outcome, players=3, dealer=2):
    return GAME.check_outcome(outcome, make_options({}, players), players, dealer)


def test_the_result_follows_and_may_be_left_out_and_nothing_at_all_means_that_all_passed():
    assert check(SACADA).result == check({**SACADA, "result": "SACADA"}).result == "SACADA"
    assert check({}).result == "ALL_PASS"
    assert check({"result": "ALL_PASS", "tricks": [0, 0, 0]}).tricks == (0, 0, 0)


def test_the_trump_suit_is_required_where_a_favourite_suit_pays():
    untold = {name: value for name, value in SACADA.items() if name != "trump"}
    assert check(untold).trump is None
    favourite = make_options({"favourite_suit": "S"}, 3)
    assert GAME.check_outcome(SACADA, favourite, 3, 2).trump == "S"
    assert GAME.check_outcome({}, favourite, 3, 2).result == "ALL_PASS"
    with pytest.raises(MalformedError, match=r"trump in the result is missing"):
        GAME.check_outcome(untold, favourite, 3, 2)  # OMB-7.6


def test_the_dealer_of_four_wins_no_trick():
    with pytest.raises(MalformedError, match="0 for a seat that sits out"):
        check({**SACADA, "tricks": [5, 2, 1, 1]}, players=4, dealer=3)


def test_every_option_of_the_rulebook_has_its_default():
    options = make_options({}, 3)
    assert {name: getattr(options, name) for name in SCORING["defaults"]} == SCORING["defaults"]
    assert options.favourite_suit is None
    assert make_options({"favourite_suit": "none"}, 3) == options
