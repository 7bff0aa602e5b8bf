"""Wrong cards, wrong turns, gathering and conceding (COU-11.27 to 11.39): what is found, and how the play goes on."""

from tests.games.couillon.tables import Table, playing, to_the_end
from tests.games.scripted import cases_of

test_each_case_of_the_file = cases_of("couillon/play_faults.txt", Table, playing, to_the_end)
