"""Random Ombre tables for properties: options, lawful tables, and events without regard to any rule."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from ledger.cards import UNKNOWN
from ledger.events import (
    Announced,
    BidMade,
    CardPlayed,
    CardsDealt,
    CardsExchanged,
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
from ledger.games.kernel.matadors import PACK
from ledger.games.ombre import GAME
from ledger.recording.simulate import simulate_table
from ledger.table.corrections import Entry
from tests.builders import NAMES

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


@st.composite
def lawful_tables(draw: Any, deals: int = 4, closed: bool = True) -> list[Entry]:
    """The entries of a simulated table."""
    players = NAMES[: draw(st.sampled_from([3, 4]))]
    seed = draw(st.integers(0, 2**32))
    events = simulate_table(GAME, players, draw(options), deals, seed, "property", closed=closed)
    return list(enumerate(events, start=1))


_cards = st.sampled_from([*sorted(PACK), UNKNOWN])
_known_cards = st.sampled_from(sorted(PACK))
_OUTCOMES: list[dict[str, Any]] = [{}]


def any_events(players: int) -> st.SearchStrategy[Event]:
    """Any event of a table, well-formed but without regard to the rules."""
    seats = st.integers(0, players - 1)
    amounts = st.lists(st.integers(-50, 50), min_size=players, max_size=players).map(tuple)
    exchanges = st.lists(_cards, max_size=11).map(tuple)
    hands = st.one_of(st.none(), st.lists(_cards, max_size=10).map(tuple))
    played = st.builds(CardPlayed, seat=seats, card=_cards)
    return st.one_of(
        played,
        played,
        st.builds(BidMade, seat=seats, call=st.sampled_from(sorted(GAME.calls))),
        st.builds(Announced, seat=seats, what=st.sampled_from(sorted(GAME.announcements))),
        st.builds(TrumpNamed, seat=seats, suit=st.sampled_from("SHDC")),
        st.builds(CardTurned, card=_known_cards),
        st.builds(TrickGathered, seat=seats),
        st.builds(CardsExchanged, seat=seats, count=st.integers(0, 12)),
        st.builds(lambda seat, own: CardsExchanged(seat=seat, count=len(own), discarded=own), seats, exchanges),
        st.builds(lambda seat, own: CardsExchanged(seat=seat, count=len(own), drawn=own), seats, exchanges),
        st.builds(CardsDealt, hands=st.tuples(*[hands] * players), stock=hands),
        st.just(CardsDealt(hands=(None,) * players)),
        st.builds(ScoreClaimed, deltas=st.none() | amounts, pool=st.none() | st.integers(-50, 50)),
        st.builds(DealVoided, reason=st.just("")),
        st.builds(ResultRecorded, outcome=st.sampled_from(_OUTCOMES)),
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
