"""Random tables of Kop and Baśka for properties: options, lawful tables, and events that follow no rule."""

import tomllib
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from msgspec import structs

from ledger.events import Announced, BidMade, Event, ResultRecorded, RulingGiven, ScoreClaimed, TableOpened
from ledger.games.kop.options import BaskaOptions, KopOptions
from ledger.games.kop.pack import PACK
from ledger.table.corrections import Entry
from tests.builders import NAMES
from tests.contracts.strategies import any_events_of, options_of, tables_opened_by

_MATCH = st.integers(1, 4) | st.none()
_OPTIONS = {
    "kop": options_of(KopOptions, match_deals=_MATCH),
    "baska": options_of(BaskaOptions, "auction_order", match_deals=_MATCH),
}

openings = st.sampled_from(["kop", "baska"]).flatmap(
    lambda name: _OPTIONS[name].map(lambda chosen: TableOpened(game=name, players=NAMES, options=chosen))
)


def lawful_tables(deals: int = 3, closed: bool = True, **fixed: Any) -> st.SearchStrategy[list[Entry]]:
    """Return a strategy of the entries of a simulated table; `fixed`: options that it certainly has."""
    opened = openings.map(lambda opened: structs.replace(opened, options=opened.options | fixed))
    return opened.flatmap(lambda opened: tables_opened_by(opened, deals, closed))


_RECORDED = tomllib.loads(Path(__file__).with_name("recorded.toml").read_text(encoding="utf-8"))


def any_events(opened: TableOpened) -> st.SearchStrategy[Event]:
    """Return a strategy of any event of a table, well-formed but following no rule."""
    seats = st.integers(0, 3)
    amounts = st.lists(st.integers(-50, 50), min_size=4, max_size=4).map(tuple)
    return any_events_of(
        opened,
        st.builds(BidMade, seat=seats, call=st.just("wesele"), card=st.sampled_from(sorted(PACK))),
        st.builds(
            Announced, seat=seats | st.none(), what=st.just("concede"), seats=st.lists(seats, max_size=4).map(tuple)
        ),
        st.builds(
            ScoreClaimed,
            deltas=st.none() | amounts,
            totals=st.none() | amounts,
            sheet=st.sampled_from(_RECORDED["sheets"]),
        ),
        st.builds(ResultRecorded, outcome=st.sampled_from(_RECORDED["outcomes"])),
        st.tuples(st.integers(-9, 9), st.integers(-9, 9), st.sampled_from(["adjust", "replace"])).map(
            lambda drawn: RulingGiven(deal=1, text="", kind=drawn[2], deltas=(drawn[0], -drawn[0], drawn[1], -drawn[1]))
        ),
    )
