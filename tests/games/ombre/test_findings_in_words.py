"""What is said of a fault of the deal, the auction, trumps and the exchange: its row, its rule, its sentence."""

from tests.games.ombre.tables import HANDS, STOCK, Record, with_winners
from tests.games.scripted import cases_of


def dealt(**options):
    return Record(**options).start(2).dealt(HANDS, STOCK)


def auctioned(call="entrada", **options):
    return dealt(**options).won_by(0, call)


def exchanging(call="entrada", **options):
    return auctioned(call, **options).trump(0, "S")


def passed_out():
    return dealt().calls("0 pass", "1 pass", "2 pass")


test_each_case_of_the_file = cases_of(
    "ombre/findings_in_words.txt", Record, auctioned, dealt, exchanging, passed_out, with_winners
)
