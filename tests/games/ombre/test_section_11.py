"""The irregularities in the code are those of the rulebook's table."""

from ledger.games.ombre.irregularities import IRREGULARITIES
from tests.games.ombre.section_11 import rows

NOT_IN_A_RECORD = {
    "OMB-11.12",  # antes are not recorded (contract 5)
    "OMB-11.18",  # the forced Ombre follows from the deal and has no event (contract 6)
    "OMB-11.49",  # the closing of the pool follows from the rules (contract 6)
    "OMB-11.50",  # a missing score sheet is no irregularity (contract 5)
}


def test_every_row_that_a_record_can_hold_is_an_irregularity_with_its_name_and_severity():
    expected = {row.name: (code, row.severity) for code, row in rows().items() if code not in NOT_IN_A_RECORD}
    assert expected == IRREGULARITIES


def test_the_table_was_read_in_full():
    assert list(rows()) == [f"OMB-11.{number}" for number in range(9, 53)]
