"""The score sheet against the computed result (KOP-11.60 to 11.65): compared, never believed."""

import pytest

from tests.games.kop.tables import ALONE, ALONE_PLAY, ORDINARY_PLAY, Table, ordinary
from tests.games.scripted import cases_of

RIGHT = [{"from": 1, "to": 0, "amount": 1}, {"from": 2, "to": 3, "amount": 1}]
OTHER_PAIRING = [{"from": 1, "to": 3, "amount": 1}, {"from": 2, "to": 0, "amount": 1}]


def settled():
    """KOP-12.1: 0 and 3 win one point each."""
    return ordinary().tricks(ORDINARY_PLAY)


def solo():
    return Table().deal_out(ALONE).contract(0, "zolo_du").tricks(ALONE_PLAY)


def test_a_right_sheet_is_in_order():
    table = settled().claimed(
        (1, -1, -1, 1),
        totals=(1, -1, -1, 1),
        contract="normal",
        partner=3,
        winning_side="declarer",
        game_points=1,
        payments=RIGHT,
    )
    assert table.codes() == []
    assert solo().claimed(contract="Zolo du").codes() == []


def test_wrong_payments_are_one_finding_per_seat_even_with_wrong_deltas():
    payments = [RIGHT[0], {"from": 2, "to": 3, "amount": 2}]
    assert settled().claimed(payments=payments).found() == [("11.61", 24, 2, None), ("11.61", 24, 3, None)]
    assert settled().claimed((1, -1, -2, 2), payments=payments).codes() == ["11.61", "11.61"]


def test_another_pairing_is_worth_noting_beside_wrong_deltas():
    assert settled().claimed((2, -2, -1, 1), payments=OTHER_PAIRING).codes() == ["11.61", "11.61", "11.62"]


def test_a_payment_in_two_parts_is_the_same_payment():
    parts = [{"from": 1, "to": 0, "amount": 6}, {"from": 1, "to": 0, "amount": 4}]
    rest = [{"from": seat, "to": 0, "amount": 10} for seat in (3, 2)]
    assert solo().claimed(payments=[*parts, *rest]).codes() == []


@pytest.mark.parametrize(
    "sheet",
    [{"payments": [{"from": 0, "to": 1, "amount": 2}, {"from": 3, "to": 2, "amount": 2}]}, {"totals": (-1, 1, 1, -1)}],
)
def test_an_accepted_sheet_may_tell_payments_or_totals_instead_of_deltas(sheet):
    """KOP section 10: payments or the four deltas, the running totals, any subset."""
    table = settled().start(0).calls("1 pass").claimed(**sheet).ruled("accept").start(1)
    assert (table.deal(2).status, table.deal(2).deltas) == ("complete", [-2, 2, 2, -2])


def replaced():
    return settled().ruled("replace", deltas=[-3, 1, 1, 1])


class TestAfterARuling:  # after a ruling (contract 5)
    def test_a_sheet_that_writes_down_what_a_ruling_ordered_is_in_order(self):
        payments = [{"from": 0, "to": seat, "amount": 1} for seat in (1, 2, 3)]
        sheet = {"totals": (-3, 1, 1, 1), "contract": "zolo", "winning_side": "defenders", "game_points": 3}
        assert replaced().claimed((-3, 1, 1, 1), payments=payments, **sheet).codes() == []


SHEETS = {
    "a payment too high": ("KOP-11.61", settled().claimed(payments=[RIGHT[0], {**RIGHT[1], "amount": 2}]), True),
    "other sides": ("KOP-11.65", settled().claimed(contract="zolo", partner=2, winning_side="declarer"), False),
    "a contract that there is not": ("KOP-11.65", settled().claimed(contract="bridge"), False),
    "other game points": ("KOP-11.60", settled().claimed(game_points=2), False),
    "wrong deltas": ("KOP-11.61", settled().claimed((2, -1, -2, 1)), True),
    "wrong payments": ("KOP-11.61", settled().claimed(payments=[RIGHT[0]]), True),
    "wrong payments beside right deltas": ("KOP-11.61", settled().claimed((1, -1, -1, 1), payments=[RIGHT[0]]), True),
    "another pairing": ("KOP-11.62", settled().claimed(payments=OTHER_PAIRING), True),
    "deltas that do not add up": ("KOP-11.63", settled().claimed((2, -1, -1, 1)), True),
    "totals that do not add up": ("KOP-11.63", settled().claimed(totals=(1, -1, -1, 2)), True),
    "such deltas after a ruling": ("KOP-11.63", replaced().claimed((1, 1, 1, 1)), True),
    "wrong totals": ("KOP-11.64", settled().claimed(totals=(1, -1, -2, 2)), True),
    "another contract": ("KOP-11.65", settled().claimed(contract="zolo"), False),
    "another partner": ("KOP-11.65", settled().claimed(partner=2), False),
    "another winner": ("KOP-11.65", settled().claimed(winning_side="defenders"), False),
}
"""For `tests/games/test_sheets_in_words.py`."""


def test_another_pairing_with_the_same_totals_is_found():
    table = settled().claimed(payments=OTHER_PAIRING)
    assert table.finding() == ("11.62", table.version, None, None)


test_each_case_of_the_file = cases_of("kop/sheet.txt", Table, ordinary, replaced, settled, solo)
