"""Making trumps and its faults, Mit', Kontra and Re (COU sections 4 and 5, 11.16 to 11.26, 11.49)."""

from tests.games.couillon.tables import Table
from tests.games.scripted import cases_of


def upcard(**options):
    """Return a deal of basic4, CA on top of the stock and D9 at its bottom; seat 3 deals, seat 0 is forehand."""
    rest = "DA DK CK CQ CJ CT D9"
    hands = {0: "SA HA S9 H9", 1: "SK HK ST HT", 2: "SQ HQ DT C9", 3: "SJ HJ DJ DQ"}
    return Table(**options).start(3).dealt(hands, f"CA {rest}")


def naming(**options):
    hands = {0: "SA SK SQ HA HK", 1: "CA CK CQ CJ CT", 2: "DA DK DQ DJ DT", 3: "S9 H9 D9 C9 ST"}
    return Table("mit4", **options).start(3).dealt(hands, "HQ HJ HT SJ")


HANDS = {0: "SA SK HA HK D9", 1: "CA CK SQ CJ CT", 2: "HQ DK DQ DJ DT", 3: "S9 H9 DA C9 ST"}


def at_first_lead(**options):
    """Return a deal of mit4, dealer 2, in which forehand 3 has named D; SQ is seat 1's only trump-to-be."""
    return Table("mit4", **options).start(2).dealt(HANDS, "HJ HT SJ CQ").trump(3, "D")


def hidden():
    return Table("mit4").start(2).dealt().trump(3, "D")


test_trump_making = cases_of("couillon/trump_making.txt", Table, naming, upcard)
test_raises = cases_of("couillon/raises.txt", Table, at_first_lead, hidden)
