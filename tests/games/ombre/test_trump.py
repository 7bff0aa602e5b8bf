"""Fixing trumps (OMB-5.1 to 5.7) and its faults (OMB-11.19 to 11.22)."""

from tests.games.ombre.tables import HANDS, STOCK, Record
from tests.games.scripted import cases_of


def after_auction(call="entrada", stock=STOCK, hands=HANDS, **options):
    return Record(**options).start(2).dealt(hands, stock).won_by(0, call)


test_each_case_of_the_file = cases_of("ombre/trump.txt", Record, after_auction)
