"""Faults of the deal, the bidding, trumps and calling (QUA-11.8 to 11.25): what is found, and how the deal goes on."""

from tests.games.quadrille.tables import Table, at_play, dealt, named
from tests.games.scripted import cases_of

test_each_case_of_the_file = cases_of("quadrille/dealing_faults.txt", Table, at_play, dealt, named)
