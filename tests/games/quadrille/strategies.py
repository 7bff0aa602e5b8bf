"""Random Quadrille tables for properties: options, lawful tables, and events that ignore the rules."""

from hypothesis import strategies as st

from ledger.events import Event, ResultRecorded, TableOpened
from ledger.games.quadrille import GAME
from ledger.games.quadrille.options import QuadrilleOptions
from ledger.table.corrections import Entry
from ledger.table.fold import TableFold
from tests.builders import NAMES
from tests.contracts.strategies import any_events_of, options_of, rulings_paid_by_the_pool, tables_opened_by

options = options_of(QuadrilleOptions, match_deals=st.sampled_from([0, 4]))

openings = options.map(lambda chosen: TableOpened(game=GAME.name, players=NAMES, options=chosen))

_RESULT = {"ombre": 0, "contract": "solo", "trump": "S", "tricks": [6, 2, 1, 1]}


def lawful_tables(deals: int = 4, closed: bool = True) -> st.SearchStrategy[list[Entry]]:
    return openings.flatmap(lambda opened: tables_opened_by(opened, deals, closed))


def any_events(opened: TableOpened) -> st.SearchStrategy[Event]:
    """Draw well-formed events of a table that ignore the rules."""
    return any_events_of(opened, st.just(ResultRecorded(outcome=_RESULT)), rulings_paid_by_the_pool(4))


def counters_brought(fold: TableFold) -> int:
    """Return the total of seats and pool before the first deal."""
    return 4 * int(fold.options.starting_counters) + int(fold.options.initial_pool)
