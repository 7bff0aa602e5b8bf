"""No record of Couillon, however wrong, stops the reading of it."""

from tests.contracts.any_record import AnyRecord
from tests.games.couillon import strategies
from tests.games.section_11 import assert_as_in_the_table, rows


class TestAnyRecord(AnyRecord):
    tables = strategies

    def check_finding(self, game, finding):
        super().check_finding(game, finding)
        assert_as_in_the_table(finding)

    def check_score(self, score, findings):
        """Blocked deals are not scored."""
        said_after_the_end = "COU-11.46"
        codes = {code for code, row in rows("couillon").items() if row.blocks} - {said_after_the_end}
        blocked = {finding.deal for finding in findings if finding.code in codes}
        for deal in score.deals:
            is_ruled = any(ruling.in_force and ruling.kind != "stands" for ruling in deal.rulings)
            if deal.deal in blocked and not is_ruled:
                assert deal.status in ("unscorable", "voided"), deal
            if deal.status != "complete":
                assert set(deal.deltas) == {0}
