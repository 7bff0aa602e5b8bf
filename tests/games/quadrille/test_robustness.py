"""No record of Quadrille, however wrong, stops the reading of it."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.contracts.any_record import AnyRecord
from tests.contracts.lawful_tables import less_of
from tests.games.quadrille import strategies
from tests.games.quadrille.strategies import counters_brought
from tests.games.section_11 import assert_as_in_the_table


class TestAnyRecord(AnyRecord):
    tables = strategies

    def check_finding(self, game, finding):
        super().check_finding(game, finding)
        assert_as_in_the_table(finding)

    def brought(self, fold):
        return counters_brought(fold)  # QUA-7.36

    @settings(max_examples=60)
    @given(
        strategies.lawful_tables(deals=2),
        st.randoms(use_true_random=False),
        st.sampled_from([0.0, 0.05, 0.3]),
        st.integers(0, 3),
    )
    def test_a_lawful_table_of_which_little_was_written_down_can_be_read(self, entries, chance, unseen, seat):
        events = [less_of(event, chance, hands_known=0.3, cards_unseen=unseen) for _, event in entries]
        self.check(events, seen_by=seat)
