"""Both auctions: who calls, what is admissible, when it ends, what it comes to (KOP section 4)."""

from tests.games.kop.tables import Table, bidding, free
from tests.games.scripted import cases_of

test_each_case_of_the_file = cases_of("kop/auction.txt", Table, bidding, free)
