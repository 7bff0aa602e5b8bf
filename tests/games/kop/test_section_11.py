"""The irregularities in the code are those of the rulebook's table."""

from ledger.games.kop.irregularities import IRREGULARITIES
from tests.games.kop.section_11 import rows

NOT_IN_A_RECORD = {
    "KOP-11.70",  # remarks are never interpreted (contract 5)
    "KOP-11.72",  # invalid options are refused as malformed (contract 5)
}


def test_every_row_that_a_record_can_hold_is_an_irregularity_with_its_severities():
    found = {}
    for code, severity in IRREGULARITIES.values():
        found.setdefault(code, set()).add(severity)
    assert found == {code: row.severities for code, row in rows().items() if code not in NOT_IN_A_RECORD}


def test_the_table_was_read_in_full():
    numbers = [*range(10, 15), *range(20, 36), *range(40, 52), *range(60, 66), *range(70, 73)]
    assert list(rows()) == [f"KOP-11.{number}" for number in numbers]
