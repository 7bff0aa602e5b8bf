"""The payments of a deal: the table of section 7, the factors, the pairing; and results without play."""

import tomllib
from pathlib import Path

import pytest

from ledger.errors import MalformedError
from ledger.games.kop import BASKA, GAME
from ledger.games.kop.options import BaskaOptions, KopOptions
from ledger.games.kop.outcome import KopOutcome, checked_outcome, summarise
from ledger.games.kop.scoring import game_points, payment_lines
from tests.games.kop.tables import Table
from tests.games.scripted import cases_of

PAIRS = ("normal", "wesele")
TABLE = [
    # contract, G for 1, for bez wyjścia, for bez bitki; the same lost by Baśka declarers (section 7)
    ("normal", (1, 2, 3), (2, 4, 6)),
    ("wesele", (1, 2, 3), (2, 4, 6)),
    ("cicha", (4, 8, 12), (8, 16, 24)),
    ("grand", (5, 10, 15), (10, 20, 30)),
    ("zolo", (5, 10, 15), (10, 20, 30)),
]
GAME_POINTS = tomllib.loads(Path(__file__).with_name("scoring.toml").read_text(encoding="utf-8"))["game_points"]
DEGREES = [((60, 44), (2, 2)), ((79, 25), (3, 1)), ((104, 0), (4, 0))]


def outcome_of(contract, points=(60, 44), tricks=(2, 2), doublings=0, declarers=None, options=None, **fields):
    seats = declarers or ((0, 2) if contract in PAIRS else (1,))
    outcome = KopOutcome(
        contract=contract, declarers=seats, card_points=points, tricks=tricks, doublings=doublings, **fields
    )
    return checked_outcome(outcome, options or BaskaOptions(max_doublings=8))


@pytest.mark.parametrize(("contract", "amounts", "lost_in_baska"), TABLE)
def test_base_and_bez_factors_are_those_of_the_table(contract, amounts, lost_in_baska):
    for (points, tricks), amount, lost in zip(DEGREES, amounts, lost_in_baska, strict=True):
        won = outcome_of(contract, points, tricks)
        defeat = outcome_of(contract, points[::-1], tricks[::-1])
        assert game_points(won, KopOptions()) == game_points(won, BaskaOptions()) == amount
        assert game_points(defeat, KopOptions()) == amount
        assert game_points(defeat, BaskaOptions()) == lost


@pytest.mark.parametrize(("contract", "facts", "options", "winner", "points"), GAME_POINTS)
def test_the_amount_of_a_game(contract, facts, options, winner, points):
    outcome = outcome_of(contract, **{name: tuple(values) for name, values in facts.items()})
    option_type = BaskaOptions if options.get("game") == "baska" else KopOptions
    chosen = option_type(**{name: value for name, value in options.items() if name != "game"})
    assert (outcome.winning_side, game_points(outcome, chosen)) == (winner, points)


def test_baska_is_always_won():
    outcome = outcome_of("baska", (0, 0), (0, 0))
    assert (outcome.winning_side, game_points(outcome, BaskaOptions())) == ("declarer", 10)


@pytest.mark.parametrize(("points", "side"), [((53, 51), "declarer"), ((52, 52), "defenders")])
def test_the_declarers_need_53(points, side):
    assert outcome_of("normal", points).winning_side == side


def test_doublings_double():
    for doublings in range(9):
        assert game_points(outcome_of("zolo", doublings=doublings), KopOptions()) == 5 * 2**doublings


def lines(outcome):
    return [(line.rule, line.source, line.target, line.amount) for line in payment_lines(outcome, KopOptions())]


def test_losers_and_winners_are_paired_in_rising_seat_number():
    assert lines(outcome_of("normal", declarers=(1, 2))) == [("KOP-7.13", 0, 1, 1), ("KOP-7.13", 3, 2, 1)]
    assert lines(outcome_of("normal", (44, 60), declarers=(1, 2))) == [("KOP-7.13", 1, 0, 1), ("KOP-7.13", 2, 3, 1)]


def test_a_lone_declarer_is_paid_by_each_or_pays_each():
    assert lines(outcome_of("zolo")) == [("KOP-7.15", seat, 1, 5) for seat in (0, 2, 3)]
    assert lines(outcome_of("zolo", (44, 60))) == [("KOP-7.15", 1, seat, 5) for seat in (0, 2, 3)]


def test_a_summary_names_contract_sides_and_winner():
    summary = summarise(outcome_of("wesele", declarers=(3, 1)))
    assert (summary.contract, summary.declarer, summary.partner, summary.won) == ("wesele", None, None, True)
    assert summary.played_by == (1, 3)
    assert summarise(outcome_of("zolo", (44, 60))).played_by == (1,)
    assert summarise(outcome_of("zolo", (44, 60))).won is False


class TestResultsWithoutPlay:
    def test_a_result_of_two_declarers_does_not_show_who_bid(self):
        table = Table().start(0)
        table.result(contract="wesele", declarers=[2, 0], card_points=[60, 44], tricks=[2, 2])
        view = table.machine().view()
        assert (view.declarer, view.partner, view.declarers) == (None, None, (0, 2))

    def test_a_stopped_result_needs_a_lost_trick(self):
        raw = {"contract": "zolo_du", "declarers": [1], "card_points": [27, 17], "tricks": [1, 1], "stopped": True}
        assert GAME.check_outcome(raw, KopOptions(), 4, 0).winning_side == "defenders"
        with pytest.raises(MalformedError, match="stopped"):
            GAME.check_outcome(raw | {"tricks": [1, 0], "card_points": [27, 0]}, KopOptions(), 4, 0)

    def test_a_baska_has_neither_tricks_nor_doublings(self):
        raw = {"contract": "baska", "declarers": [1]}
        assert BASKA.check_outcome(raw, BaskaOptions(), 4, 0).declarer_wins
        for changes in ({"doublings": 1}, {"tricks": [1, 0]}, {"card_points": [9, 0]}):
            with pytest.raises(MalformedError):
                BASKA.check_outcome(raw | changes, BaskaOptions(), 4, 0)


test_each_case_of_the_file = cases_of("kop/results.txt", Table)
