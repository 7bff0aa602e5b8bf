"""What is said of a fault of the deal, the bidding, trumps, calling and of words out of place: row, rule, sentence."""

from tests.games.quadrille.tables import Table, at_play, dealt, named, with_six
from tests.games.scripted import cases_of


def passed(**options):
    return dealt(all_pass="throw_in", **options).passed_out()


test_each_case_of_the_file = cases_of("quadrille/findings_in_words.txt", Table, at_play, dealt, named, passed, with_six)
