"""The score sheet against the computed result (KOP-11.60 to 11.65): compared, never believed."""

import pytest

from tests.games.cases import assert_cases, case, shown
from tests.games.kop.tables import ALONE, ALONE_PLAY, CICHA, CICHA_PLAY, ORDINARY_PLAY, Table, ordinary

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


def test_wrong_deltas_are_one_finding_per_seat():
    table = settled().claimed((2, -1, -2, 1))
    assert table.found() == [("11.61", 24, 0, None), ("11.61", 24, 2, None)]
    assert table.deal().deltas == [1, -1, -1, 1]


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


def test_wrong_totals_are_one_finding_per_seat():
    assert settled().claimed(totals=(2, -2, -1, 1)).found() == [("11.64", 24, 0, None), ("11.64", 24, 1, None)]


@pytest.mark.parametrize(
    ("sheet", "rule"),
    [
        ({"contract": "cicha"}, "KOP-5.2"),
        ({"partner": 1}, "KOP-5.2"),
        ({"winning_side": "defenders"}, "KOP-7.3"),
        ({"winning_side": "defenders", "contract": "wesele", "partner": 2}, "KOP-5.2"),
    ],
)
def test_a_wrong_contract_partner_or_winner_is_one_finding(sheet, rule):
    table = settled().claimed(**sheet)
    assert table.finding() == ("11.65", 24, None, None)
    assert table.findings()[0].rule == rule


@pytest.mark.parametrize(("partner", "codes"), [(0, ["11.65"]), (1, []), (2, ["11.65"])])
def test_the_partner_of_a_wesele_is_not_its_bidder(partner, codes):
    """KOP-5.5: 0 bids, 1 has the highest jack that 0 lacks."""
    known = Table().deal_out(CICHA).contract(0, "wesele").tricks(CICHA_PLAY)
    hidden = Table().start(3).contract(0, "wesele").tricks(CICHA_PLAY)
    for table in (known, hidden):
        assert table.claimed(partner=partner).codes() == codes


def test_either_of_the_old_ones_is_the_partner_of_the_other():
    assert settled().claimed(partner=0).codes() == settled().claimed(partner=3).codes() == []


def test_an_accepted_sheet_scores_an_unscorable_deal_if_it_adds_up():
    table = ordinary().claimed((1, -1, -1, 1)).ruled("accept").start(0)
    assert (table.deal(1).status, table.deal(1).deltas) == ("complete", [1, -1, -1, 1])
    table = ordinary().claimed((1, 0, 0, 0)).ruled("accept").start(0)
    assert (table.deal(1).status, table.deal(1).deltas) == ("unscorable", [0, 0, 0, 0])


@pytest.mark.parametrize(
    "sheet",
    [{"payments": [{"from": 0, "to": 1, "amount": 2}, {"from": 3, "to": 2, "amount": 2}]}, {"totals": (-1, 1, 1, -1)}],
)
def test_an_accepted_sheet_may_tell_payments_or_totals_instead_of_deltas(sheet):
    """KOP section 10: payments or the four deltas, the running totals, any subset."""
    table = settled().start(0).calls("1 pass").claimed(**sheet).ruled("accept").start(1)
    assert (table.deal(2).status, table.deal(2).deltas) == ("complete", [-2, 2, 2, -2])


def test_an_accepted_sheet_without_amounts_scores_nothing():
    table = ordinary().claimed(contract="normal", winning_side="declarer").ruled("accept").start(0)
    assert (table.deal(1).status, table.deal(1).deltas) == ("unscorable", [0, 0, 0, 0])


def replaced():
    return settled().ruled("replace", deltas=[-3, 1, 1, 1])


class TestAfterARuling:  # after a ruling (contract 5)
    def test_a_sheet_that_writes_down_what_a_ruling_ordered_is_in_order(self):
        payments = [{"from": 0, "to": seat, "amount": 1} for seat in (1, 2, 3)]
        sheet = {"totals": (-3, 1, 1, 1), "contract": "zolo", "winning_side": "defenders", "game_points": 3}
        assert replaced().claimed((-3, 1, 1, 1), payments=payments, **sheet).codes() == []

    def test_a_sheet_that_writes_down_otherwise_than_a_ruling_ordered_is_found(self):
        assert replaced().claimed((1, -1, -1, 1)).codes() == ["11.61"] * 3
        assert replaced().claimed(totals=(-3, 1, 1, 0)).codes() == ["11.63", "11.64"]


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


CASES = [
    case("no sheet is no irregularity", settled().start(0)),
    case("wrong game points", settled().claimed(game_points=2), ("11.60", None, None)),
    case("another pairing, the same totals", settled().claimed(payments=OTHER_PAIRING), ("11.62", None, None)),
    case("deltas that do not add up", settled().claimed((1, -1, -1, 2)), "11.61", "11.63"),
    case("totals that do not", settled().claimed(totals=(1, -1, -1, 0)), "11.63", "11.64", rule="KOP-8.2"),
    case("a lone declarer has no partner", solo().claimed(partner=1), "11.65"),
    case("only the sum, if unscorable", ordinary().claimed((1, 0, 0, 0), game_points=7).start(0), "11.48", "11.63"),
    case("the sheet of a voided deal is not compared", settled().claimed((9, 0, 0, 0)).voided()),
    shown("a ruling replaces", settled().ruled("replace", deltas=(5, -5, 0, 0)), deltas=[5, -5, 0, 0]),
    shown("voids", settled().ruled("void").start(3), first_status="voided", totals=[0, 0, 0, 0]),
    shown("and adjusts", settled().ruled("adjust", deltas=(0, 0, 3, -3)), totals=[1, -1, 2, -2]),
]


def test_each_case_is_as_its_row_says():
    assert_cases(CASES)
