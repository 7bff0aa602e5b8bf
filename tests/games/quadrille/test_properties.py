"""Properties of every lawful table of Quadrille: those of all games, with Quadrille's strategies, and its own."""

from hypothesis import given
from hypothesis import strategies as st

from ledger.table.fold import TableFold
from ledger.table.score import score_answer
from tests.contracts.any_record import AnyRecord
from tests.contracts.lawful_tables import LawfulTables, less_of
from tests.covering import examples
from tests.games.quadrille import strategies
from tests.games.quadrille.strategies import counters_brought, lawful_tables


class TestLawfulTables(LawfulTables):
    tables = strategies
    may_be_unlisted = frozenset(("show_spadille", "reveal_partner"))  # a repetition is legal but not listed

    def brought(self, fold):
        return counters_brought(fold)  # QUA-7.36


class TestAnyRecord(AnyRecord):
    """Every record can be read, however wrong it is."""

    tables = strategies

    def brought(self, fold):
        return counters_brought(fold)  # QUA-7.36

    @examples(15)
    @given(
        strategies.lawful_tables(deals=2),
        st.randoms(use_true_random=False),
        st.sampled_from([0.0, 0.05, 0.3]),
        st.integers(0, 3),
    )
    def test_a_lawful_table_of_which_little_was_written_down_can_be_read(self, entries, chance, unseen, seat):
        events = [less_of(event, chance, hands_known=0.3, cards_unseen=unseen) for _, event in entries]
        self.check(events, seen_by=seat)


@examples(25)
@given(lawful_tables())
def test_the_vole_pool_is_empty_after_every_deal(entries):
    for deal in score_answer("t", TableFold(entries)).deals:
        paid = sum(line.amount for line in deal.lines if line.target == "vole_pool")
        assert paid == sum(line.amount for line in deal.lines if line.source == "vole_pool")  # QUA-7.30
