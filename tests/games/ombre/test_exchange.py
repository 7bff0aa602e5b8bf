"""The exchange (OMB-5.8 to 5.19, example 18) and its faults (OMB-11.23 to 11.29)."""

from tests.games.ombre.tables import Record, exchanging
from tests.games.scripted import cases_of

test_each_case_of_the_file = cases_of("ombre/exchange.txt", Record, exchanging)
