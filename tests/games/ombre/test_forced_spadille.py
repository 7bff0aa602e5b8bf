"""Who was dealt SA must play when all pass (OMB-4.21, 4.22, example 23 e)."""

from tests.games.ombre.tables import Record
from tests.games.scripted import cases_of

HANDS = {0: "S2 SK SQ CK HK HQ D7 D6 H3", 1: "SJ S7 DK DQ DJ C7 C3 H2 HA", 2: "SA CJ C4 H7 H5 D5 D4 D2 C2"}
STOCK = "CA D3 C6 S5 S4 S6 S3 C5 H6 H4 CQ HJ DA"


def all_passed(hands=HANDS, stock=STOCK):
    record = Record(all_pass="spadille_forced").start(dealer=2).dealt(hands, stock)
    return record.calls("0 pass", "1 pass", "2 pass")


def with_spadille_in_the_stock():
    return all_passed({**HANDS, 2: HANDS[2].replace("SA", "CA")}, STOCK.replace("CA", "SA"))


test_each_case_of_the_file = cases_of("ombre/forced_spadille.txt", Record, all_passed, with_spadille_in_the_stock)
