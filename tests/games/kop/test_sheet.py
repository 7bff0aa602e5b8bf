"""The score sheet against the computed result (KOP-11.60 to 11.65): compared, never believed."""

import pytest

from tests.games.kop.builders import ALONE, ALONE_PLAY, ORDINARY_PLAY, Table, ordinary

RIGHT = [{"from": 1, "to": 0, "amount": 1}, {"from": 2, "to": 3, "amount": 1}]


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


def test_no_sheet_is_no_irregularity():
    assert settled().start(0).codes() == []


def test_wrong_game_points():
    assert settled().claimed(game_points=2).finding() == ("11.60", 24, None, None)


def test_wrong_deltas_are_one_finding_per_seat():
    table = settled().claimed((2, -1, -2, 1))
    assert table.found() == [("11.61", 24, 0, None), ("11.61", 24, 2, None)]
    assert table.deal().deltas == [1, -1, -1, 1]


def test_wrong_payments_are_one_finding_per_seat_even_with_wrong_deltas():
    payments = [RIGHT[0], {"from": 2, "to": 3, "amount": 2}]
    assert settled().claimed(payments=payments).found() == [("11.61", 24, 2, None), ("11.61", 24, 3, None)]
    assert settled().claimed((1, -1, -2, 2), payments=payments).codes() == ["11.61", "11.61"]


def test_another_pairing_with_right_totals_is_worth_noting():
    table = settled().claimed(payments=[{"from": 1, "to": 3, "amount": 1}, {"from": 2, "to": 0, "amount": 1}])
    assert table.finding() == ("11.62", 24, None, None)


def test_a_payment_in_two_parts_is_the_same_payment():
    parts = [{"from": 1, "to": 0, "amount": 6}, {"from": 1, "to": 0, "amount": 4}]
    rest = [{"from": seat, "to": 0, "amount": 10} for seat in (3, 2)]
    assert solo().claimed(payments=[*parts, *rest]).codes() == []


def test_a_sheet_that_does_not_add_up():
    assert settled().claimed((1, -1, -1, 2)).codes() == ["11.61", "11.63"]
    table = settled().claimed(totals=(1, -1, -1, 0))
    assert table.codes() == ["11.63", "11.64"]
    assert table.findings()[0].rule == "KOP-8.2"


def test_wrong_totals_are_one_finding_per_seat():
    table = settled().claimed(totals=(2, -2, -1, 1))
    assert table.found() == [("11.64", 24, 0, None), ("11.64", 24, 1, None)]


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


def test_a_lone_declarer_has_no_partner():
    assert solo().claimed(partner=1).codes() == ["11.65"]


def test_of_an_unscorable_deal_only_the_sum_is_checked():
    table = ordinary().claimed((1, 0, 0, 0), game_points=7).start(0)
    assert table.codes() == ["11.48", "11.63"]


def test_the_sheet_of_a_voided_deal_is_not_compared():
    assert settled().claimed((9, 0, 0, 0)).voided().codes() == []


def test_an_accepted_sheet_scores_an_unscorable_deal_if_it_adds_up():
    table = ordinary().claimed((1, -1, -1, 1)).ruled("accept").start(0)
    assert (table.deal(1).status, table.deal(1).deltas) == ("complete", [1, -1, -1, 1])
    table = ordinary().claimed((1, 0, 0, 0)).ruled("accept").start(0)
    assert (table.deal(1).status, table.deal(1).deltas) == ("unscorable", [0, 0, 0, 0])


def test_rulings_replace_void_and_adjust():
    assert settled().ruled("replace", deltas=(5, -5, 0, 0)).deal().deltas == [5, -5, 0, 0]
    table = settled().ruled("void").start(3)
    assert (table.deal(1).status, table.score().totals) == ("voided", [0, 0, 0, 0])
    assert settled().ruled("adjust", deltas=(0, 0, 3, -3)).score().totals == [1, -1, 2, -2]
