"""No record, however wrong, stops the reading of it: any event of any seat, in any order, is folded and audited."""

from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.events import DealStarted, TableOpened
from tests.games import robustness
from tests.games.couillon.strategies import any_events, any_options, lawful_tables, players_of
from tests.games.couillon.tables import NAMES
from tests.games.section_11 import rows


def read_in_full(events):
    fold, score, findings = robustness.read_in_full(events)
    assert_blocked_deals_are_not_scored(score, findings)
    assert score.totals == [sum(column) for column in zip(*(deal.deltas for deal in score.deals), strict=True)]
    return fold


def assert_blocked_deals_are_not_scored(score, findings):
    codes = {code for code, row in rows("couillon").items() if row.blocks} - {
        "COU-11.46"
    }  # said of what comes after the end, too
    blocked = {finding.deal for finding in findings if finding.code in codes}
    for deal in score.deals:
        is_ruled = any(ruling.in_force and ruling.kind != "stands" for ruling in deal.rulings)
        if deal.deal in blocked and not is_ruled:
            assert deal.status in ("unscorable", "voided"), deal
        if deal.status != "complete":
            assert set(deal.deltas) == {0}


@given(any_options, st.data())
def test_any_events_in_any_order_can_be_read(chosen, data):
    events = data.draw(st.lists(any_events(chosen), max_size=40))
    players = players_of(chosen)
    start = DealStarted(deal=1, dealer=data.draw(st.integers(0, players - 1)))
    read_in_full([TableOpened(game="couillon", players=NAMES[:players], options=chosen), start, *events])


@given(lawful_tables(deals=2), st.data())
def test_a_lawful_table_with_entries_lost_or_put_in_can_be_read(entries, data):
    events = [event for _, event in entries]
    options = {"form": "basic4", **events[0].options}
    for _ in range(data.draw(st.integers(1, 5))):
        place = data.draw(st.integers(2, len(events)))
        if data.draw(st.booleans()):
            events.insert(place, data.draw(any_events(options)))
        elif place < len(events):
            del events[place]
    read_in_full(events)


@settings(max_examples=60)
@given(lawful_tables(deals=2), st.randoms(use_true_random=False))
def test_a_lawful_table_with_its_entries_shuffled_can_be_read(entries, random):
    opened, started, *rest = [event for _, event in entries]
    random.shuffle(rest)
    read_in_full([opened, started, *rest])
