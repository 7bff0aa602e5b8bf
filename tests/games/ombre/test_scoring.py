"""What a deal pays (OMB section 7): examples 2 to 16 and 23, to each payment, without the ante."""

import pytest

from ledger.games.ombre import make_options
from ledger.games.ombre.outcome import OmbreOutcome, checked_outcome
from ledger.games.ombre.pack import active_seats
from ledger.games.ombre.results import played_result
from ledger.games.ombre.scoring import payment_lines


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


def test_example_2_vuelta_stopped_after_the_first_five():
    got = paid(5, 3, 1, "vuelta", [0, 5, 0, 0], players=4, trump="D", estuches=2, primeras=True, ending="stopped")
    assert got == ("SACADA", [-5, 20, -5, -5], 0)


def test_example_3_solo_and_vole():
    got = paid(10, 2, 0, "solo", [9, 0, 0], trump="H", estuches=5, primeras=True)
    assert got == ("SACADA_VOLE", [86, -38, -38], 0)


def test_example_4_vole_failed():
    got = paid(5, 0, 1, "entrada", [0, 8, 1], trump="C", estuches=3, primeras=True)
    assert got == ("SACADA_VOLE_FAILED", [19, -33, 19], 0)


def test_example_4_had_the_ombre_stopped():
    got = paid(5, 0, 1, "entrada", [0, 5, 0], trump="C", estuches=3, primeras=True, ending="stopped")
    assert got == ("SACADA", [-6, 17, -6], 0)


def test_example_5_sacada_with_four_tricks():
    assert paid(45, 0, 3, "entrada", [0, 3, 2, 4], players=4) == ("SACADA", [0, 0, 0, 45], 0)


def test_example_6_codille_in_solo():
    assert paid(5, 1, 2, "solo", [0, 0, 4, 5], players=4) == ("CODILLE", [5, 5, -40, 30], 5)


def test_example_7_codille_with_three_tricks():
    assert paid(35, 1, 0, "vuelta", [3, 2, 4], estuches=3) == ("CODILLE", [-60, 5, 55], 35)


def test_example_8_puesta_4_4_1():
    assert paid(15, 2, 1, "vuelta", [4, 4, 1], estuches=3) == ("PUESTA", [5, -40, 5], 45)


def test_example_9_royal_puesta():
    assert paid(20, 3, 0, "entrada", [1, 4, 4, 0], players=4) == ("PUESTA", [-40, 0, 0, 0], 60)


def test_example_10_puesta_3_3_3_in_solo():
    assert paid(5, 0, 2, "solo", [3, 3, 3]) == ("PUESTA", [5, 5, -30], 25)


def test_example_11_a_surrender_in_vuelta():
    assert paid(5, 1, 2, "vuelta", [0, 1, 1], ending="surrendered") == ("SURRENDER", [2, 2, -24], 25)


def test_example_11_b_surrender_in_entrada_declined_by_both():
    got = paid(25, 1, 2, "entrada", [0, 0, 0, 0], players=4, estuches=3, ending="surrendered")
    assert got == ("SURRENDER", [3, 3, -54, 3], 70)


@pytest.mark.parametrize(("takes_pool", "changes", "pool"), [(False, [-20, 20, 0], 5), (True, [-20, 25, 0], 0)])
def test_example_12_defended_and_won(takes_pool, changes, pool):
    got = paid(5, 2, 0, "entrada", [1, 5, 3], defender=1, options={"defend_takes_pool": takes_pool})
    assert got == ("DEFENDED_WON", changes, pool)


@pytest.mark.parametrize("tricks", [[4, 4, 1], [1, 4, 4]])
def test_example_13_shared_top(tricks):
    assert paid(5, 2, 0, "entrada", tricks, defender=1) == ("DEFENDED_DOUBLE_PUESTA", [-20, -20, 0], 45)


def test_example_13_with_four():
    got = paid(10, 0, 3, "entrada", [0, 3, 3, 3], players=4, defender=2)
    assert got == ("DEFENDED_DOUBLE_PUESTA", [0, 0, -30, -30], 70)


@pytest.mark.parametrize("tricks", [[4, 3, 2], [4, 1, 4]])
def test_example_14_the_first_ombre_saved(tricks):
    assert paid(5, 2, 0, "entrada", tricks, defender=1) == ("DEFENDED_SAVED", [0, -20, 0], 25)


def test_example_14_would_be_won():
    assert paid(5, 2, 0, "entrada", [3, 4, 2], defender=1)[0] == "DEFENDED_WON"


def test_example_15_a_codille_for_the_third_seat():
    got = paid(10, 3, 1, "entrada", [2, 2, 5, 0], players=4, defender=0)
    assert got == ("DEFENDED_CODILLE", [-30, -30, 30, 0], 40)


def test_example_15_b_with_estuches():
    got = paid(10, 1, 0, "entrada", [3, 4, 2], defender=2, estuches=3)
    assert got == ("DEFENDED_CODILLE", [-31, 28, -22], 35)


def test_example_16_after_two_deals_passed_out():
    assert paid(15, 2, 0, "entrada", [6, 2, 1]) == ("SACADA", [15, 0, 0], 0)


def test_example_23_a_favourite_suit():
    got = paid(5, 2, 0, "solo", [5, 2, 2], options={"favourite_suit": "S"})
    assert got == ("SACADA", [19, -7, -7], 0)


def test_example_23_b_the_favourite_suit_by_chance():
    got = paid(5, 2, 0, "vuelta", [4, 4, 1], options={"favourite_suit": "S"})
    assert got == ("PUESTA", [-28, 4, 4], 25)


def test_example_23_c_codille_takes_the_pool():
    got = paid(5, 2, 0, "entrada", [2, 5, 2], options={"codille_takes_pool": True})
    assert got == ("CODILLE", [-20, 25, 0], 0)


def test_example_23_d_a_failed_vole_that_keeps_nothing():
    options = {"failed_vole_keeps_pool": False, "failed_vole_keeps_primeras": False}
    got = paid(5, 0, 1, "entrada", [0, 8, 1], trump="C", estuches=3, primeras=True, options=options)
    assert got == ("SACADA_VOLE_FAILED", [22, -44, 22], 5)


@pytest.mark.parametrize(("e", "points"), [(0, 0), (2, 0), (3, 3), (9, 9)])
def test_estuches_are_paid_from_three_on(e, points):
    assert paid(0, 2, 0, "entrada", [4, 3, 2], estuches=e)[1] == [2 * points, -points, -points]


@pytest.mark.parametrize(
    ("options", "facts", "changes"),
    [
        ({"stake_per_player": 7}, {"tricks": [3, 3, 3]}, [-21, 0, 0]),
        ({"vuelta_points": 11}, {"contract": "vuelta"}, [22, -11, -11]),
        ({"solo_points": 11}, {"contract": "solo"}, [22, -11, -11]),
        ({"estuche_points": 4}, {"estuches": 3}, [24, -12, -12]),
        ({"estuche_min": 4}, {"estuches": 3}, [0, 0, 0]),
        ({"primeras_points": 6}, {"primeras": True, "tricks": [5, 0, 0], "ending": "stopped"}, [12, -6, -6]),
        ({"vole_points": 10}, {"primeras": True, "tricks": [9, 0, 0]}, [26, -13, -13]),
        ({"failed_vole_points": 1}, {"primeras": True, "tricks": [8, 1, 0]}, [4, -2, -2]),
        ({"favourite_suit": "S", "favour_points": 9}, {}, [18, -9, -9]),
        ({"favourite_suit": "H", "favour_points": 9}, {}, [0, 0, 0]),
    ],
)
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
