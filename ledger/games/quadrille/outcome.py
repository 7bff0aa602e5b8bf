"""The outcome of one Quadrille deal: the facts that scoring needs, and the result that they make (QUA-7.1 to 7.5)."""

from __future__ import annotations

from typing import Annotated, Any, NoReturn

from msgspec import Meta, Struct, structs

from ledger.errors import MalformedError
from ledger.events import Seat, Suit
from ledger.games.kernel.protocol import DealSummary
from ledger.games.quadrille.options import QuadrilleOptions
from ledger.games.quadrille.pack import PREMIERS, SEATS, TRICKS
from ledger.games.quadrille.results import (
    WITH_PARTNER,
    Contract,
    Ending,
    Result,
    SideName,
    Vole,
    result_of,
    tricks_of_side,
    vole_result,
)


class QuadrilleOutcome(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, gc=False):
    """What a deal came to. `result` follows from the other fields and may be left out of a recorded result.

    `partner`: null where the Ombre was alone (QUA-5.13). `tricks`: won by each seat itself; unplayed ones count for
    nobody. `ending`: `premiers` where a forced contract ended by them (QUA-6.16). `claimed_for`: the side that an
    accepted claim gave the unplayed tricks to (QUA-6.27). `vole`: null where it was not at stake (QUA-7.4).
    `matadors`: the level m (QUA-7.5). Thrown in: no `ombre`.
    """

    result: Result | None = None
    ombre: Seat | None = None
    partner: Seat | None = None
    contract: Contract | None = None
    trump: Suit | None = None
    tricks: tuple[Annotated[int, Meta(ge=0, le=TRICKS)], ...] = ()
    ending: Ending = "played"
    claimed_for: SideName | None = None
    premiers: bool = False
    vole: Vole | None = None
    matadors: Annotated[int, Meta(ge=0, le=2)] = 0


def side_tricks(outcome: QuadrilleOutcome) -> int:
    """t: the tricks of the Ombre's side."""
    assert outcome.ombre is not None
    return tricks_of_side(outcome.tricks, outcome.ombre, outcome.partner, outcome.claimed_for)


def checked_outcome(outcome: QuadrilleOutcome, options: QuadrilleOptions) -> QuadrilleOutcome:
    """The outcome with what follows filled in; raises `MalformedError` where its facts contradict each other."""
    result: Result = "thrown_in"
    if outcome.ombre is None:
        if structs.replace(outcome, result=None, tricks=()) != QuadrilleOutcome() or any(outcome.tricks):
            _refuse("ombre is missing", "the seat of the Ombre, unless the deal was thrown in and nothing else is told")
        if options.all_pass != "throw_in":
            _refuse("ombre is missing", "the seat of the Ombre: at this table four passes force Spadille")
        outcome = structs.replace(outcome, tricks=(0,) * SEATS)
    else:
        _check_players(outcome, options)
        _check_ending(outcome, options)
        if outcome.contract == "vole" and outcome.vole is None:
            outcome = structs.replace(outcome, vole=vole_result(side_tricks(outcome)))
        _check_premiers(outcome)
        _check_vole(outcome)
        result = result_of(side_tricks(outcome))
    if outcome.result not in (None, result):
        _refuse("result", f"{result}, which the other fields make", outcome.result)
    return structs.replace(outcome, result=result)


def _refuse(what: str, expected: str, text: Any = None) -> NoReturn:
    raise MalformedError(f"outcome.{what}", expected, None if text is None else str(text))


def _check_players(outcome: QuadrilleOutcome, options: QuadrilleOptions) -> None:
    """Who plays what with whom."""
    ombre, partner = outcome.ombre, outcome.partner
    if ombre is None or ombre >= SEATS:
        _refuse("ombre", f"a seat from 0 to {SEATS - 1}", ombre)
    if outcome.contract is None:
        _refuse("contract is missing", "alliance, solo, vole or forced")
    if outcome.contract == "forced" and options.all_pass == "throw_in":
        _refuse("contract", "alliance, solo or vole: at this table four passes end the deal", "forced")
    if outcome.trump is None:
        _refuse("trump is missing", "S, H, D or C")
    if partner is not None and (partner == ombre or partner >= SEATS):
        _refuse("partner", "another seat than the Ombre's, or null where he was alone", partner)
    if partner is not None and outcome.contract not in WITH_PARTNER:
        _refuse("partner", f"null: no card is called in a {outcome.contract}", partner)  # QUA-5.3
    if outcome.matadors == 2 and outcome.trump in ("S", "C"):
        _refuse("matadors", "0 or 1: with a black trump suit there is no Punto", 2)  # QUA-7.5


def _check_ending(outcome: QuadrilleOutcome, options: QuadrilleOptions) -> None:
    """That the number of tricks fits how the play ended (QUA-6.13)."""
    tricks, total, ending = list(outcome.tricks), sum(outcome.tricks), outcome.ending
    if len(tricks) != SEATS:
        _refuse("tricks", f"{SEATS} numbers, one for each seat", tricks)
    if (ending == "claimed") != (outcome.claimed_for is not None):
        _refuse("claimed_for", "ombre or opponents where the ending is claimed, and only there", outcome.claimed_for)
    if ending == "claimed" and not options.claims:
        _refuse("ending", "played, stopped or premiers: this table has no claims", "claimed")  # QUA-6.29
    if ending == "played" and total != TRICKS:
        _refuse("tricks", f"{TRICKS} tricks in all when the deal was played to the end", tricks)
    if ending == "claimed" and not 0 < total < TRICKS:
        _refuse("tricks", f"1 to {TRICKS - 1} tricks before a claim", tricks)  # QUA-6.27
    if ending in ("stopped", "premiers") and (total != PREMIERS or side_tricks(outcome) != PREMIERS):
        _refuse("tricks", f"{PREMIERS} tricks, all of the Ombre's side, when the play ended early", tricks)
    if ending == "stopped" and outcome.contract not in ("alliance", "solo"):
        _refuse("ending", "no stop but in an alliance or a solo", "stopped")  # QUA-6.18
    if ending == "premiers" and outcome.contract != "forced":
        _refuse("ending", "premiers only in a forced contract", "premiers")  # QUA-6.16


def _check_premiers(outcome: QuadrilleOutcome) -> None:
    """Whether the side can have, or must have, won the first six tricks (QUA-6.14, 6.28)."""
    total, won = sum(outcome.tricks), side_tricks(outcome)
    lost = TRICKS - won if outcome.ending in ("played", "claimed") else 0
    can_be = lost <= TRICKS - PREMIERS
    must_be = lost == 0
    if outcome.ending == "claimed" and total < PREMIERS:
        can_be = must_be = lost == 0
    if outcome.ending == "played" and outcome.contract == "forced":
        can_be = False  # the play would have ended there
        if must_be:
            _refuse("ending", "premiers: a forced contract ends by them", "played")
    if outcome.premiers and not can_be:
        _refuse("premiers", "false: the Ombre's side cannot have won the first six tricks so", "true")
    if must_be and not outcome.premiers:
        _refuse("premiers", "true: the Ombre's side lost no trick", "false")


def _check_vole(outcome: QuadrilleOutcome) -> None:
    if outcome.vole is None:
        return
    if outcome.contract == "forced":
        _refuse("vole", "null: no vole in a forced contract", outcome.vole)  # QUA-6.17
    if outcome.contract != "vole" and (not outcome.premiers or outcome.ending == "stopped"):
        _refuse("vole", "null: a vole is declared only after the first six tricks, all won", outcome.vole)  # QUA-6.18
    if outcome.contract != "vole" and sum(outcome.tricks) < PREMIERS:
        _refuse("vole", "null: an accepted claim never declares a vole", outcome.vole)  # QUA-6.28
    expected = vole_result(side_tricks(outcome))
    if outcome.vole != expected:
        _refuse("vole", f"{expected}, which the tricks make", outcome.vole)


def summarise(outcome: QuadrilleOutcome) -> DealSummary:
    """For statistics."""
    return DealSummary(
        result=outcome.result,
        contract=outcome.contract,
        declarer=outcome.ombre,
        partner=outcome.partner,
        trump=outcome.trump,
        won=None if outcome.ombre is None else outcome.result == "win",
    )
