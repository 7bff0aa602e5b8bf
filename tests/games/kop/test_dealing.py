"""Cards as dealt: wrong packs and hands, the dealing order, the cut, the dealer (KOP section 3, 11.10 to 11.14)."""

from tests.games.kop.tables import ORDINARY, Table
from tests.games.scripted import cases_of


def dealt(*hands, **fields):
    return Table().deal_out(hands or ORDINARY, **fields)


test_each_case_of_the_file = cases_of("kop/dealing.txt", Table, dealt)
