"""The outcome of a Quadrille deal: the facts that scoring needs, and the form that asks for them (QUA-7.1 to 7.5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, Literal, TypeAlias, get_args

from msgspec import UNSET, Meta, Struct, UnsetType, structs

from ledger.cards import SUITS
from ledger.events import Seat, Suit
from ledger.games.kernel.protocol import DealSummary
from ledger.games.kernel.refusals import (
    any_of,
    bad_outcome,
    contradicting_outcome,
    missing_field,
    seat_up_to,
    tricks_played_to_the_end,
)
from ledger.games.kernel.result_form import ResultForm, ResultFormBuilder
from ledger.games.quadrille.options import QuadrilleOptions, phrase
from ledger.games.quadrille.pack import (
    PREMIERS,
    SEATS,
    TRICKS,
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
from ledger.i18n import Words, one_of


class QuadrilleOutcome(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, gc=False):
    """The outcome of a deal. `result` follows from the other fields and may be omitted from a recorded result.

    `partner`: null if the Ombre was alone (QUA-5.13). `tricks`: tricks won by each seat itself; unplayed tricks count
    for nobody. `ending`: `premiers` if they ended a forced contract (QUA-6.16). `claimed_for`: the side to which an
    accepted claim gave the unplayed tricks (QUA-6.27). `vole`: null if no vole was at stake (QUA-7.4); it may be
    omitted where play that goes on after premiers declares it (QUA-6.19). `matadors`: the level m (QUA-7.5). A deal
    that was thrown in has no `ombre`.
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
    vole: Vole | UnsetType | None = UNSET
    matadors: Annotated[int, Meta(ge=0, le=2)] = 0


Reason: TypeAlias = Literal[
    "ante",
    "vole_stake",
    "pool_win",
    "remise",
    "codille_share",
    "codille_payment",
    "matadors",
    "premiers",
    "vole_made",
    "vole_failed",
    "consolation",
    "solo_bonus",
    "vole_pool",
    "vole_pool_rest",
]
"""The reasons for payments (QUA-7.32)."""


class QuadrilleSheet(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """Quadrille's own field of a score sheet (contract 6), optional: the bonuses that the table paid."""

    bonuses: tuple[Reason, ...] | None = None


def side_tricks(outcome: QuadrilleOutcome) -> int:
    """Return t, the number of tricks of the Ombre's side."""
    assert outcome.ombre is not None
    return tricks_of_side(outcome.tricks, outcome.ombre, outcome.partner, outcome.claimed_for)


def checked_outcome(outcome: QuadrilleOutcome, options: QuadrilleOptions) -> QuadrilleOutcome:
    """Return the outcome with its derived fields filled in.

    Raise `MalformedError` if its facts contradict each other.
    """
    result: Result = "thrown_in"
    if outcome.ombre is None:
        facts = structs.replace(outcome, result=None, tricks=(), vole=outcome.vole or UNSET)
        if facts != QuadrilleOutcome() or any(outcome.tricks):
            raise missing_field("outcome.ombre", phrase("refusal.ombre"))
        if options.all_pass != "throw_in":
            raise missing_field("outcome.ombre", phrase("refusal.forced_ombre"))
        outcome = structs.replace(outcome, tricks=(0,) * SEATS, vole=None)
    else:
        _check_players(outcome, options)
        _check_ending(outcome, options)
        if outcome.vole is UNSET or (outcome.contract == "vole" and outcome.vole is None):
            at_stake = is_vole_at_stake(outcome.contract, outcome.ending, outcome.premiers, sum(outcome.tricks))
            outcome = structs.replace(outcome, vole=vole_result(side_tricks(outcome)) if at_stake else None)
        _check_premiers(outcome)
        _check_vole(outcome)
        result = result_of(side_tricks(outcome))
    if outcome.result not in (None, result):
        raise contradicting_outcome("result", result, outcome.result)
    return structs.replace(outcome, result=result)


def _check_players(outcome: QuadrilleOutcome, options: QuadrilleOptions) -> None:
    """Check Ombre, partner, contract, trump and matadors against each other."""
    ombre, partner = outcome.ombre, outcome.partner
    if ombre is None or ombre >= SEATS:
        raise bad_outcome("ombre", seat_up_to(SEATS - 1), ombre)
    if outcome.contract is None:
        raise missing_field("outcome.contract", any_of("alliance", "solo", "vole", "forced"))
    if outcome.contract == "forced" and options.all_pass == "throw_in":
        expected = phrase("refusal.contract_that_was_bid", contracts=any_of("alliance", "solo", "vole"))
        raise bad_outcome("contract", expected, "forced")
    if outcome.trump is None:
        raise missing_field("outcome.trump", any_of(*SUITS))
    if partner is not None and (partner == ombre or partner >= SEATS):
        raise bad_outcome("partner", phrase("refusal.partner", none="null"), partner)
    if partner is not None and outcome.contract not in WITH_PARTNER:
        expected = phrase("refusal.no_partner", none="null", contract=outcome.contract)
        raise bad_outcome("partner", expected, partner)  # QUA-5.3
    if outcome.matadors == 2 and outcome.trump in ("S", "C"):
        raise bad_outcome("matadors", phrase("refusal.no_punto"), 2)  # QUA-7.5


def _check_ending(outcome: QuadrilleOutcome, options: QuadrilleOptions) -> None:
    """Check that the number of tricks fits the ending (QUA-6.13)."""
    tricks, total, ending = list(outcome.tricks), sum(outcome.tricks), outcome.ending
    if len(tricks) != SEATS:
        raise bad_outcome("tricks", phrase("refusal.numbers", seats=SEATS), tricks)
    if (ending == "claimed") != (outcome.claimed_for is not None):
        expected = phrase("refusal.claimed_for", sides=one_of(("ombre", "opponents")), ending="claimed")
        raise bad_outcome("claimed_for", expected, outcome.claimed_for)
    if ending == "claimed" and not options.claims:
        expected = phrase("refusal.no_claims", endings=any_of("played", "stopped", "premiers"))
        raise bad_outcome("ending", expected, "claimed")  # QUA-6.29
    if ending == "played" and total != TRICKS:
        raise bad_outcome("tricks", tricks_played_to_the_end(TRICKS), tricks)
    if ending == "claimed" and not 0 < total < TRICKS:
        raise bad_outcome("tricks", phrase("refusal.tricks_before_a_claim", most=TRICKS - 1), tricks)  # QUA-6.27
    if ending in ("stopped", "premiers") and (total != PREMIERS or side_tricks(outcome) != PREMIERS):
        raise bad_outcome("tricks", phrase("refusal.tricks_of_early_end", tricks=PREMIERS), tricks)
    if ending == "stopped" and outcome.contract not in ("alliance", "solo"):
        raise bad_outcome("ending", phrase("refusal.no_stop"), "stopped")  # QUA-6.18
    if ending == "premiers" and outcome.contract != "forced":
        raise bad_outcome("ending", phrase("refusal.premiers_not_forced", ending="premiers"), "premiers")  # QUA-6.16


def may_be_premiers(ending: str, contract: str | None, total: int, won: int) -> tuple[bool, bool]:
    """Return whether the side can have won the first six tricks, and whether it must have (QUA-6.14, 6.28).

    `total`: the number of tricks played. `won`: t, the number that the side won.
    """
    lost = TRICKS - won if ending in ("played", "claimed") else 0
    is_early_claim = ending == "claimed" and total < PREMIERS
    can_be = lost == 0 if is_early_claim else lost <= TRICKS - PREMIERS
    would_have_ended = ending == "played" and contract == "forced"  # QUA-6.16
    return can_be and not would_have_ended, lost == 0


def is_vole_at_stake(contract: str | None, ending: str, premiers: bool, total: int) -> bool:
    """Return whether a vole is at stake, unless a wrong lead let the choice lapse (QUA-6.17 to 6.19, 6.28, 7.4).

    `total`: the number of tricks played.
    """
    has_gone_on = premiers and ending != "stopped" and total >= PREMIERS
    return contract == "vole" or (contract != "forced" and has_gone_on)


def _check_premiers(outcome: QuadrilleOutcome) -> None:
    """Check `premiers` against the number of tricks (QUA-6.14, 6.28)."""
    total, won = sum(outcome.tricks), side_tricks(outcome)
    can_be, must_be = may_be_premiers(outcome.ending, outcome.contract, total, won)
    if must_be and not can_be:
        raise bad_outcome("ending", phrase("refusal.premiers_forced", ending="premiers"), "played")
    if outcome.premiers and not can_be:
        raise bad_outcome("premiers", phrase("refusal.no_premiers", value="false"), "true")
    if must_be and not outcome.premiers:
        raise bad_outcome("premiers", phrase("refusal.premiers", value="true"), "false")


def _check_vole(outcome: QuadrilleOutcome) -> None:
    if not outcome.vole:
        return
    if outcome.contract == "forced":
        raise bad_outcome("vole", phrase("refusal.vole_forced", none="null"), outcome.vole)  # QUA-6.17
    if outcome.contract != "vole" and (not outcome.premiers or outcome.ending == "stopped"):
        raise bad_outcome("vole", phrase("refusal.vole_early", none="null"), outcome.vole)  # QUA-6.18
    if outcome.contract != "vole" and sum(outcome.tricks) < PREMIERS:
        raise bad_outcome("vole", phrase("refusal.vole_claimed", none="null"), outcome.vole)  # QUA-6.28
    expected = vole_result(side_tricks(outcome))
    if outcome.vole != expected:
        raise bad_outcome("vole", phrase("refusal.vole_by_tricks", vole=expected), outcome.vole)


def summarise(outcome: QuadrilleOutcome) -> DealSummary:
    """Return the facts for statistics."""
    return DealSummary(
        result=outcome.result,
        contract=outcome.contract,
        declarer=outcome.ombre,
        partner=outcome.partner,
        trump=outcome.trump,
        won=None if outcome.ombre is None else outcome.result == "win",
    )


_NOBODY: Final = Words("result.nobody")


def result_form(answers: Mapping[str, str], options: QuadrilleOptions, seats: int, dealer: int) -> ResultForm:
    """Return the form for a recorded result: players, contract, tricks, bonuses. The last trick count is computed."""
    builder = ResultFormBuilder(answers)
    passed = Words("result.thrown_in") if options.all_pass == "throw_in" else None
    ombre = builder.seat("ombre", Words("result.who_played"), range(SEATS), none_words=passed)
    if ombre is None:
        return builder.build({"ombre": None})
    contracts = [one for one in get_args(Contract) if one != "forced" or passed is None]  # QUA-4.15
    contract = builder.word("contract", Words("result.contract"), contracts)
    trump = builder.suit("trump", Words("result.trump"))
    partner: int | UnsetType | None = None
    if contract in WITH_PARTNER:
        others = [seat for seat in range(SEATS) if seat != ombre]
        partner = builder.seat("partner", Words("result.partner"), others, none_words=_NOBODY)
    ending = builder.word(
        "ending", Words("result.ending"), _endings(contract, options), default="played", is_rare=contract != "forced"
    )
    claimed_for: str | UnsetType | None = None
    if ending == "claimed":
        claimed_for = builder.word("claimed_for", Words("result.claimed_for"), get_args(SideName))
    tricks = _tricks(builder, [ombre, partner], ending)
    facts = {
        "ombre": ombre,
        "partner": partner,
        "contract": contract,
        "trump": trump,
        "tricks": tricks,
        "ending": ending,
        "claimed_for": claimed_for,
    }
    won: int | UnsetType = UNSET
    counted = [one for one in tricks if isinstance(one, int)]
    if isinstance(ombre, int) and len(counted) == SEATS and partner is not UNSET and claimed_for is not UNSET:
        won = tricks_of_side(counted, ombre, partner, claimed_for)
    premiers = _premiers(builder, facts, won, sum(counted))
    vole = _vole(builder, facts, won, premiers, sum(counted))
    matadors = builder.number(
        "matadors", Words("result.matadors"), range(2 if trump in ("S", "C") else 3), default="0"
    )  # QUA-7.5
    return builder.build({**facts, "premiers": premiers, "vole": vole, "matadors": matadors})


def _endings(contract: str | UnsetType | None, options: QuadrilleOptions) -> Sequence[str]:
    """Return the possible endings of this contract (QUA-6.16, 6.18, 6.29)."""
    early = {"forced": ["premiers"], "alliance": ["stopped"], "solo": ["stopped"]}
    claimed = ["claimed"] if options.claims else []
    return ["played", *early.get(str(contract), []), *claimed]


def _tricks(
    builder: ResultFormBuilder, side: Sequence[int | UnsetType | None], ending: str | UnsetType | None
) -> list[int | UnsetType | None]:
    """Return the tricks of each seat, asking for the Ombre's side first."""
    own = [seat for seat in side if isinstance(seat, int)]
    around = [*own, *(seat for seat in range(SEATS) if seat not in own)]
    is_early = ending in ("stopped", "premiers")  # QUA-6.13: only the side has won tricks, the first six
    seats, total = (own or around, PREMIERS) if is_early else (around, TRICKS)
    tricks = builder.tricks(seats, total, is_all=ending != "claimed")
    return [tricks.get(seat, 0) for seat in range(SEATS)]


def _premiers(builder: ResultFormBuilder, facts: Mapping[str, Any], won: int | UnsetType, total: int) -> bool:
    """Return whether the side won the first six tricks, asking only if both are possible (QUA-6.14, 6.28)."""
    if won is UNSET:
        return False
    can_be, must_be = may_be_premiers(facts["ending"], facts["contract"], total, won)
    return can_be and (must_be or builder.truth("premiers", Words("result.premiers")))


def _vole(
    builder: ResultFormBuilder, facts: Mapping[str, Any], won: int | UnsetType, premiers: bool, total: int
) -> str | UnsetType | None:
    """Return the result of a vole at stake, asking if only a wrong lead can have let it lapse (QUA-11.26)."""
    if won is UNSET or not is_vole_at_stake(facts["contract"], facts["ending"], premiers, total):
        return UNSET
    result = vole_result(won)
    if facts["contract"] == "vole":
        return result
    return builder.word("vole", Words("result.vole"), [result], none_words=Words("result.no_vole"), default=result)
