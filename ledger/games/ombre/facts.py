"""What an Ombre deal that was played came to, from the state of its machine (OMB-7.1)."""

from __future__ import annotations

from typing import cast

from ledger.events import Suit
from ledger.games.ombre.outcome import OmbreOutcome
from ledger.games.ombre.results import Contract, Ending, result_of
from ledger.games.ombre.state import OmbreState


def facts_of(state: OmbreState) -> OmbreOutcome | None:
    """The outcome of a complete deal; None where the record does not tell it."""
    if state.ombre is None:
        return OmbreOutcome(result="ALL_PASS", tricks=(0,) * state.seats)
    play = state.play
    assert play is not None
    ending = cast(Ending, play.ending)
    estuches = play.estuches()
    if estuches is None or None in play.winners:
        return None
    tricks = tuple(play.counts)
    primeras = play.defender is None and play.has_primeras()  # OMB-6.31
    return OmbreOutcome(
        result=result_of(state.active, state.ombre, tricks, ending, primeras, play.defender),
        ombre=state.ombre,
        contract=cast(Contract, state.contract),
        trump=cast(Suit, state.trump),
        tricks=tricks,
        estuches=estuches,
        primeras=primeras,
        ending=ending,
        defender=play.defender,
    )
