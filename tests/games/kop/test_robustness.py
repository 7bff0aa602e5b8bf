"""No record, however wrong, stops the reading of it: any event of any seat, in any order, is folded and audited."""

from hypothesis import given
from hypothesis import strategies as st

from ledger.events import CardsDealt, DealStarted, TableOpened
from tests.builders import NAMES
from tests.games import robustness
from tests.games.kop.strategies import any_events, lawful_tables, options_of


def read_in_full(events):
    fold, score, _ = robustness.read_in_full(events, seats=(None, 0, 2))
    assert sum(score.totals) == 0
    for deal in score.deals:
        assert sum(deal.deltas) == deal.pool_before == deal.pool_after == 0
    return fold


@given(st.sampled_from(["kop", "baska"]), st.data())
def test_any_events_in_any_order_can_be_read(game, data):
    events = data.draw(st.lists(any_events(), max_size=40))
    start = DealStarted(deal=1, dealer=data.draw(st.integers(0, 3)))
    read_in_full([TableOpened(game=game, players=NAMES, options=data.draw(options_of[game])), start, *events])


@given(lawful_tables(), st.data())
def test_a_lawful_table_with_entries_lost_or_put_in_can_be_read(entries, data):
    events = [event for _, event in entries]
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(2, len(events)))
        if data.draw(st.booleans()):
            events.insert(place, data.draw(any_events()))
        elif place < len(events):
            del events[place]
    read_in_full(events)


@given(lawful_tables(deals=2), st.data(), st.randoms(use_true_random=False))
def test_a_table_without_its_hands_and_with_its_entries_shuffled_can_be_read(entries, data, random):
    opened, started, *rest = [event for _, event in entries if not isinstance(event, CardsDealt)]
    random.shuffle(rest)
    read_in_full([opened, started, *rest])
