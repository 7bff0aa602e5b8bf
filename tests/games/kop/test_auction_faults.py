"""Wrong calls: what is found, and what the call counts for (KOP-11.20 to 11.35)."""

from tests.games.kop.tables import Table, bidding, free, ordinary
from tests.games.scripted import cases_of

test_each_case_of_the_file = cases_of("kop/auction_faults.txt", Table, bidding, free, ordinary)
