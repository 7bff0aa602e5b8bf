"""What the findings and the score lines of a deal say, word for word (COU sections 5 to 7, 11)."""

from tests.games.couillon.tables import Table
from tests.games.scripted import cases_of

HANDS = {0: "SA SK HA HK D9", 1: "CA CK SQ CJ CT", 2: "HQ DK DQ DJ DT", 3: "S9 H9 DA C9 ST"}


def naming():
    """mit4, dealer 2; forehand is seat 3, Dan. Seat 1, Ben, holds SQ."""
    return Table("mit4").start(2).dealt(HANDS, "HJ HT SJ CQ")


def upcard(**options):
    return Table(**options).start(3).dealt({0: "SA HA DK C9"}, "HJ ?? ?? ?? ?? ?? ?? D9")


def told(form="basic4", **options):
    """A deal known by its result alone."""
    return Table(form, **options).start(3).result(20, 12, (3, 2) if form == "mit4" else (3, 1))


def test_a_mit_that_the_cards_refute_is_said_to_be_refuted_by_them():
    table = Table("mit4").start(2).dealt().trump(3, "D").trick(3, "DA D9 CT DT").said(1, "mit")
    version = table.version
    table.trick(3, "S9 SQ CA SA")
    first, second = table.findings()
    assert (first.rule, first.version, first.seat) == ("COU-5.2", version, 1)
    assert first.message == "Ben called Mit'; the cards show that Ben did not hold the queen of spades"
    assert (second.version, second.message) == (version, "Ben could not call Mit' at this moment")


test_each_case_of_the_file = cases_of("couillon/in_words.txt", Table, naming, told, upcard)
