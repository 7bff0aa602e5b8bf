"""The irregularities in the code are those of the rulebook's table."""

from ledger.games.couillon.irregularities import HALTING_CODES, IRREGULARITIES
from tests.games.couillon.section_11 import rows

NOT_IN_A_RECORD = {
    "COU-11.10",  # invalid options are refused (contract 3)
    "COU-11.17",  # the cards of a deal are one event: packets have no order in time (contract 6)
    "COU-11.47",  # closing a table before its match has ended is no fault, and nobody names a winner (contract 5)
    "COU-11.48",  # a missing score sheet is no irregularity (contract 5)
    "COU-11.50",  # a card exposed is a remark, and remarks are never interpreted (contract 5)
}
BLOCKS_AT_THE_END = {"COU-11.37", "COU-11.46"}


def test_every_row_that_a_record_can_hold_is_an_irregularity_with_its_severity():
    expected = {code: row.severity for code, row in rows().items() if code not in NOT_IN_A_RECORD}
    assert expected == dict(IRREGULARITIES.values())


def test_the_rows_that_block_are_those_of_the_table():
    blocking = {code for code, row in rows().items() if row.blocks} - NOT_IN_A_RECORD
    assert blocking == HALTING_CODES | BLOCKS_AT_THE_END


def test_the_table_was_read_in_full():
    assert list(rows()) == [f"COU-11.{number}" for number in range(10, 51)]
