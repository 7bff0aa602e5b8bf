"""Couillon in its five forms: two fixed teams, card points in tricks, bars or game points (`rules.md`, prefix COU)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ledger.cards import texts_in
from ledger.events import Announced, Award, BidMade, CardPlayed, CardsDealt, CardTurned, TrumpNamed
from ledger.games.couillon.calls import CALLS, RAISES
from ledger.games.couillon.irregularities import HALTING_CODES, IMPOSSIBLE
from ledger.games.couillon.match import CouillonMatch
from ledger.games.couillon.options import CouillonOptions, make_options, phrase
from ledger.games.couillon.outcome import CouillonOutcome, CouillonSheet, checked_outcome, result_form, summarise
from ledger.games.couillon.pack import MIT_TABLES, PACK_32, TRUMP_TABLES, cutter, forehand
from ledger.games.couillon.scoring import stakes
from ledger.games.couillon.simulation import CouillonSimulation
from ledger.games.kernel.protocol import INTERFACE, Game, game_title
from ledger.games.kernel.refusals import bad_award, foreign_fields_check, missing_field
from ledger.validation import converted


def check_outcome(raw: Mapping[str, Any], options: CouillonOptions, players: int, dealer: int) -> CouillonOutcome:
    """Return a recorded result, complete (COU section 7). Raise `MalformedError` if its facts contradict each other."""
    return checked_outcome(converted(raw, CouillonOutcome, "outcome"), options, players)


def check_award(award: Award, options: CouillonOptions) -> None:
    """Check that an award has the figures of the table's scoring (COU-10.3). Raise `MalformedError` otherwise."""
    on_bars = {"strength": award.strength, "circle": award.circle, "draw_mark": award.draw_mark}
    on_points = {"v": award.v, "plus_one": award.plus_one}
    needed, foreign, figure = (on_points, on_bars, "v") if options.is_on_points else (on_bars, on_points, "strength")
    for name, value in foreign.items():
        if value is not None:
            key = "refusal.award_on_points" if options.is_on_points else "refusal.award_on_bars"
            raise bad_award(name, phrase(key, figures=" ".join(needed), team="winner"), value)
    if needed[figure] is None:
        raise missing_field(f"award.{figure}", phrase("refusal.award_figure", figure=figure))


def pack_of(options: CouillonOptions) -> frozenset[str]:
    """Return the pack of the form that is played (COU-2.1)."""
    return frozenset(texts_in(options.form.pack))


GAME: Final = Game(
    interface=INTERFACE,
    name="couillon",
    title="Couillon",
    rule_prefix="COU",
    package=__name__,
    pack=frozenset(texts_in(PACK_32)),
    calls=CALLS,
    announcements=frozenset((*RAISES, "concede")),
    ruling_kinds=frozenset(("award", "accept", "void", "stands")),
    event_types=frozenset((CardsDealt, BidMade, CardTurned, TrumpNamed, Announced, CardPlayed)),
    option_type=CouillonOptions,
    outcome_type=CouillonOutcome,
    sheet_type=CouillonSheet,
    make_options=make_options,
    make_match=CouillonMatch,
    check_outcome=check_outcome,
    check_event=foreign_fields_check(game_title(__name__, "couillon", "Couillon")),
    summarise=summarise,
    result_form=result_form,
    simulation=CouillonSimulation(),
    pack_of=pack_of,
    check_award=check_award,
    is_zero_sum=False,
    teams=2,  # COU-2.7
    unfinished="COU-11.37",
    fatal=HALTING_CODES,
    impossible=IMPOSSIBLE,
    revokes=frozenset(("COU-11.33", "COU-11.34")),
    following=("COU-6.4", "COU-6.5", "COU-6.6", "COU-6.7", "COU-6.8"),
    seldom_said=frozenset(("concede",)),
    reordering=frozenset(("mit",)),  # COU-2.19 to 2.21
    stakes=stakes,
    cutter=cutter,
    first_leader=forehand,
    orders={**TRUMP_TABLES, **{f"{suit}-mit": table for suit, table in MIT_TABLES.items()}},
)
