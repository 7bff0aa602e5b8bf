"""Where a deal stands after each of its events, and what it is when it has ended (COU sections 3 to 6, 11.4)."""

import pytest

from tests.games.couillon.tables import HANDS, STOCK, Table, playing, to_the_end
from tests.games.scripted import cases_of


def blocked():
    return Table().start(3).dealt({0: "SA HA DA CA S9"})


def played_out_after_all_have_passed():
    return Table().start(3).dealt(HANDS, STOCK).turned("HJ").passed_out().turned("CJ").played_out()


def test_a_deal_left_unfinished_is_unscorable_and_nothing_is_legal_in_it():
    deal = playing().start().fold().deals[0].machine
    assert (deal.status, deal.legal(), deal.outcome()) == ("unscorable", (), None)
    deal = blocked().start().fold().deals[0].machine
    assert (deal.status, deal.legal()) == ("unscorable", ())


@pytest.mark.parametrize("record", [to_the_end, lambda: Table().start(3).result(15, 9), lambda: playing().voided()])
def test_a_deal_that_has_ended_is_left_as_it_is(record):
    deal = record().fold().deals[0].machine
    status = deal.status
    assert list(deal.leave(99, None)) == []
    assert (deal.status, deal.legal()) == (status, ())


test_each_case_of_the_file = cases_of(
    "couillon/phases.txt", Table, blocked, played_out_after_all_have_passed, playing, to_the_end
)
