"""Ombre: three active players, forty cards, the Ombre alone against the other two (rulebook `rules.md`, prefix OMB)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec import structs

from ledger.events import (
    Announced,
    BidMade,
    CardPlayed,
    CardsDealt,
    CardsExchanged,
    CardTurned,
    TrumpNamed,
)
from ledger.games.kernel.matadors import PACK, TRUMP_TABLES
from ledger.games.kernel.protocol import INTERFACE, Game, game_title
from ledger.games.kernel.refusals import (
    bad_option,
    foreign_fields_check,
    missing_field,
    names,
    options_from,
    wrong_number_of_players,
)
from ledger.games.ombre.irregularities import FATAL, IMPOSSIBLE
from ledger.games.ombre.match import OmbreMatch
from ledger.games.ombre.options import OmbreOptions, phrase
from ledger.games.ombre.outcome import OmbreOutcome, OmbreSheet, checked_outcome, result_form, summarise
from ledger.games.ombre.pack import PLAYERS, first_leader
from ledger.games.ombre.scoring import stakes
from ledger.games.ombre.simulation import OmbreSimulation
from ledger.games.ombre.state import CALLS
from ledger.validation import converted


def make_options(raw: Mapping[str, Any], players: int) -> OmbreOptions:
    """Return the options of a table with their defaults. `players` follows from the number of names and may be repeated
    (OMB-9.1).

    Raise `MalformedError` for another number of players and for a wrong option.
    """
    if players not in PLAYERS:
        raise wrong_number_of_players(players, names(PLAYERS, "OMB-2.1"))
    options = options_from({"players": players, **raw}, OmbreOptions)
    if options.players != players:
        raise bad_option("players", phrase("refusal.number_of_names", players=players), options.players)
    return structs.replace(options, favourite_suit=None) if options.favourite_suit == "none" else options


def check_outcome(raw: Mapping[str, Any], options: OmbreOptions, players: int, dealer: int) -> OmbreOutcome:
    """Return a recorded result with its missing fields filled in (OMB section 7).

    Raise `MalformedError` if fields are missing or contradict each other.
    """
    outcome = checked_outcome(converted(raw, OmbreOutcome, "outcome"), players, dealer)
    if outcome.ombre is not None and outcome.trump is None and options.favourite_suit is not None:  # OMB-7.6
        raise missing_field("outcome.trump", phrase("refusal.trump_by_favourite"))
    return outcome


GAME: Final = Game(
    interface=INTERFACE,
    name="ombre",
    title="Ombre",
    rule_prefix="OMB",
    package=__name__,
    pack=PACK,
    calls=CALLS,
    announcements=frozenset(("yield_exchange", "stop", "surrender", "defend", "decline_defence", "throw_in")),
    ruling_kinds=frozenset(("adjust", "replace", "void", "accept", "stands")),
    event_types=frozenset((CardsDealt, BidMade, CardTurned, TrumpNamed, CardsExchanged, Announced, CardPlayed)),
    option_type=OmbreOptions,
    outcome_type=OmbreOutcome,
    sheet_type=OmbreSheet,
    make_options=make_options,
    make_match=OmbreMatch,
    check_outcome=check_outcome,
    check_event=foreign_fields_check(game_title(__name__, "ombre", "Ombre")),
    summarise=summarise,
    result_form=result_form,
    simulation=OmbreSimulation(),
    unfinished="OMB-11.43",
    fatal=FATAL,
    impossible=IMPOSSIBLE,
    revokes=frozenset(("OMB-11.36", "OMB-11.37")),
    following=("OMB-6.4", "OMB-6.5", "OMB-6.6", "OMB-6.7", "OMB-6.8", "OMB-6.9"),
    goes_to_the_right=True,  # OMB-2.4
    seldom_said=frozenset(("surrender", "throw_in")),
    stakes=stakes,
    cutter=None,  # OMB-3.13: silent
    first_leader=first_leader,
    orders=TRUMP_TABLES,
)
