"""Rulings over the computed score (contract 3, 5): void, replace, accept, adjust, stands; the latest decides."""

from ledger.events import PlayerSeated
from tests.games.ombre.tables import Record, with_winners
from tests.games.scripted import cases_of


def won():
    """A Vuelta won 5-2-2 by seat 0: deltas +9, -2, -7."""
    return with_winners("000101220", call="vuelta")


def replaced():
    return won().ruled("replace", deltas=[-10, 5, 0], pool=5)


def test_the_lines_of_a_replacing_ruling_come_to_its_amounts():
    assert sum(line.amount for line in replaced().deal().lines) == 10


def test_an_adjustment_moves_the_totals_and_is_shown_apart():
    record = won().ruled("adjust", deltas=[-3, 3, 0])
    score = record.score()
    assert (score.deals[0].deltas, score.totals) == ([9, -2, -7], [6, 1, -7])
    assert score.deals[0].rulings[0].deltas == (-3, 3, 0)


def test_an_adjustment_names_any_deal_but_moves_at_its_own_place():
    record = Record().start(2).result().start().result().ruled("adjust", deal=1, deltas=[-9, 0, 0], pool=9)
    deals = record.score().deals
    assert (deals[1].pool_before, len(deals[0].rulings), len(deals[1].rulings)) == (5, 1, 0)
    assert record.score().state == {"pool": 19}


def test_every_line_says_what_it_is_for():
    assert all(line.text for line in won().deal().lines)


def test_a_substitute_takes_over_the_seat():
    record = won().add(PlayerSeated(seat=1, player="Thalestris"))
    assert record.score().players == ["Belinda", "Thalestris", "Sir Plume"]


test_each_case_of_the_file = cases_of("../table/rulings.txt", Record, replaced, with_winners, won)
