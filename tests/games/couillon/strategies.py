"""Random Couillon tables for properties: options, lawful tables, and events without regard to any rule."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from ledger.cards import UNKNOWN, texts_in
from ledger.events import (
    Announced,
    Award,
    BidMade,
    CardPlayed,
    CardsDealt,
    CardTurned,
    DealStarted,
    DealVoided,
    Event,
    PlayerSeated,
    ResultRecorded,
    RulingGiven,
    ScoreClaimed,
    TableClosed,
    TrickGathered,
    TrumpNamed,
)
from ledger.games.couillon import GAME
from ledger.games.couillon.options import CouillonOptions, make_options
from ledger.recording.simulate import simulate_table
from ledger.table.corrections import Entry
from tests.games.couillon.tables import NAMES, PLAYERS

FORMS = (
    {"form": "basic4"},
    {"form": "mit4"},
    {"form": "mit4", "mit_card": False},
    {"form": "six24"},
    {"form": "six24", "scoring": "bars"},
    {"form": "six32"},
    {"form": "six32", "scoring": "bars"},
    {"form": "six32", "six32_procedure": "upcard"},
    {"form": "eight32"},
    {"form": "eight32", "scoring": "bars"},
)
"""Every form, procedure and scoring that there is (COU-2.1)."""

_FLAG = st.booleans()

house_options = st.fixed_dictionaries(
    {},
    optional={
        "bars_per_team": st.integers(1, 7),
        "draw_mark_accumulates": _FLAG,
        "penalty_mark": st.sampled_from(["circle", "extra_bar"]),
        "tie_rule": st.sampled_from(["draw", "makers_lose"]),
        "start_points": st.integers(1, 13),
        "dealer_win_penalty": st.sampled_from(["always", "named_only", "off"]),
        "all_tricks_bonus": _FLAG,
        "concession": st.sampled_from(["none", "rest"]),
        "deal_limit": st.integers(1, 5) | st.just("none"),
        "seating_method": st.sampled_from(["draw", "jacks", "agreed"]),
    },
)

any_options = st.builds(lambda form, others: {**others, **form}, st.sampled_from(FORMS), house_options)


def players_of(options: dict[str, Any]) -> int:
    return PLAYERS[options["form"]]


def settled(options: dict[str, Any]) -> CouillonOptions:
    return make_options(options, players_of(options))


@st.composite
def lawful_tables(draw: Any, deals: int = 3, closed: bool = True) -> list[Entry]:
    """The entries of a simulated table."""
    options = draw(any_options)
    seed = draw(st.integers(0, 2**32))
    events = simulate_table(GAME, NAMES[: players_of(options)], options, deals, seed, "property", closed=closed)
    return list(enumerate(events, start=1))


def any_events(options: dict[str, Any]) -> st.SearchStrategy[Event]:
    """Any event of a table, well-formed but without regard to the rules."""
    players, shape = players_of(options), settled(options).form
    pack = sorted(texts_in(shape.pack))
    seats = st.integers(0, players - 1)
    known = st.sampled_from(pack)
    some = st.sampled_from([*pack, UNKNOWN, UNKNOWN])
    amounts = st.lists(st.integers(-50, 50), min_size=players, max_size=players).map(tuple)
    hands = st.one_of(st.none(), st.none(), st.lists(some, min_size=shape.hand, max_size=shape.hand).map(tuple))
    decks = st.permutations(pack).map(tuple)
    played = st.builds(CardPlayed, seat=seats, card=some)
    outcomes = st.sampled_from([{"card_points": [20, 20], "tricks": [2, shape.hand - 2]}])
    pairs = st.tuples(st.integers(0, 5), st.integers(0, 5))
    sheets = st.fixed_dictionaries(
        {},
        optional={
            "card_points": st.tuples(st.integers(0, 40), st.integers(0, 40)),
            "tricks": pairs,
            "winner": st.sampled_from([0, 1, None]),
            "bars": pairs,
            "circles": pairs,
            "draw_mark": st.booleans() | st.integers(0, 3),
            "gp": pairs,
        },
    )
    awards = st.builds(
        Award,
        winner=st.integers(0, 1),
        strength=st.none() | st.integers(1, 4),
        circle=st.none() | _FLAG,
        draw_mark=st.none() | st.integers(0, 2),
        v=st.none() | st.integers(0, 5),
        plus_one=st.none() | _FLAG,
    )
    return st.one_of(
        *[played] * 6,
        st.builds(BidMade, seat=seats, call=st.sampled_from(sorted(GAME.calls))),
        *[st.builds(Announced, seat=seats, what=st.sampled_from(sorted(GAME.announcements)))] * 2,
        st.builds(TrumpNamed, seat=seats, suit=st.sampled_from("SHDC")),
        st.builds(CardTurned, card=known),
        st.builds(TrickGathered, seat=seats),
        st.builds(
            CardsDealt, hands=st.tuples(*[hands] * players), stock=st.none() | st.lists(some, max_size=9).map(tuple)
        ),
        st.builds(CardsDealt, hands=st.just((None,) * players), deck=decks, cut_by=st.none() | seats),
        st.builds(ScoreClaimed, deltas=st.none() | amounts, pool=st.none() | st.integers(-5, 5), sheet=sheets),
        st.builds(DealVoided, reason=st.just("")),
        st.builds(ResultRecorded, outcome=outcomes),
        st.builds(DealStarted, deal=st.just(1), dealer=seats),  # its number is put right by the test
        st.builds(PlayerSeated, seat=seats, player=st.just("Thalestris")),
        st.builds(TableClosed),
        st.builds(
            RulingGiven, deal=st.integers(1, 3), text=st.just(""), kind=st.sampled_from(["void", "accept", "stands"])
        ),
        st.builds(RulingGiven, deal=st.integers(1, 3), text=st.just(""), kind=st.just("award"), award=awards),
    )
