"""Random Ombre tables for properties: options, lawful tables, and events without regard to any rule."""

from __future__ import annotations

from hypothesis import strategies as st

from ledger.events import Event, ResultRecorded, RulingGiven, TableOpened
from ledger.games.ombre import GAME
from ledger.table.corrections import Entry
from tests.builders import NAMES
from tests.contracts.strategies import any_events_of, tables_opened_by

_SMALL = st.integers(0, 30)
_FLAG = st.booleans()

options = st.fixed_dictionaries(
    {},
    optional={
        "ante": _SMALL,
        "stake_per_player": _SMALL,
        "vuelta_points": _SMALL,
        "solo_points": _SMALL,
        "estuche_points": _SMALL,
        "estuche_min": st.integers(1, 9),
        "primeras_points": _SMALL,
        "vole_points": _SMALL,
        "failed_vole_points": _SMALL,
        "failed_vole_keeps_pool": _FLAG,
        "failed_vole_keeps_primeras": _FLAG,
        "codille_takes_pool": _FLAG,
        "solo_first_exchange_max": st.integers(0, 9),
        "exchange_yield": _FLAG,
        "surrender_allowed": _FLAG,
        "surrender_max_tricks": st.integers(0, 8),
        "defend_allowed": _FLAG,
        "defend_takes_pool": _FLAG,
        "all_pass": st.sampled_from(["redeal", "spadille_forced"]),
        "favourite_suit": st.sampled_from(["none", "S", "H", "D", "C"]),
        "favour_points": _SMALL,
        "throw_in_allowed": _FLAG,
        "match_deals": st.integers(0, 4),
        "final_pool": st.sampled_from(["split", "leave"]),
    },
)


openings = st.builds(
    lambda players, chosen: TableOpened(game=GAME.name, players=NAMES[:players], options=chosen),
    st.sampled_from([3, 4]),
    options,
)


def lawful_tables(deals: int = 4, closed: bool = True) -> st.SearchStrategy[list[Entry]]:
    """The entries of a simulated table."""
    return openings.flatmap(lambda opened: tables_opened_by(opened, deals, closed))


def any_events(opened: TableOpened) -> st.SearchStrategy[Event]:
    """Any event of a table, well-formed but without regard to the rules."""
    amounts = st.tuples(*[st.integers(-50, 50)] * len(opened.players))
    return any_events_of(
        opened,
        st.just(ResultRecorded(outcome={})),
        st.builds(
            lambda deal, kind, deltas: RulingGiven(deal=deal, text="", kind=kind, deltas=deltas, pool=-sum(deltas)),
            st.integers(1, 3),
            st.sampled_from(["adjust", "replace"]),
            amounts,
        ),
    )
