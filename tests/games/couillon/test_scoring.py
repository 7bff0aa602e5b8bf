"""STRIKE, CIRCLE and game points (COU section 7), and findings and score lines word for word."""

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


test_scoring = cases_of("couillon/scoring.txt", Table, points)

HANDS = {0: "SA SK HA HK D9", 1: "CA CK SQ CJ CT", 2: "HQ DK DQ DJ DT", 3: "S9 H9 DA C9 ST"}


def naming():
    """Return a deal of mit4, dealer 2; forehand is seat 3, Dan, and seat 1, Ben, holds SQ."""
    return Table("mit4").start(2).dealt(HANDS, "HJ HT SJ CQ")


def upcard(**options):
    return Table(**options).start(3).dealt({0: "SA HA DK C9"}, "HJ ?? ?? ?? ?? ?? ?? D9")


def result_only(form="basic4", **options):
    """Return a deal known only by its result."""
    return Table(form, **options).start(3).result(20, 12, (3, 2) if form == "mit4" else (3, 1))


def test_a_mit_that_the_cards_refute_is_said_to_be_refuted_by_them():
    table = Table("mit4").start(2).dealt().trump(3, "D").trick(3, "DA D9 CT DT").said(1, "mit")
    version = table.version
    table.trick(3, "S9 SQ CA SA")
    first, second = table.findings()
    assert (first.rule, first.version, first.seat) == ("COU-5.2", version, 1)
    assert first.message == "Ben called Mit'; the cards show that Ben did not hold the queen of spades"
    assert (second.version, second.message) == (version, "Ben could not call Mit' at this moment")


test_in_words = cases_of("couillon/in_words.txt", Table, naming, result_only, upcard)
