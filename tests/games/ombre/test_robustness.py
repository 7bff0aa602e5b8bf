"""No record, however wrong, stops the reading of it: any event of any seat, in any order, is folded and audited."""

from hypothesis import given
from hypothesis import strategies as st

from ledger.events import MACHINE_TYPES, DealStarted, DealVoided, TableOpened
from ledger.games.ombre import GAME
from tests.builders import NAMES
from tests.games import robustness
from tests.games.ombre.strategies import any_events, lawful_tables, options


def read_in_full(events):
    fold, score, _ = robustness.read_in_full(events)
    assert sum(score.totals) + score.state["pool"] == 0
    closing = score.closing.deltas if score.closing else [0] * len(score.players)
    adjusted = [
        ruling.deltas for deal in score.deals for ruling in deal.rulings if ruling.kind == "adjust" and ruling.deltas
    ]
    parts = [*(deal.deltas for deal in score.deals), *adjusted, closing]
    assert score.totals == [sum(column) for column in zip(*parts, strict=True)]
    for deal in score.deals:
        assert sum(deal.deltas) + deal.pool_after - deal.pool_before == 0
        if deal.outcome:  # what was computed can be recorded as a result, and then says the same
            again = GAME.check_outcome(deal.outcome, fold.options, len(score.players), deal.dealer)
            assert again == fold.deal(deal.deal).outcome
    assert_folded_as_event_by_event(fold)


def assert_folded_as_event_by_event(fold):
    """The fold takes runs of cards at once; taken one by one they must come to the same."""
    for record in fold.deals:
        machine = fold.game.make_match(fold.options, len(fold.players)).start_deal(record.dealer)
        found = []
        for version, event in fold.entries[record.start + 1 : record.end]:
            if isinstance(event, DealVoided):
                found.extend(machine.void(version))
            elif type(event) in MACHINE_TYPES:
                found.extend(machine.apply(event, version))
        if record.end < len(fold.entries):
            machine.leave(0, None)
        assert machine.view() == record.machine.view()
        assert machine.status == record.machine.status
        assert machine.outcome() == record.machine.outcome()
        if not record.is_ignored:
            found = [violation for violation in found if violation not in machine.refuted_violations()]
            assert [violation for violation in record.violations if violation in found] == found


@given(st.sampled_from([3, 4]), options, st.data())
def test_any_events_in_any_order_can_be_read(players, chosen, data):
    events = data.draw(st.lists(any_events(players), max_size=40))
    start = DealStarted(deal=1, dealer=data.draw(st.integers(0, players - 1)))
    read_in_full([TableOpened(game="ombre", players=NAMES[:players], options=chosen), start, *events])


@given(lawful_tables(deals=3), st.data())
def test_a_lawful_table_with_entries_lost_or_put_in_can_be_read(entries, data):
    events = [event for _, event in entries]
    players = len(events[0].players)
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(2, len(events)))
        if data.draw(st.booleans()):
            events.insert(place, data.draw(any_events(players)))
        elif place < len(events):
            del events[place]
    read_in_full(events)


@given(lawful_tables(deals=2), st.randoms(use_true_random=False))
def test_a_lawful_table_with_its_entries_shuffled_can_be_read(entries, random):
    opened, started, *rest = [event for _, event in entries]
    random.shuffle(rest)
    read_in_full([opened, started, *rest])
