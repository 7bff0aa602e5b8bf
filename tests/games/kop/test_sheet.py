"""The score sheet against the computed result (KOP-11.60 to 11.65): compared, never believed."""

from tests.games.kop.tables import ALONE, ALONE_PLAY, ORDINARY_PLAY, Table, ordinary
from tests.games.scripted import cases_of


def settled():
    """KOP-12.1: 0 and 3 win one point each."""
    return ordinary().tricks(ORDINARY_PLAY)


def solo():
    return Table().deal_out(ALONE).contract(0, "zolo_du").tricks(ALONE_PLAY)


def replaced():
    return settled().ruled("replace", deltas=[-3, 1, 1, 1])


test_each_case_of_the_file = cases_of("kop/sheet.txt", Table, ordinary, replaced, settled, solo)
