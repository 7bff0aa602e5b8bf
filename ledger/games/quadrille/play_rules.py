"""What is done and said once the play can begin, and how a deal ends (QUA section 6).

A card is judged by `play`; here stands what depends on the phase of the deal.
"""

from __future__ import annotations

from typing import cast

import msgspec

from ledger.events import Announced, CardPlayed, ResultRecorded, ScoreClaimed, TrickGathered
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.tricks import NOTHING, Violations
from ledger.games.quadrille import declarations
from ledger.games.quadrille.irregularities import violation
from ledger.games.quadrille.opening_rules import miss_trump, show_spadille
from ledger.games.quadrille.options import QuadrilleOptions
from ledger.games.quadrille.outcome import QuadrilleOutcome, checked_outcome
from ledger.games.quadrille.pack import PREMIERS, TRICKS
from ledger.games.quadrille.state import QuadrilleState


def play_card(state: QuadrilleState, event: CardPlayed, version: int) -> Violations:
    """A card; before the play can begin it halts the deal, and after its end it is void."""
    if state.phase == "play" and state.play is not None:
        return state.play.take_card(event, version)
    if state.phase == "trump":
        return miss_trump(state, event.seat, version)
    if state.phase == "call":
        state.halt()
        return (violation("call_missing", "QUA-5.4", version, event.seat),)
    rule = "QUA-6.13" if state.play is None else state.play.rule_of_end()
    return (violation("play_after_end", rule, version, event.seat, card=event.card),)


def gather(state: QuadrilleState, event: TrickGathered, version: int) -> Violations:
    """Who took a trick in."""
    if state.play is None:
        return (violation("wrong_gather", "QUA-6.10", version, event.seat, winner=None),)
    return state.play.gather(event, version)


def announce(state: QuadrilleState, event: Announced, version: int) -> Violations:
    """What is said: of Spadille before the play, of everything else during it."""
    seat, what = cast(int, event.seat), event.what
    play = state.play
    if what == "show_spadille":
        return show_spadille(state, event, version)
    if play is None or state.phase == "voided":
        return (_outside_play(what, seat, state.options, version),)
    if what == "reveal_partner":
        return declarations.reveal(play, seat, version)
    if what in declarations.SIDES:
        return declarations.claim(play, what, seat, version)
    if what in ("claim_accept", "claim_refuse"):
        return declarations.answer_claim(play, what, seat, version)
    kind, _, word = what.partition("_")
    return (
        declarations.choose(play, word, seat, version)
        if kind == "premiers"
        else declarations.reply(play, word, seat, version)
    )


def _outside_play(what: str, seat: int, options: QuadrilleOptions, version: int) -> Violation:
    """What is said where there is no play that it could be about."""
    kind, _, word = what.partition("_")
    if kind == "reveal":
        return violation("false_reveal", "QUA-5.12", version, seat)
    if kind == "premiers":
        return violation("bad_premiers", "QUA-6.18", version, seat, choice=word)
    if kind == "reply":
        return violation("bad_premiers_reply", "QUA-6.22", version, seat)
    found = "claim" if what in declarations.SIDES else "reply"
    return violation("claim_not_allowed", "QUA-6.27" if options.claims else "QUA-6.29", version, seat, found=found)


# --- the end ----------------------------------------------------------------------------------------------------------


def record_result(state: QuadrilleState, event: ResultRecorded, version: int) -> Violations:
    """What the deal came to is told instead of played."""
    if state.phase != "voided":
        state.record(checked_outcome(msgspec.convert(event.outcome, QuadrilleOutcome), state.options))
    return NOTHING


def claim_score(state: QuadrilleState, event: ScoreClaimed, version: int) -> Violations:
    """A forced partner who has to reveal himself does so before the sheet; its figures are compared elsewhere."""
    return NOTHING if state.play is None else declarations.miss_reveal_at_end(state.play, None, version)


def leave_deal(state: QuadrilleState, last_version: int, last_seat: int | None) -> Violations:
    """The next deal starts or the table closes: unfinished play makes the deal unscorable (QUA-11.36)."""
    if state.play is not None and state.phase == "settled":
        return declarations.miss_reveal_at_end(state.play, last_seat, last_version)
    if state.status != "open":
        return NOTHING
    has_ended = _may_have_ended(state)
    state.halt()  # cannot be known from this record, whether it is the record's fault or not
    return NOTHING if has_ended else (violation("play_incomplete", "QUA-6.13", last_version, last_seat),)


def _may_have_ended(state: QuadrilleState) -> bool:
    """Whether cards that nobody wrote down decide that the play had ended."""
    play = state.play
    if play is None or play.on_table:
        return False
    is_forced_six = len(play.winners) == PREMIERS and play.contract == "forced" and play.stage == "doubtful"
    return len(play.winners) == TRICKS or is_forced_six
