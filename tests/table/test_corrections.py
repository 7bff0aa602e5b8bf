"""Corrections (contract 3): the log stays unchanged, the reading changes; comparisons of both."""

import pytest

from ledger.errors import NotFoundError
from ledger.table.corrections import corrected_reading
from ledger.table.two_readings import compared, two_readings
from tests.games.ombre.tables import Record, in_play
from tests.games.scripted import cases_of


def three_hearts():
    return in_play("S", {0: "HK SA", 1: "HQ DK", 2: "H2 D2"}, avoid={1: "H", 2: "H"})


test_reading = cases_of("../table/corrections.txt", Record, three_hearts)


def test_without_corrections_the_reading_is_the_record():
    made = three_hearts()
    assert list(corrected_reading(made.entries)) == made.entries


def test_only_a_deal_that_there_is_can_be_compared_also_if_nothing_changes() -> None:
    record = Record().start(2).result().start().result()
    assert [deal.deal for deal in compared("t", record.fold(recorded=True), record.fold(), deals=(2,)).deals] == [2]
    with pytest.raises(NotFoundError, match="there is no deal 3"):
        two_readings("t", record.fold(), 3)
