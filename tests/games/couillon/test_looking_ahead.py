"""What is tried out, on a copy of a deal or by asking, leaves the deal itself as it was."""

import pytest

from ledger.table.fold import TableFold
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


def answers_of(deal):
    """All that can be asked of a deal."""
    views = [deal.view(seat) for seat in (None, 0, 1, 2, 3)]
    return views, deal.legal(), deal.turn(), deal.status, deal.outcome(), list(deal.late_violations())


def events_of(table):
    """The entries of the deal, and the machine before the first of them."""
    after = table.entries[2:]
    return TableFold(table.entries[:2]).deals[0].machine, after


@pytest.mark.parametrize("record", RECORDS)
def test_what_is_played_on_a_copy_leaves_the_deal_as_it_was(record):
    deal, entries = events_of(record())
    for place, (version, event) in enumerate(entries):
        before = answers_of(deal)
        copy = deal.copy()
        for later_version, later in entries[place:]:
            copy.apply(later, later_version)
        copy.leave(99, None)
        assert answers_of(deal) == before
        deal.apply(event, version)


@pytest.mark.parametrize("record", RECORDS)
def test_a_copy_comes_to_what_the_deal_comes_to(record):
    _, entries = events_of(table := record())
    whole = table.machine()
    for place in range(len(entries)):
        copy = TableFold(table.entries[: 2 + place]).deals[0].machine.copy()
        for version, event in entries[place:]:
            copy.apply(event, version)
        assert answers_of(copy) == answers_of(whole)


@pytest.mark.parametrize("record", RECORDS)
def test_what_an_event_would_break_is_what_it_breaks(record):
    deal, entries = events_of(record())
    for version, event in entries:
        before = answers_of(deal)
        found_ahead = deal.check(event)
        assert {found.version for found in found_ahead} <= {0}  # it stands nowhere yet
        asked = [(found.code, found.seat, found.legal) for found in found_ahead]
        assert answers_of(deal) == before
        told = deal.apply(event, version)
        assert asked == [(found.code, found.seat, found.legal) for found in told]
