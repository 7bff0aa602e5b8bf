"""Fixing trumps (OMB-5.1 to 5.7) and its faults (OMB-11.19 to 11.22)."""

from tests.games.ombre.tables import Record, auctioned
from tests.games.scripted import cases_of

test_each_case_of_the_file = cases_of("ombre/trump.txt", Record, auctioned)
