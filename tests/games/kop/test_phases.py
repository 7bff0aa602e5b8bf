"""Where a deal stands after each of its events, and what it is when it has ended (KOP sections 3 to 6, 11.6)."""

from tests.games.kop.tables import CICHA, Table, bidding, free, ordinary
from tests.games.scripted import cases_of


def test_a_deal_left_unfinished_is_unscorable_and_nothing_is_legal_in_it():
    table = ordinary().start(0)
    deal = table.fold().deals[0].machine
    assert (deal.view().phase, deal.status, deal.legal(), deal.turn()) == ("unscorable", "unscorable", (), None)


def test_the_jack_named_with_a_wesele_is_shown_with_the_call():
    table = Table(announce_wesele_jack=True).deal_out(CICHA).named(0, "wesele", "CJ")
    (call,) = table.state().auction
    assert (call.seat, call.call, call.card) == (0, "wesele", "CJ")
    (call,) = Table().deal_out(CICHA).calls("0 pass").state().auction
    assert call.card is None


test_each_case_of_the_file = cases_of("kop/phases.txt", Table, bidding, free, ordinary)
