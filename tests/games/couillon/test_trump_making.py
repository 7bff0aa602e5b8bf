"""Making trumps in both procedures, and what goes wrong in it (COU section 4, COU-11.16 to 11.21, 11.49)."""

from tests.games.couillon.tables import Table
from tests.games.scripted import cases_of


def upcard(**options):
    """basic4 with CA on top of the stock and D9 at its bottom; seat 3 deals, seat 0 is forehand."""
    rest = "DA DK CK CQ CJ CT D9"
    hands = {0: "SA HA S9 H9", 1: "SK HK ST HT", 2: "SQ HQ DT C9", 3: "SJ HJ DJ DQ"}
    return Table(**options).start(3).dealt(hands, f"CA {rest}")


def naming(**options):
    hands = {0: "SA SK SQ HA HK", 1: "CA CK CQ CJ CT", 2: "DA DK DQ DJ DT", 3: "S9 H9 D9 C9 ST"}
    return Table("mit4", **options).start(3).dealt(hands, "HQ HJ HT SJ")


test_each_case_of_the_file = cases_of("couillon/trump_making.txt", Table, naming, upcard)
