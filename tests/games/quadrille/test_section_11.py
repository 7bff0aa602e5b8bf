"""The irregularities in the code are those of the rulebook's table."""

from ledger.games.quadrille.irregularities import IRREGULARITIES
from tests.games.quadrille.section_11 import rows

NOT_IN_A_RECORD = {"QUA-11.44"}  # remarks are never interpreted (contract 5)


def test_every_row_that_a_record_can_hold_is_an_irregularity_with_its_name_and_severity():
    expected = {row.name: (code, row.severity) for code, row in rows().items() if code not in NOT_IN_A_RECORD}
    assert expected == IRREGULARITIES


def test_the_table_was_read_in_full():
    assert list(rows()) == [f"QUA-11.{number}" for number in range(8, 55)]
