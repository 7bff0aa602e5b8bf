"""Whist: four players, two fixed sides, the last card turned up for trumps (rulebook `rules.md`, prefix WHI)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ledger.cards import PACK_52
from ledger.events import CardPlayed, CardsDealt, CardTurned
from ledger.games.kernel.protocol import Game
from ledger.games.kernel.refusals import names, wrong_number_of_players
from ledger.validation import converted
from trickledger_whist.match import WhistMatch
from trickledger_whist.options import WhistOptions
from trickledger_whist.outcome import WhistOutcome, completed, summarise
from trickledger_whist.play import SEATS
from trickledger_whist.sheet import WhistSheet
from trickledger_whist.simulation import WhistSimulation


def make_options(raw: Mapping[str, Any], players: int) -> WhistOptions:
    """Return the options of a table with their defaults."""
    if players != SEATS:
        raise wrong_number_of_players(players, names([SEATS], "WHI-2.1"))
    return converted(raw, WhistOptions, "options")


def check_outcome(raw: Mapping[str, Any], options: WhistOptions, players: int, dealer: int) -> WhistOutcome:
    """Return a recorded result with its missing fields filled in."""
    return completed(converted(raw, WhistOutcome, "outcome"))


GAME: Final = Game(
    interface=2,
    name="whist",
    title="Whist",
    rule_prefix="WHI",
    package=__name__,
    pack=frozenset(PACK_52),
    calls=frozenset(),
    announcements=frozenset(),
    ruling_kinds=frozenset(("adjust", "replace", "void", "accept", "stands")),
    event_types=frozenset((CardsDealt, CardTurned, CardPlayed)),
    option_type=WhistOptions,
    outcome_type=WhistOutcome,
    sheet_type=WhistSheet,
    make_options=make_options,
    make_match=WhistMatch,
    check_outcome=check_outcome,
    summarise=summarise,
    simulation=WhistSimulation(),
    is_zero_sum=False,
    teams=2,  # WHI-2.2
    revokes=frozenset(("WHI-11.19",)),
    following=("WHI-6.3", "WHI-6.4"),
)
