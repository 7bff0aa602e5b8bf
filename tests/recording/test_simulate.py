"""Simulated tables are legal, repeatable, and contain every kind of event."""

from collections import Counter

import pytest

from ledger.errors import MalformedError
from ledger.events import Announced, BidMade, CardsExchanged, TableClosed, TableOpened
from ledger.games.ombre import GAME
from ledger.recording.simulate import simulate, simulate_table
from ledger.table.fold import TableFold
from tests.builders import NAMES


def table(deals=20, seed=1, players=3, **options):
    return simulate_table(GAME, NAMES[:players], options, deals, seed, "test")


def test_the_same_seed_makes_the_same_table():
    assert table() == table()
    assert table() != table(seed=2)


def test_tables_of_one_seed_differ():
    streams: dict[str, list[object]] = {}
    for stream, event in simulate(GAME, NAMES[:3], {}, tables=2, deals=3, seed=1, slug="club", session="tuesday"):
        streams.setdefault(stream, []).append(event)
    assert list(streams) == ["table/club-1", "table/club-2"]
    one, two = streams.values()
    assert one[0] == two[0] == TableOpened(game="ombre", players=NAMES[:3], session="tuesday")
    assert one[1:] != two[1:]


def test_a_table_is_opened_and_closed_unless_it_goes_on():
    events = table(2)
    assert isinstance(events[0], TableOpened)
    assert isinstance(events[-1], TableClosed)
    assert not isinstance(simulate_table(GAME, NAMES[:3], {}, 2, 1, "test", closed=False)[-1], TableClosed)


def test_no_more_deals_are_made_than_the_match_has():
    assert len(TableFold(list(enumerate(table(9, match_deals=4), 1))).deals) == 4


def test_everything_that_can_be_said_and_come_out_occurs():
    events = table(700, seed=4, all_pass="spadille_forced", favourite_suit="H")
    fold = TableFold(list(enumerate(events, 1)))
    said = Counter(event.what for event in events if isinstance(event, Announced))
    called = Counter(event.call for event in events if isinstance(event, BidMade))
    exchanged = {event.count for event in events if isinstance(event, CardsExchanged)}
    results = Counter(record.outcome.result for record in fold.deals)
    assert set(said) == set(GAME.announcements)
    assert set(called) == set(GAME.calls)
    assert exchanged == set(range(10))
    assert len(results) == 11


def test_options_and_players_are_checked():
    with pytest.raises(MalformedError):
        table(players=2)
    with pytest.raises(MalformedError):
        table(antes=3)
