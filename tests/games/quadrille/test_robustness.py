"""No record of Quadrille, however wrong, stops the reading of it."""

from tests.contracts.any_record import AnyRecord
from tests.games.quadrille import strategies
from tests.games.quadrille.section_11 import assert_as_in_the_table
from tests.games.quadrille.strategies import counters_brought


class TestAnyRecord(AnyRecord):
    tables = strategies

    def check_finding(self, game, finding):
        super().check_finding(game, finding)
        assert_as_in_the_table(finding)

    def brought(self, fold):
        return counters_brought(fold)  # QUA-7.36
