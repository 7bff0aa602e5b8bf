"""Hands that nobody wrote down: what the cards prove later, and what cannot be known."""

import pytest

from ledger.events import Announced
from tests.games.kop.tables import Table
from tests.games.scripted import cases_of


def hidden(*calls, **options):
    table = Table(**options).start(3)
    return table.calls(*calls) if calls else table.passed_out()


def proven():
    """A revoke of seat 1, found at entry 8 when it plays HQ."""
    return hidden().trick(0, "DT ST HT HA").trick(3, "SA CJ DQ HQ")


@pytest.mark.parametrize("seats", [(), (0, 1, 2, 3)])
def test_neither_nobody_nor_everybody_concedes_even_where_no_side_is_known(seats):
    table = hidden(concessions=True)
    table.add(Announced(seat=None, what="concede", seats=seats))
    assert table.finding() == ("11.50", 7, None, None)


test_each_case_of_the_file = cases_of("kop/hidden_hands.txt", Table, hidden, proven)
