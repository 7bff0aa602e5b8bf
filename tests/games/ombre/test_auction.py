"""The auction: turns, what may be called, how it ends (OMB section 4, example 17)."""

from tests.games.ombre.tables import Record, bidding
from tests.games.scripted import cases_of

test_each_case_of_the_file = cases_of("ombre/auction.txt", Record, bidding)
