"""What is tried out, on a copy of a deal or by asking, leaves the deal itself as it was."""

import pytest

from tests.games import looking_ahead
from tests.games.couillon.tables import Table

HANDS = {0: "SA HA DK C9", 1: "SK HK DQ CA", 2: "SQ S9 DJ CK", 3: "SJ ST DA CQ"}
STOCK = "HJ HQ HT H9 DT D9 CT CJ"


def known():
    table = Table(concession="rest").start(3).dealt(HANDS, STOCK).turned("HJ").calls("0 pass", "1 take")
    return table.trick(0, "SA SK SQ SJ").gathered(1).trick(0, "DK CA DJ DA").said(2, "concede")


def hidden():
    table = Table().start(3).dealt().turned("HJ").calls("0 take")
    return table.trick(0, "SA DQ SQ SJ").trick(0, "DK SK DJ ??").gathered(0).trick(0, "HA HK")


def early():
    table = Table().start(3).turned("HJ").calls("0 pass", "1 pass", "2 pass", "3 pass").turned("CJ")
    return table.dealt(HANDS, STOCK).trick(0, "SA SK SQ SJ")


def doubtful():
    table = Table("mit4").start(2).trump(3, "D").dealt().said(1, "mit").said(0, "kontra").said(3, "re")
    return table.trick(3, "HA ?? H9 HQ").gathered(1).trick(3, "S9 SQ SJ ST").trick(0, "SA SK")


def twice():
    table = Table().start(3).dealt(HANDS, STOCK)
    return table.add(table.entries[-1][1]).turned("HJ").calls("0 take").trick(0, "SA SK")


RECORDS = [known, hidden, early, doubtful, twice]


@pytest.mark.parametrize("record", RECORDS)
def test_what_is_played_on_a_copy_leaves_the_deal_as_it_was(record):
    looking_ahead.assert_playing_on_a_copy_leaves_the_deal_as_it_was(record())


@pytest.mark.parametrize("record", RECORDS)
def test_a_copy_comes_to_what_the_deal_comes_to(record):
    looking_ahead.assert_a_copy_comes_to_what_the_deal_comes_to(record())


@pytest.mark.parametrize("record", RECORDS)
def test_what_an_event_would_break_is_what_it_breaks(record):
    looking_ahead.assert_what_an_event_would_break_is_what_it_breaks(record())
