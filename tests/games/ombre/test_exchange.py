"""The exchange (OMB-5.8 to 5.19, example 18) and its faults (OMB-11.23 to 11.29)."""

from tests.games.ombre.tables import HANDS, STOCK, Record
from tests.games.scripted import cases_of


def exchanging(call="entrada", ombre=0, trump="S", stock=STOCK, hands=HANDS, **options):
    record = Record(**options).start(2).dealt(hands, stock).won_by(ombre, call)
    return record.turned(stock.split()[0]) if call == "vuelta" else record.trump(ombre, trump)


test_each_case_of_the_file = cases_of("ombre/exchange.txt", Record, exchanging)
