"""Throwing in a decided deal (OMB-6.33 to 6.37, example 21) and its faults (OMB-11.42)."""

from itertools import product

from ledger.games.ombre.options import OmbreOptions
from ledger.games.ombre.outcome import OmbreOutcome
from ledger.games.ombre.pack import defended_result, is_decided, played_result
from ledger.games.ombre.scoring import payment_lines
from tests.games.ombre.tables import Record, with_winners
from tests.games.scripted import cases_of


def test_decided_means_that_every_sharing_pays_the_same():
    """Against a brute force over the payments themselves, for every state of a deal that is not defended."""
    options = OmbreOptions()

    def payments(tricks, primeras):
        result = played_result(*tricks, primeras)
        outcome = OmbreOutcome(
            result=result, ombre=0, contract="entrada", trump="S", tricks=tricks, estuches=3, primeras=primeras
        )
        return result, tuple(
            (line.source, line.target, line.amount) for line in payment_lines(outcome, options, 3, 2, 5)
        )

    for ombre, first, second in product(range(10), repeat=3):
        played = ombre + first + second
        if not 0 < played < 9:
            continue
        for primeras in {ombre == played >= 5, ombre >= 5}:
            left = 9 - played
            shares = [(a, b, left - a - b) for a in range(left + 1) for b in range(left + 1 - a)]
            ends = set()
            for a, b, c in shares:
                # An Ombre who has won all so far and goes on winning has, or gets, the first five.
                gets_five = primeras or (ombre == played and played + a >= 5)
                ways = {gets_five, primeras} if ombre == played < 5 else {gets_five}
                for way in ways:
                    if way or (ombre + a, b + c) != (9, 0):
                        ends.add(payments((ombre + a, first + b, second + c), way))
            decided = is_decided(ombre, first, second, primeras=primeras, defender=None)
            assert decided == (len(ends) == 1), (ombre, first, second, primeras)


def test_a_defended_deal_is_decided_when_its_result_is():
    for ombre, defender, third in product(range(10), repeat=3):
        played = ombre + defender + third
        if not 0 < played < 9:
            continue
        left = 9 - played
        results = {
            defended_result(defender + b, ombre + a, third + left - a - b)
            for a in range(left + 1)
            for b in range(left + 1 - a)
        }
        assert is_decided(ombre, defender, third, primeras=False, defender=1) == (len(results) == 1)


test_each_case_of_the_file = cases_of("ombre/throwing_in.txt", Record, with_winners)
