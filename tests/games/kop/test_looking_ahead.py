"""What is tried out, on a copy of a deal or by asking, leaves the deal itself as it was."""

import pytest

from tests.games import looking_ahead
from tests.games.kop.tables import ALONE, CICHA_PLAY, FOUR_QUEENS, ORDINARY, ORDINARY_PLAY, Table, free


def known():
    table = Table(concessions=True).deal_out(ORDINARY).calls("0 kontra", "1 re", "2 grand", "3 pass", "0 pass")
    return table.calls("1 pass").tricks(ORDINARY_PLAY[:2]).gathered(1).conceded(1, 2).played(2, "DA")


def hidden():
    table = Table().start(3).calls("0 wesele", "1 pass", "2 kontra", "3 pass", "0 pass", "1 pass")
    return table.tricks([*CICHA_PLAY[:3], (0, "CQ ?? CT DA")])


def misplayed():
    return free().calls("2 kontra").said(0, "ask").played(0, "DT").trick(1, "DQ HJ").played(3, "HA").played(3, "HA")


def stopped():
    return Table().deal_out(ALONE).contract(0, "zolo_du").trick(0, "CJ SQ HQ HJ").said(None, "stop").played(1, "CT")


def won_at_once():
    return Table("baska").deal_out(FOUR_QUEENS).calls("0 baska").said(0, "show_baska").played(0, "CQ")


def revoked():
    return Table().start(3).passed_out().trick(0, "DT ST HT HA").trick(3, "SA CJ DQ HQ").gathered(0)


RECORDS = [known, hidden, misplayed, stopped, won_at_once, revoked]


@pytest.mark.parametrize("record", RECORDS)
def test_what_is_played_on_a_copy_leaves_the_deal_as_it_was(record):
    looking_ahead.assert_playing_on_a_copy_leaves_the_deal_as_it_was(record())


@pytest.mark.parametrize("record", RECORDS)
def test_a_copy_comes_to_what_the_deal_comes_to(record):
    looking_ahead.assert_a_copy_comes_to_what_the_deal_comes_to(record())


@pytest.mark.parametrize("record", RECORDS)
def test_what_an_event_would_break_is_what_it_breaks(record):
    looking_ahead.assert_what_an_event_would_break_is_what_it_breaks(record())
