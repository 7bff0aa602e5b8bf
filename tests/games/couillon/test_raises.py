"""Mit', Kontra and Re: who may call them when (COU section 5, COU-11.22 to 11.26)."""

from tests.games.couillon.tables import Table
from tests.games.scripted import cases_of

HANDS = {0: "SA SK HA HK D9", 1: "CA CK SQ CJ CT", 2: "HQ DK DQ DJ DT", 3: "S9 H9 DA C9 ST"}


def at_first_lead(**options):
    """Dealer 2, forehand 3 has named D; seat 1 holds SQ as its only trump-to-be."""
    return Table("mit4", **options).start(2).dealt(HANDS, "HJ HT SJ CQ").trump(3, "D")


# --- 11.26 ------------------------------------------------------------------------------------------------------------


def hidden():
    return Table("mit4").start(2).dealt().trump(3, "D")


test_each_case_of_the_file = cases_of("couillon/raises.txt", Table, at_first_lead, hidden)
