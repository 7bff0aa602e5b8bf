"""No record, however wrong, stops the reading of it: any event of any seat, in any order, is folded and audited."""

from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.cards import UNKNOWN
from ledger.events import CardPlayed, CardsDealt, DealStarted, TableOpened
from ledger.table.fold import TableFold
from tests.builders import NAMES
from tests.games import robustness
from tests.games.quadrille.strategies import any_events, lawful_tables, options

FEW = settings(max_examples=60)


def read_in_full(events):
    fold, score, _ = robustness.read_in_full(events)
    options = fold.options
    assert sum(score.totals) + score.state["pool"] == 4 * options.starting_counters + options.initial_pool
    for deal in score.deals:
        assert sum(deal.deltas) + deal.pool_after - deal.pool_before == 0
    return fold


@given(options, st.lists(any_events(), max_size=40), st.integers(0, 3))
def test_any_events_in_any_order_can_be_read(chosen, events, dealer):
    read_in_full(
        [TableOpened(game="quadrille", players=NAMES, options=chosen), DealStarted(deal=1, dealer=dealer), *events]
    )


@FEW
@given(lawful_tables(deals=3), st.data())
def test_a_lawful_table_with_entries_lost_or_put_in_can_be_read(entries, data):
    events = [event for _, event in entries]
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(2, len(events)))
        if data.draw(st.booleans()):
            events.insert(place, data.draw(any_events()))
        elif place < len(events):
            del events[place]
    read_in_full(events)


@FEW
@given(lawful_tables(deals=2), st.randoms(use_true_random=False))
def test_a_lawful_table_with_its_entries_shuffled_can_be_read(entries, random):
    opened, started, *rest = [event for _, event in entries]
    random.shuffle(rest)
    read_in_full([opened, started, *rest])


@FEW
@given(lawful_tables(deals=2), st.randoms(use_true_random=False), st.sampled_from([0.0, 0.05, 0.3]))
def test_a_lawful_table_of_which_little_was_written_down_has_no_fault(entries, random, share):
    """Hands that nobody wrote down and cards that nobody saw prove nothing against anybody."""
    events = []
    for _, event in entries:
        if isinstance(event, CardsDealt):
            hands = tuple(hand if random.random() < 0.3 else None for hand in event.hands)
            events.append(CardsDealt(hands=hands))
        elif isinstance(event, CardPlayed) and random.random() < share:
            events.append(CardPlayed(seat=event.seat, card=UNKNOWN))
        else:
            events.append(event)
    fold = read_in_full(events)
    known = {deal.number: deal for deal in TableFold(entries).deals}
    for deal in fold.deals:
        assert [found for found in deal.violations if found.severity != "info"] == []
        assert deal.outcome in (None, known[deal.number].outcome)
