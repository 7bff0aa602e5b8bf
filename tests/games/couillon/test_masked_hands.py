"""What nobody wrote down is no fault: of a record with less in it, no more is found and nothing else is scored."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from ledger.table.fold import TableFold
from tests.covering import examples
from tests.games.couillon.strategies import lawful_tables
from tests.games.masked import blamed, carelessly_played, with_masked_hands, with_masked_plays


@examples(25, many=1_000)
@given(lawful_tables(deals=1, closed=False), st.integers(0, 2**32))
def test_a_record_with_less_in_it_blames_for_nothing_more(entries, seed):
    chance = Random(seed)
    full = carelessly_played(entries, chance)
    less = with_masked_plays(with_masked_hands(full, chance), chance)
    assert blamed(less) <= blamed(full)
    told, known = TableFold(less).deals[0], TableFold(full).deals[0]
    assert told.outcome in (None, known.outcome)
