"""Wrong cards and wrong turns (QUA-11.26 to 11.36): what is found, and how the play goes on."""

from tests.games.quadrille.tables import at_play, tricks_for, with_six
from tests.games.scripted import cases_of


def test_the_helper_makes_tricks_of_four_different_cards():
    assert len({card for trick in tricks_for([0, 1, 2, 3, 0, 1]) for card in trick.values()}) == 24


test_each_case_of_the_file = cases_of("quadrille/play_faults.txt", at_play, with_six)
