"""No record of Ombre, however wrong, stops the reading of it."""

from tests.contracts.any_record import AnyRecord
from tests.games.ombre import strategies
from tests.games.section_11 import assert_as_in_the_table


class TestAnyRecord(AnyRecord):
    tables = strategies

    def check_finding(self, game, finding):
        super().check_finding(game, finding)
        assert_as_in_the_table(finding)
