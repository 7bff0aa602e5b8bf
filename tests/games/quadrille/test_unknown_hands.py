"""Deals of which little was written down: who is forced, what may be called, and what cannot be known at the end."""

from tests.games.quadrille.tables import Table, at_play, dealt, named
from tests.games.scripted import cases_of

UNSEEN = "?? ?? ?? ??"


def forced(hands):
    return dealt(hands).bid_won_by(0, "forced")


def test_a_deal_known_by_its_result_is_settled():
    table = Table().start(3).result(ombre=1, contract="solo", trump="S", tricks=[2, 6, 1, 1])
    view = table.machine().view()
    assert (view.phase, view.turn, view.declarer, view.contract, view.trump) == ("settled", None, 1, "solo", "S")
    assert view.trick_counts == [2, 6, 1, 1]
    assert (table.faults(), table.deal().status) == ([], "complete")


def unseen_tricks(gatherers, call="solo", called=None):
    """Tricks of cards that nobody wrote down, gathered by these seats; nobody gathers for a `-`."""
    table = at_play("S", {}, call=call, called=called)
    leader = 0
    for gatherer in gatherers:
        table.trick(leader, UNSEEN)
        if gatherer != "-":
            leader = int(gatherer)
            table.gathered(leader)
    return table


test_each_case_of_the_file = cases_of(
    "quadrille/unknown_hands.txt", Table, at_play, dealt, forced, named, unseen_tricks
)
