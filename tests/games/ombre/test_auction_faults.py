"""Wrong calls (OMB-11.13 to 11.17): what is found, and that a void call changes nothing."""

from tests.games.ombre.tables import Record, bidding
from tests.games.scripted import cases_of

test_each_case_of_the_file = cases_of("ombre/auction_faults.txt", Record, bidding)
