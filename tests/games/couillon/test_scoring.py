"""STRIKE, CIRCLE and game points (COU section 7): each rule by itself; the book's examples are under `replays/`."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.games.couillon.board import circled, need, struck, with_extra_bar
from tests.games.couillon.tables import Table
from tests.games.scripted import cases_of

sides = st.lists(st.integers(0, 4), max_size=6).map(lambda bars: tuple(sorted(bars, reverse=True)))


@pytest.mark.parametrize(
    ("side", "strength", "left"),
    [
        ((1, 0, 0), 1, (0, 0, 0)),  # COU-7.18
        ((0, 0), 1, (0,)),
        ((0,), 1, ()),
        ((2, 1), 2, (1, 0)),  # COU-7.19
        ((3, 2), 2, (2, 1)),
        ((1, 0, 0), 2, (0, 0)),  # COU-7.20
        ((0, 0, 0), 2, (0,)),  # COU-7.21
        ((0,), 2, ()),
        ((0, 0, 0, 0, 0), 4, (0,)),  # COU-7.22
        ((1, 1, 0), 3, (0, 0)),
        ((1,), 9, ()),
        ((), 2, ()),
    ],
)
def test_strike(side, strength, left):
    assert struck(side, strength) == left


@pytest.mark.parametrize(
    ("side", "after"), [((0, 0), (1, 0)), ((1, 0, 0), (1, 1, 0)), ((1, 1), (2, 1)), ((2, 1, 1), (2, 2, 1)), ((), ())]
)
def test_circle(side, after):
    assert circled(side) == after


@given(sides, st.integers(1, 12))
def test_strike_lowers_need_by_its_strength_or_by_all_there_is(side, strength):
    assert need(struck(side, strength)) == need(side) - min(strength, need(side))
    assert list(struck(side, strength)) == sorted(struck(side, strength), reverse=True)


@given(sides.filter(bool))
def test_a_circle_and_an_extra_bar_raise_need_by_one(side):
    assert need(circled(side)) == need(with_extra_bar(side)) == need(side) + 1


def lines(table):
    return [(line.rule, line.source, line.target, line.amount) for line in table.deal().lines]


class TestBars:
    def test_the_winners_bar_and_the_makers_circle_are_lines_of_every_seat(self):
        table = Table().start(3).result(15, 9, maker=1)
        assert lines(table) == [
            ("COU-7.14", "board", 0, 1),
            ("COU-7.14", "board", 2, 1),
            ("COU-7.16", 1, "board", 1),
            ("COU-7.16", 3, "board", 1),
        ]
        assert table.deal().deltas == [1, -1, 1, -1]
        assert table.carried == {"sides": [[0, 0, 0, 0], [1, 0, 0, 0, 0]], "need": [4, 6], "draw_mark": 0}

    def test_a_draw_moves_nothing_and_makes_one_mark_that_the_next_win_wipes(self):
        table = Table().start(3).result(12, 12, maker=1).start().result(14, 14)
        assert (lines(table), table.carried["draw_mark"], table.carried["need"]) == ([], 1, [5, 5])
        assert table.start().result(9, 15).carried == {"sides": [[0] * 5, [0] * 3], "need": [5, 3], "draw_mark": 0}


def points(first, second, dealer=3, tricks=(3, 2), options=None, **outcome):
    return Table("mit4", **(options or {})).start(dealer).result(first, second, tricks, **outcome)


class TestPoints:
    @pytest.mark.parametrize(
        ("option", "maker", "loser"),
        [("always", None, 14), ("named_only", 1, 14), ("named_only", None, 13), ("off", 1, 13)],
    )
    def test_a_win_of_the_dealers_team_moves_the_others_away_from_zero(self, option, maker, loser):
        table = points(20, 10, dealer=0, maker=maker, options={"dealer_win_penalty": option})
        assert table.carried == {"gp": [12, loser]}
        if loser == 14:
            assert lines(table)[2:] == [("COU-7.33", 1, "board", 1), ("COU-7.33", 3, "board", 1)]

    def test_start_points_and_a_fall_below_zero(self):
        table = points(30, 0, tricks=(5, 0), mit=True, options={"start_points": 2})
        assert (table.carried, table.score().match.winners) == ({"gp": [-1, 2]}, [0, 2])
        assert table.score().totals == [3, 0, 3, 0]

    @pytest.mark.parametrize(("start", "winners"), [(1, [0, 2]), (2, [])])
    def test_a_match_in_points_ends_at_exactly_zero(self, start, winners):
        table = points(20, 10, options={"start_points": start})
        assert (table.carried["gp"][0], table.score().match.over, table.score().match.winners) == (
            start - 1,
            bool(winners),
            winners,
        )


test_each_case_of_the_file = cases_of("couillon/scoring.txt", Table, points)
