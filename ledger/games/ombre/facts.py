"""What an Ombre deal that was played came to, from the state of its machine (OMB-7.1)."""

from __future__ import annotations

from typing import cast

from ledger.events import Suit
from ledger.games.ombre.outcome import OmbreOutcome
from ledger.games.ombre.play import Play
from ledger.games.ombre.results import Contract, Ending, Result, result_of
from ledger.games.ombre.scoring import may_pay_estuches
from ledger.games.ombre.state import OmbreState
from ledger.i18n import Words


def facts_of(state: OmbreState) -> OmbreOutcome | None:
    """The outcome of a complete deal; None where the record does not tell it."""
    if state.ombre is None:
        return OmbreOutcome(result="ALL_PASS", tricks=(0,) * state.seats)
    play = state.play
    assert play is not None
    if None in play.winners:
        return None
    if _needs_estuches(state, play):
        return None
    fewest, most = play.estuches()
    return OmbreOutcome(
        result=_result(state, play),
        ombre=state.ombre,
        contract=cast(Contract, state.contract),
        trump=cast(Suit, state.trump),
        tricks=tuple(play.counts),
        estuches=fewest if fewest == most else None,
        primeras=_has_primeras(play),
        ending=cast(Ending, play.ending),
        defender=play.defender,
    )


def untold_of(state: OmbreState, play: Play) -> list[Words]:
    """What scoring would need besides of a deal whose play has ended."""
    if None in play.winners:
        return [Words("untold_winners")]
    return [Words("untold_estuches")] if state.phase == "settled" and _needs_estuches(state, play) else []


def _needs_estuches(state: OmbreState, play: Play) -> bool:
    """Whether something is to be paid for a run of trumps that the record does not tell."""
    fewest, most = play.estuches()
    return fewest != most and may_pay_estuches(_result(state, play), most, state.options)


def _result(state: OmbreState, play: Play) -> Result:
    assert state.ombre is not None
    ending = cast(Ending, play.ending)
    return result_of(state.active, state.ombre, play.counts, ending, _has_primeras(play), play.defender)


def _has_primeras(play: Play) -> bool:
    """OMB-6.31."""
    return play.defender is None and play.has_primeras()
