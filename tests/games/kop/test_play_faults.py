"""Wrong plays, gathers, concessions and stops (KOP-11.40 to 11.51)."""

from tests.games.kop.tables import ALONE, Table, ordinary
from tests.games.scripted import cases_of


def alone(bid="zolo_du", **options):
    return Table(**options).deal_out(ALONE).contract(0, bid)


test_each_case_of_the_file = cases_of("kop/play_faults.txt", Table, alone, ordinary)
