"""What is said of a fault of the deal, the auction, trumps and the exchange: its row, its rule, its sentence."""

from tests.games.ombre.tables import HANDS, STOCK, Record, auctioned, exchanging, with_winners
from tests.games.scripted import cases_of


def dealt(**options):
    return Record(**options).start(2).dealt(HANDS, STOCK)


def passed_out():
    return dealt().passed_out()


test_each_case_of_the_file = cases_of(
    "ombre/findings_in_words.txt", Record, auctioned, dealt, exchanging, passed_out, with_winners
)
