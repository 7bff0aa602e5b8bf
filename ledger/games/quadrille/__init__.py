"""Quadrille: four players, forty cards, the Ombre with a called partner or alone (rulebook `rules.md`, prefix QUA)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ledger.events import Announced, BidMade, CardPlayed, CardsDealt, PartnerCalled, TrumpNamed
from ledger.games.kernel.matadors import PACK, TRUMP_TABLES
from ledger.games.kernel.protocol import INTERFACE, Game, game_title
from ledger.games.kernel.refusals import foreign_fields_check, names, options_from, wrong_number_of_players
from ledger.games.quadrille.irregularities import HALTING, IMPOSSIBLE
from ledger.games.quadrille.match import QuadrilleMatch
from ledger.games.quadrille.options import QuadrilleOptions
from ledger.games.quadrille.outcome import QuadrilleOutcome, QuadrilleSheet, checked_outcome, result_form, summarise
from ledger.games.quadrille.pack import CALLS, SEATS, cutter, first_leader
from ledger.games.quadrille.scoring import stakes
from ledger.games.quadrille.simulation import QuadrilleSimulation
from ledger.validation import converted


def make_options(raw: Mapping[str, Any], players: int) -> QuadrilleOptions:
    """Return the options of a table with their defaults (QUA-9.1, 9.2).

    Raise `MalformedError` for another number of players than four and for a wrong option.
    """
    if players != SEATS:
        raise wrong_number_of_players(players, names([SEATS], "QUA-2.1"))
    return options_from(raw, QuadrilleOptions)


def check_outcome(raw: Mapping[str, Any], options: QuadrilleOptions, players: int, dealer: int) -> QuadrilleOutcome:
    """Return a recorded result with its missing fields filled in (QUA section 7).

    Raise `MalformedError` if fields are missing or contradict each other.
    """
    return checked_outcome(converted(raw, QuadrilleOutcome, "outcome"), options)


GAME: Final = Game(
    interface=INTERFACE,
    name="quadrille",
    title="Quadrille",
    rule_prefix="QUA",
    package=__name__,
    pack=PACK,
    calls=CALLS,
    announcements=frozenset(
        (
            "show_spadille",
            "reveal_partner",
            "premiers_stop",
            "premiers_continue",
            "premiers_ask",
            "reply_stop",
            "reply_continue",
            "claim_ombre",
            "claim_opponents",
            "claim_accept",
            "claim_refuse",
        )
    ),
    ruling_kinds=frozenset(("adjust", "replace", "void", "accept", "stands")),
    event_types=frozenset((CardsDealt, BidMade, TrumpNamed, PartnerCalled, Announced, CardPlayed)),
    option_type=QuadrilleOptions,
    outcome_type=QuadrilleOutcome,
    sheet_type=QuadrilleSheet,
    make_options=make_options,
    make_match=QuadrilleMatch,
    check_outcome=check_outcome,
    check_event=foreign_fields_check(game_title(__name__, "quadrille", "Quadrille")),
    summarise=summarise,
    result_form=result_form,
    simulation=QuadrilleSimulation(),
    unfinished="QUA-11.36",
    fatal=HALTING - {"QUA-11.36"},
    impossible=IMPOSSIBLE,
    revokes=frozenset(("QUA-11.31", "QUA-11.32")),
    following=("QUA-6.4", "QUA-6.5", "QUA-6.6", "QUA-6.7", "QUA-6.8"),
    goes_to_the_right=True,  # QUA-2.3
    seldom_said=frozenset(("claim_ombre", "claim_opponents")),
    stakes=stakes,
    cutter=cutter,
    first_leader=first_leader,
    orders=TRUMP_TABLES,
)
