"""Random tables of Kop and Baśka for properties: options, lawful tables, and events without regard to any rule."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from ledger.cards import UNKNOWN
from ledger.events import (
    Announced,
    BidMade,
    CardPlayed,
    CardsDealt,
    DealStarted,
    DealVoided,
    Event,
    PlayerSeated,
    ResultRecorded,
    RulingGiven,
    ScoreClaimed,
    TableClosed,
    TrickGathered,
)
from ledger.games import game_named
from ledger.games.kop.auction import CALLS
from ledger.games.kop.pack import PACK
from ledger.recording.simulate import simulate_table
from ledger.table.corrections import Entry
from tests.builders import NAMES

_FLAG = st.booleans()
_COMMON = {
    "new_trumps": _FLAG,
    "kontra_own_wesele": _FLAG,
    "announce_wesele_jack": _FLAG,
    "max_doublings": st.integers(0, 8),
    "same_side_doubling": st.sampled_from(["void", "illegal"]),
    "auction_first": st.sampled_from(["leader", "after_leader"]),
    "passes_to_end": st.sampled_from([3, 4]),
    "wesele_timing": st.sampled_from(["any", "first_call"]),
    "ask_bars_leader_solo": _FLAG,
    "must_trump": _FLAG,
    "must_beat": _FLAG,
    "bez_in_solo": _FLAG,
    "declarer_bez_limit": st.sampled_from([25, 26]),
    "concessions": _FLAG,
    "match_deals": st.integers(1, 4) | st.none(),
}
options_of = {
    "kop": st.fixed_dictionaries({}, optional=_COMMON | {"auction_order": st.sampled_from(["official", "free"])}),
    "baska": st.fixed_dictionaries({}, optional=_COMMON),
}


@st.composite
def lawful_tables(draw: Any, deals: int = 3, closed: bool = True, **fixed: Any) -> list[Entry]:
    """The entries of a simulated table; `fixed` are options that it certainly has."""
    name = draw(st.sampled_from(["kop", "baska"]))
    options = draw(options_of[name]) | fixed
    seed = draw(st.integers(0, 2**32))
    events = simulate_table(game_named(name), NAMES, options, deals, seed, "property", closed=closed)
    return list(enumerate(events, start=1))


_cards = st.sampled_from([*sorted(PACK), UNKNOWN])
_seats = st.integers(0, 3)
_amounts = st.lists(st.integers(-50, 50), min_size=4, max_size=4).map(tuple)
_OUTCOMES: list[dict[str, Any]] = [
    {"contract": "cicha", "declarers": [2], "card_points": [60, 44], "tricks": [2, 2]},
    {
        "contract": "zolo_du",
        "declarers": [0],
        "doublings": 0,
        "card_points": [9, 20],
        "tricks": [1, 1],
        "stopped": True,
    },
]


def any_events() -> st.SearchStrategy[Event]:
    """Any event of a table, well-formed but without regard to the rules."""
    hands = st.one_of(st.none(), st.lists(_cards, max_size=6).map(tuple))
    played = st.builds(CardPlayed, seat=_seats, card=_cards)
    return st.one_of(
        played,
        played,
        played,
        st.builds(BidMade, seat=_seats, call=st.sampled_from(sorted(CALLS))),
        st.builds(BidMade, seat=_seats, call=st.just("wesele"), card=st.sampled_from(sorted(PACK))),
        st.builds(Announced, seat=_seats, what=st.sampled_from(["ask", "close_auction", "show_baska", "concede"])),
        st.builds(Announced, seat=_seats | st.none(), what=st.just("stop")),
        st.builds(
            Announced,
            seat=_seats | st.none(),
            what=st.just("concede"),
            seats=st.lists(_seats, max_size=4).map(tuple),
        ),
        st.builds(TrickGathered, seat=_seats),
        st.builds(CardsDealt, hands=st.tuples(*[hands] * 4), stock=hands, deck=hands, cut_by=st.none() | _seats),
        st.just(CardsDealt(hands=(None,) * 4)),
        st.builds(
            ScoreClaimed,
            deltas=st.none() | _amounts,
            totals=st.none() | _amounts,
            sheet=st.none()
            | st.just({"contract": "zolo", "partner": 1, "game_points": 3})
            | st.just({"winning_side": "declarer", "payments": [{"from": 0, "to": 3, "amount": -2}]}),
        ),
        st.builds(DealVoided, reason=st.just("")),
        st.builds(ResultRecorded, outcome=st.sampled_from(_OUTCOMES)),
        st.builds(DealStarted, deal=st.just(1), dealer=_seats),  # its number is put right by the test
        st.builds(PlayerSeated, seat=_seats, player=st.just("Thalestris")),
        st.builds(TableClosed),
        st.builds(
            RulingGiven,
            deal=st.integers(1, 3),
            text=st.just(""),
            kind=st.sampled_from(["void", "accept", "stands"]),
        ),
        st.tuples(st.integers(-9, 9), st.integers(-9, 9), st.sampled_from(["adjust", "replace"])).map(
            lambda drawn: RulingGiven(deal=1, text="", kind=drawn[2], deltas=(drawn[0], -drawn[0], drawn[1], -drawn[1]))
        ),
    )
