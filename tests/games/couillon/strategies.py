"""Random Couillon tables for properties: options, lawful tables, and events that follow no rule."""

import tomllib
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from ledger import events
from ledger.cards import UNKNOWN, texts_in
from ledger.games.couillon import GAME
from ledger.games.couillon.options import CouillonOptions, make_options
from ledger.table.corrections import Entry
from tests.contracts.strategies import any_events_of, options_of, tables_opened_by
from tests.games.couillon.tables import NAMES, PLAYERS

FORMS = tomllib.loads(Path(__file__).with_name("options.toml").read_text(encoding="utf-8"))["forms"]
"""All forms, procedures and scorings (COU-2.1)."""

house_options = options_of(
    GAME.option_type,
    *("form", "six32_procedure", "scoring", "mit_card"),
    bars_per_team=st.integers(1, 7),
    start_points=st.integers(1, 13),
    deal_limit=st.integers(1, 5) | st.just("none"),
)

any_options = st.builds(lambda form, others: {**others, **form}, st.sampled_from(FORMS), house_options)


def players_of(options: dict[str, Any]) -> int:
    return PLAYERS[options["form"]]


def settled(options: dict[str, Any]) -> CouillonOptions:
    return make_options(options, players_of(options))


openings = any_options.map(
    lambda chosen: events.TableOpened(game=GAME.name, players=NAMES[: players_of(chosen)], options=chosen)
)


def lawful_tables(deals: int = 3, closed: bool = True) -> st.SearchStrategy[list[Entry]]:
    """Return a strategy of the entries of a simulated table."""
    return openings.flatmap(lambda opened: tables_opened_by(opened, deals, closed))


_pairs = st.tuples(st.integers(0, 5), st.integers(0, 5))
_sheets = st.fixed_dictionaries(
    {},
    optional={
        "card_points": st.tuples(st.integers(0, 40), st.integers(0, 40)),
        "tricks": _pairs,
        "winner": st.sampled_from([0, 1, None]),
        "bars": _pairs,
        "circles": _pairs,
        "draw_mark": st.booleans() | st.integers(0, 3),
        "gp": _pairs,
    },
)
_awards = st.builds(
    events.Award,
    winner=st.integers(0, 1),
    strength=st.none() | st.integers(1, 4),
    circle=st.none() | st.booleans(),
    draw_mark=st.none() | st.integers(0, 2),
    v=st.none() | st.integers(0, 5),
    plus_one=st.none() | st.booleans(),
)


def any_events(opened: events.TableOpened) -> st.SearchStrategy[events.Event]:
    """Return a strategy of any event of a table, well-formed but following no rule; mostly cards and announcements."""
    players, form = len(opened.players), settled(opened.options).form
    seats = st.integers(0, players - 1)
    some = st.sampled_from([*sorted(texts_in(form.pack)), UNKNOWN, UNKNOWN])
    amounts = st.lists(st.integers(-50, 50), min_size=players, max_size=players).map(tuple)
    hands = st.one_of(st.none(), st.none(), st.lists(some, min_size=form.hand, max_size=form.hand).map(tuple))
    stock = st.none() | st.lists(some, max_size=9).map(tuple)
    return any_events_of(
        opened,
        *[st.builds(events.CardPlayed, seat=seats, card=some)] * 3,
        st.builds(events.Announced, seat=seats, what=st.sampled_from(sorted(GAME.announcements))),
        st.builds(events.CardsDealt, hands=st.tuples(*[hands] * players), stock=stock),
        st.builds(events.ScoreClaimed, deltas=st.none() | amounts, pool=st.none() | st.integers(-5, 5), sheet=_sheets),
        st.just(events.ResultRecorded(outcome={"card_points": [20, 20], "tricks": [2, form.hand - 2]})),
        st.builds(events.RulingGiven, deal=st.integers(1, 3), text=st.just(""), kind=st.just("award"), award=_awards),
    )
