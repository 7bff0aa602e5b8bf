"""STRIKE, CIRCLE and game points (COU section 7): each rule by itself; the book's examples are under `replays/`."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.games.couillon.scoring import circled, need, struck, with_extra_bar
from tests.games.couillon.tables import Table
from tests.games.scripted import cases_of

BOARD = tomllib.loads(Path(__file__).with_name("board.toml").read_text(encoding="utf-8"))
sides = st.lists(st.integers(0, 4), max_size=6).map(lambda bars: tuple(sorted(bars, reverse=True)))


@pytest.mark.parametrize(("side", "strength", "left"), BOARD["struck"])
def test_strike(side, strength, left):
    assert struck(tuple(side), strength) == tuple(left)


@pytest.mark.parametrize(("side", "after"), BOARD["circled"])
def test_circle(side, after):
    assert circled(tuple(side)) == tuple(after)


@given(sides, st.integers(1, 12))
def test_strike_lowers_need_by_its_strength_or_by_all_there_is(side, strength):
    assert need(struck(side, strength)) == need(side) - min(strength, need(side))
    assert list(struck(side, strength)) == sorted(struck(side, strength), reverse=True)


@given(sides.filter(bool))
def test_a_circle_and_an_extra_bar_raise_need_by_one(side):
    assert need(circled(side)) == need(with_extra_bar(side)) == need(side) + 1


def points(first, second, tricks=(3, 2), **outcome):
    return Table("mit4").start(3).result(first, second, tricks, **outcome)


test_each_case_of_the_file = cases_of("couillon/scoring.txt", Table, points)
