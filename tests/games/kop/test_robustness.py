"""No record of Kop, however wrong, stops the reading of it."""

from tests.contracts.any_record import AnyRecord
from tests.games.kop import strategies
from tests.games.section_11 import assert_as_in_the_table


class TestAnyRecord(AnyRecord):
    tables = strategies

    def check_finding(self, game, finding):
        super().check_finding(game, finding)
        assert_as_in_the_table(finding)

    def check_score(self, score, findings):
        """There is no pool (KOP-8.2)."""
        assert all(deal.pool_before == deal.pool_after == 0 for deal in score.deals)
