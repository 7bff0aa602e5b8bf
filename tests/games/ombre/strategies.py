"""Random Ombre tables for properties: options, lawful tables, and events that ignore the rules."""

from hypothesis import strategies as st

from ledger.events import Event, ResultRecorded, TableOpened
from ledger.games.ombre import GAME
from ledger.games.ombre.options import OmbreOptions
from ledger.table.corrections import Entry
from tests.builders import NAMES
from tests.contracts.strategies import any_events_of, options_of, rulings_paid_by_the_pool, tables_opened_by

options = options_of(OmbreOptions, "players", "pack_names", match_deals=st.integers(0, 4))

openings = st.builds(
    lambda players, chosen: TableOpened(game=GAME.name, players=NAMES[:players], options=chosen),
    st.sampled_from([3, 4]),
    options,
)


def lawful_tables(deals: int = 4, closed: bool = True) -> st.SearchStrategy[list[Entry]]:
    return openings.flatmap(lambda opened: tables_opened_by(opened, deals, closed))


def any_events(opened: TableOpened) -> st.SearchStrategy[Event]:
    """Draw well-formed events of a table that ignore the rules."""
    rulings = rulings_paid_by_the_pool(len(opened.players))
    return any_events_of(opened, st.just(ResultRecorded(outcome={})), rulings)
