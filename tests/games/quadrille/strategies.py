"""Random Quadrille tables for properties: options, lawful tables, and events without regard to any rule."""

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
    PartnerCalled,
    PlayerSeated,
    ResultRecorded,
    RulingGiven,
    ScoreClaimed,
    TableClosed,
    TrickGathered,
    TrumpNamed,
)
from ledger.games.kernel.matadors import PACK
from ledger.games.quadrille import GAME
from ledger.recording.simulate import simulate_table
from ledger.table.corrections import Entry
from tests.builders import NAMES

_SMALL = st.integers(0, 30)

options = st.fixed_dictionaries(
    {},
    optional={
        "deal_packets": st.sampled_from(["3-3-4", "4-3-3", "3-4-3"]),
        "first_dealer": st.integers(0, 3),
        "starting_counters": _SMALL,
        "initial_pool": _SMALL,
        "ante": st.integers(1, 9),
        "ante_by": st.sampled_from(["each", "dealer"]),
        "unit_rounding": st.sampled_from(["down", "up"]),
        "all_pass": st.sampled_from(["forced_spadille", "throw_in"]),
        "vole_stake": st.integers(1, 9),
        "own_call": st.sampled_from(["never", "no_king_left", "always"]),
        "queen_call": st.sampled_from(["all_plain_kings", "all_four_kings"]),
        "odd_point": st.sampled_from(["pool", "ombre"]),
        "codille_refill": st.sampled_from(["to_double", "pay_double"]),
        "alliance_loss": st.sampled_from(["ombre_alone", "shared_if_three"]),
        "consolation_units": st.integers(0, 3),
        "solo_units": st.integers(0, 3),
        "claims": st.booleans(),
        "match_deals": st.sampled_from([0, 4]),
        "final_pool": st.sampled_from(["split", "leave"]),
    },
)


@st.composite
def lawful_tables(draw: Any, deals: int = 4, closed: bool = True) -> list[Entry]:
    """The entries of a simulated table."""
    seed = draw(st.integers(0, 2**32))
    events = simulate_table(GAME, NAMES, draw(options), deals, seed, "property", closed=closed)
    return list(enumerate(events, start=1))


_cards = st.sampled_from([*sorted(PACK), UNKNOWN])
_known_cards = st.sampled_from(sorted(PACK))
_RESULT = {"ombre": 0, "contract": "solo", "trump": "S", "tricks": [6, 2, 1, 1]}


def any_events() -> st.SearchStrategy[Event]:
    """Any event of a table, well-formed but without regard to the rules."""
    seats = st.integers(0, 3)
    amounts = st.lists(st.integers(-50, 50), min_size=4, max_size=4).map(tuple)
    hands = st.one_of(st.none(), st.lists(_cards, max_size=11).map(tuple))
    played = st.builds(CardPlayed, seat=seats, card=_cards)
    return st.one_of(
        played,
        played,
        st.builds(BidMade, seat=seats, call=st.sampled_from(sorted(GAME.calls))),
        st.builds(Announced, seat=seats, what=st.sampled_from(sorted(GAME.announcements))),
        st.builds(TrumpNamed, seat=seats, suit=st.sampled_from("SHDC")),
        st.builds(PartnerCalled, seat=seats, card=st.none() | _known_cards),
        st.builds(TrickGathered, seat=seats),
        st.builds(CardsDealt, hands=st.tuples(*[hands] * 4), deck=hands),
        st.just(CardsDealt(hands=(None,) * 4)),
        st.builds(ScoreClaimed, deltas=st.none() | amounts, pool=st.none() | st.integers(-50, 50)),
        st.builds(DealVoided, reason=st.just("")),
        st.just(ResultRecorded(outcome=_RESULT)),
        st.builds(DealStarted, deal=st.just(1), dealer=seats),  # its number is put right by the test
        st.builds(PlayerSeated, seat=seats, player=st.just("Thalestris")),
        st.builds(TableClosed),
        st.builds(
            RulingGiven,
            deal=st.integers(1, 3),
            text=st.just(""),
            kind=st.sampled_from(["void", "accept", "stands"]),
        ),
        amounts.flatmap(
            lambda deltas: st.builds(
                RulingGiven,
                deal=st.integers(1, 3),
                text=st.just(""),
                kind=st.sampled_from(["adjust", "replace"]),
                deltas=st.just(deltas),
                pool=st.just(-sum(deltas)),
            )
        ),
    )
