"""How one Ombre deal ends otherwise than by its play: left, claimed too early, recorded as a result, or voided."""

from __future__ import annotations

import msgspec

from ledger.events import ResultRecorded, ScoreClaimed
from ledger.games.kernel.tricks import NOTHING, Violations
from ledger.games.ombre.auction_rules import settle_forced, settle_owed_pass
from ledger.games.ombre.irregularities import violation
from ledger.games.ombre.outcome import OmbreOutcome, checked_outcome
from ledger.games.ombre.pack import TRICKS
from ledger.games.ombre.state import OmbreState


def record_result(state: OmbreState, event: ResultRecorded, version: int) -> Violations:
    """The result is all that was written down (OMB section 7)."""
    if state.status != "voided":
        outcome = msgspec.convert(event.outcome, OmbreOutcome)
        state.record(checked_outcome(outcome, state.seats, state.dealer))
    return NOTHING


def claim(state: OmbreState, event: ScoreClaimed, version: int) -> Violations:
    """A score sheet before the play has ended (OMB-11.43); its figures are compared elsewhere."""
    settle_forced(state)
    if state.status != "open":
        return NOTHING
    is_asked = state.play is not None and bool(state.play.asked)
    state.halt()
    name, rule = ("defence_unanswered", "OMB-6.26") if is_asked else ("incomplete_play", "OMB-6.16")
    return (violation(name, rule, version),)


def leave_deal(state: OmbreState, last_version: int, last_seat: int | None) -> Violations:
    """The next deal starts or the table closes: unfinished play makes the deal unscorable (OMB-11.43).

    What was halted stays so, also where all had passed before (OMB-11.5).
    """
    if state.status == "open":
        settle_owed_pass(state)
        settle_forced(state)
    if state.status != "open":
        return NOTHING
    state.halt()
    if state.play is not None and len(state.play.winners) == TRICKS:
        return NOTHING  # who won the last trick cannot be known from this record
    return (violation("incomplete_play", "OMB-6.16", last_version, last_seat),)


def void_deal(state: OmbreState, version: int) -> Violations:
    """The director voids the deal (OMB-3.12)."""
    was_halted = state.status == "unscorable"
    state.annul()
    return NOTHING if was_halted else (violation("deal_voided", "OMB-3.12", version),)
