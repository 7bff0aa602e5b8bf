"""The outcome of an Ombre deal: the facts that scoring needs, and the form that asks for them (OMB-7.12 to 7.17)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, Literal, TypeAlias, get_args

from msgspec import UNSET, Meta, Struct, UnsetType, structs

from ledger.events import Seat, Suit
from ledger.games.kernel.protocol import DealSummary
from ledger.games.kernel.refusals import (
    any_of,
    bad_outcome,
    contradicting_outcome,
    missing_field,
    tricks_played_to_the_end,
)
from ledger.games.kernel.result_form import ResultForm, ResultFormBuilder
from ledger.games.ombre.options import OmbreOptions, phrase
from ledger.games.ombre.pack import (
    FIRST_TRICKS,
    TRICKS,
    Contract,
    Ending,
    Result,
    active_seats,
    is_decided,
    neighbours,
    result_of,
)
from ledger.i18n import Words


class OmbreOutcome(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, gc=False):
    """The outcome of a deal. `result` follows from the other fields and may be omitted from a recorded result.

    `tricks`: tricks won, by seat of the table; unplayed tricks count for nobody (OMB-10.27). `estuches`: the run of top
    trumps in the Ombre's playing hand (OMB-7.7); null if it is unknown and nothing is paid for it. `primeras`: whether
    the Ombre won the first five tricks (OMB-6.17). `ending`: how the play ended; a defended surrender is played on. If
    all passed, there is no `ombre`.
    """

    result: Result | None = None
    ombre: Seat | None = None
    contract: Contract | None = None
    trump: Suit | None = None
    tricks: tuple[Annotated[int, Meta(ge=0, le=TRICKS)], ...] = ()
    estuches: Annotated[int, Meta(ge=0, le=TRICKS)] | None = 0
    primeras: bool = False
    ending: Ending = "played"
    defender: Seat | None = None


Bonus: TypeAlias = Literal["VUELTA", "SOLO", "FAVOUR", "ESTUCHES", "PRIMERAS", "VOLE", "VOLE_FAILED"]


class OmbreSheet(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """Ombre's own fields of a score sheet (contract 6). All are optional; only those present are compared."""

    outcome: str | None = None
    tricks: tuple[int, ...] | None = None
    estuches: int | None = None
    bonuses: tuple[Bonus, ...] | None = None


def checked_outcome(outcome: OmbreOutcome, seats: int, dealer: int) -> OmbreOutcome:
    """Return the outcome with its result filled in. Raise `MalformedError` if its facts contradict each other."""
    active = active_seats(seats, dealer)
    if outcome.ombre is None:
        facts = structs.replace(outcome, result=None, tricks=())
        if facts != OmbreOutcome() or any(outcome.tricks):
            raise missing_field("outcome.ombre", phrase("refusal.ombre"))
        tricks: tuple[int, ...] = (0,) * seats
        result: Result = "ALL_PASS"  # OMB-7.12
    else:
        tricks = outcome.tricks
        if outcome.ombre not in active:
            seat_list = " ".join(map(str, active))
            raise bad_outcome("ombre", phrase("refusal.active_seat", seats=seat_list), outcome.ombre)
        if outcome.contract is None:
            raise missing_field("outcome.contract", any_of("entrada", "vuelta", "solo"))
        if len(tricks) != seats or any(tricks[seat] for seat in range(seats) if seat not in active):
            raise bad_outcome("tricks", phrase("refusal.numbers", seats=seats), list(tricks))
        _check_play(outcome, active)
        result = result_of(active, outcome.ombre, tricks, outcome.ending, outcome.primeras, outcome.defender)
    if outcome.result not in (None, result):
        raise contradicting_outcome("result", result, outcome.result)
    return structs.replace(outcome, tricks=tricks, result=result)


def _check_play(outcome: OmbreOutcome, active: tuple[int, ...]) -> None:
    """Check that tricks, ending, the first five tricks and the defender fit together."""
    assert outcome.ombre is not None
    total = sum(outcome.tricks)
    own = outcome.tricks[outcome.ombre]
    if outcome.ending == "played" and total != TRICKS:
        raise bad_outcome("tricks", tricks_played_to_the_end(TRICKS), list(outcome.tricks))
    if outcome.ending != "played" and total >= TRICKS:
        raise bad_outcome("tricks", phrase("refusal.fewer_tricks", tricks=TRICKS), list(outcome.tricks))
    if outcome.defender is not None:
        if outcome.defender not in active or outcome.defender == outcome.ombre:
            raise bad_outcome("defender", phrase("refusal.opponent"), outcome.defender)
        if outcome.contract != "entrada":  # OMB-6.24, 6.25
            raise bad_outcome("defender", phrase("refusal.no_defender"), outcome.defender)
        if outcome.ending not in ("played", "thrown_in") or outcome.primeras:  # OMB-6.30, 6.31
            raise bad_outcome("defender", phrase("refusal.defended_deal"))
    if outcome.primeras and own < FIRST_TRICKS:
        raise bad_outcome("primeras", phrase("refusal.five_tricks"), own)
    if own == TRICKS and not outcome.primeras and outcome.defender is None:
        raise bad_outcome("primeras", phrase("refusal.first_five", value="true"))
    if outcome.ending == "stopped" and (
        not outcome.primeras or own != FIRST_TRICKS or total != FIRST_TRICKS
    ):  # OMB-6.18, 6.19
        raise bad_outcome("ending", phrase("refusal.stopped", ending="stopped"), "stopped")
    if outcome.ending == "surrendered" and outcome.contract == "solo":  # OMB-6.22
        raise bad_outcome("ending", phrase("refusal.no_surrender"), "surrendered")
    if outcome.ending == "thrown_in":  # OMB-6.34
        right, left = neighbours(active, outcome.ombre)
        counts = [outcome.tricks[seat] for seat in (outcome.ombre, right, left)]
        defender = None if outcome.defender is None else (1 if outcome.defender == right else 2)
        if not is_decided(*counts, primeras=outcome.primeras, defender=defender):
            raise bad_outcome("ending", phrase("refusal.thrown_in", ending="thrown_in"), "thrown_in")


_LOST: Final = frozenset(
    ("CODILLE", "PUESTA", "SURRENDER", "DEFENDED_WON", "DEFENDED_CODILLE", "DEFENDED_DOUBLE_PUESTA")
)


def summarise(outcome: OmbreOutcome) -> DealSummary:
    """Return the facts for statistics. An Ombre saved by the third seat has neither won nor lost (OMB-7.30)."""
    result = outcome.result or ""
    won = True if result.startswith("SACADA") else False if result in _LOST else None
    return DealSummary(
        result=outcome.result,
        contract=outcome.contract,
        declarer=outcome.ombre,
        partner=None,
        trump=outcome.trump,
        won=won,
    )


_ALL_TRICKS: Final = tuple(range(TRICKS + 1))
_NOT_KNOWN: Final = Words("result.not_known")


def result_form(answers: Mapping[str, str], options: OmbreOptions, seats: int, dealer: int) -> ResultForm:
    """Return the form for a recorded result: contract, tricks, bonuses. The third number of tricks is computed."""
    builder = ResultFormBuilder(answers)
    active = active_seats(seats, dealer)
    ombre = builder.seat("ombre", Words("result.who_played"), sorted(active), none_words=Words("result.all_passed"))
    if ombre is None:
        return builder.build({"ombre": None})
    contract = builder.word("contract", Words("result.contract"), get_args(Contract))
    not_known = None if options.favourite_suit is not None else _NOT_KNOWN  # OMB-7.6
    trump = builder.suit("trump", Words("result.trump"), none_words=not_known)
    ending = builder.word("ending", Words("result.ending"), get_args(Ending), default="played", is_rare=True)
    defender: int | UnsetType | None = None
    around = active if ombre is UNSET else (ombre, *neighbours(active, ombre))
    if contract == "entrada" and ending in ("played", "thrown_in"):  # OMB-6.24 to 6.31
        defender = builder.seat(
            "defender",
            Words("result.defender"),
            [seat for seat in around if seat != ombre],
            none_words=Words("result.nobody"),
            default="none",
            is_rare=True,
        )
    tricks = _tricks(builder, seats, around, ending)
    own = UNSET if ombre is UNSET else tricks[ombre]
    estuches = builder.number(
        "estuches", Words("result.estuches"), _ALL_TRICKS, none_words=_NOT_KNOWN, default="0"
    )  # OMB-7.7
    return builder.build(
        {
            "ombre": ombre,
            "contract": contract,
            "trump": trump,
            "tricks": tricks,
            "estuches": estuches,
            "primeras": _primeras(builder, own, ending, defender),
            "ending": ending,
            "defender": defender,
        }
    )


def _tricks(
    builder: ResultFormBuilder, seats: int, around: tuple[int, ...], ending: str | UnsetType | None
) -> list[int | UnsetType | None]:
    """Return the tricks of each seat; a seat that sits out has none."""
    if ending == "stopped":  # OMB-6.18: the Ombre has won the first five tricks
        return [FIRST_TRICKS if seat == around[0] else 0 for seat in range(seats)]
    tricks = builder.tricks(around, TRICKS, is_all=ending == "played")
    return [tricks.get(seat, 0) for seat in range(seats)]


def _primeras(
    builder: ResultFormBuilder,
    own: int | UnsetType | None,
    ending: str | UnsetType | None,
    defender: int | UnsetType | None,
) -> bool:
    """Return whether the Ombre won the first five tricks (OMB-6.17), asking only if that is possible."""
    if ending == "stopped":
        return True
    if defender is not None or not isinstance(own, int) or own < FIRST_TRICKS:
        return False
    return own == TRICKS or builder.truth("primeras", Words("result.primeras"))
