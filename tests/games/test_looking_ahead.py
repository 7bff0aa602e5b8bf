"""A trial, on a copy of a deal or by `check`, leaves the deal as it was and predicts what would happen.

Each record is of one deal, and its first two entries open the table and start the deal.
"""

from typing import Any

import pytest

from ledger.table.fold import TableFold
from tests.builders import Record
from tests.games.couillon.tables import Table as Couillon
from tests.games.kop.tables import Table as Kop
from tests.games.kop.tables import free
from tests.games.ombre.tables import Record as Ombre
from tests.games.ombre.tables import with_winners
from tests.games.quadrille.tables import at_play, dealt, with_six
from tests.games.scripted import Case, read_cases

pytestmark = pytest.mark.compiled


def couillon(form: str = "basic4", **options: Any) -> Record:
    return Couillon(form, **options)


def kop(game: str = "kop", **options: Any) -> Record:
    return Kop(game, **options)


CASES = read_cases("looking_ahead.txt", couillon, kop, free, Ombre, with_winners, at_play, dealt, with_six)


def deal_at(record: Record, version: int) -> Any:
    return TableFold(record.entries[:version]).deals[0].machine


def answers_of(deal: Any) -> tuple[Any, ...]:
    views = [deal.view(seat) for seat in (None, 0, 1, 2, 3)]
    assert (views[0].legal, views[0].turn) == (deal.legal(), deal.turn())
    return views, deal.legal(), deal.turn(), deal.status, deal.outcome(), list(deal.late_violations())


EACH = pytest.mark.parametrize("case", CASES.values(), ids=CASES)


@EACH
def test_events_on_a_copy_do_not_change_the_deal(case: Case) -> None:
    record = case.check()
    deal, entries = deal_at(record, 2), record.entries[2:]
    for place, (version, event) in enumerate(entries):
        before = answers_of(deal)
        copy = deal.copy()
        for later_version, later in entries[place:]:
            copy.apply(later, later_version)
        copy.leave(99, None)
        assert answers_of(deal) == before
        deal.apply(event, version)


@EACH
def test_a_copy_has_the_results_of_the_deal(case: Case) -> None:
    record = case.check()
    whole = answers_of(record.machine())
    for place in range(2, len(record.entries)):
        copy = deal_at(record, place).copy()
        for version, event in record.entries[place:]:
            copy.apply(event, version)
        assert answers_of(copy) == whole


@EACH
def test_check_predicts_the_violations_of_apply(case: Case) -> None:
    record = case.check()
    deal = deal_at(record, 2)
    for version, event in record.entries[2:]:
        before = answers_of(deal)
        violations_ahead = deal.check(event)
        assert {violation.version for violation in violations_ahead} <= {0}  # it is not recorded yet
        expected = [(violation.code, violation.seat, violation.legal) for violation in violations_ahead]
        assert answers_of(deal) == before
        assert expected == [(one.code, one.seat, one.legal) for one in deal.apply(event, version)]
