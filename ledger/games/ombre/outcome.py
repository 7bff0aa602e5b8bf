"""The outcome of one Ombre deal: the facts that scoring needs, recorded or played (OMB-7.12 to 7.17)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Final

from msgspec import Meta, Struct, structs

from ledger.errors import MalformedError
from ledger.events import Seat, Suit
from ledger.games.kernel.protocol import DealSummary
from ledger.games.ombre.pack import FIRST_TRICKS, TRICKS, active_seats, neighbours
from ledger.games.ombre.results import Contract, Ending, Result, is_decided, result_of


class OmbreOutcome(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, gc=False):
    """What a deal came to. `result` follows from the other fields and may be left out of a recorded result.

    `tricks`: tricks won, per seat of the table; unplayed ones count for nobody (OMB-10.27). `estuches`: the run of top
    trumps in the Ombre's playing hand (OMB-7.7). `primeras`: the Ombre won the first five tricks (OMB-6.17).
    `ending`: how the play ended; a surrender that was defended is played on. All passed: no `ombre`.
    """

    result: Result | None = None
    ombre: Seat | None = None
    contract: Contract | None = None
    trump: Suit | None = None
    tricks: tuple[Annotated[int, Meta(ge=0, le=TRICKS)], ...] = ()
    estuches: Annotated[int, Meta(ge=0, le=TRICKS)] = 0
    primeras: bool = False
    ending: Ending = "played"
    defender: Seat | None = None


def checked_outcome(outcome: OmbreOutcome, seats: int, dealer: int) -> OmbreOutcome:
    """The outcome with its result filled in; raises `MalformedError` where its facts contradict each other."""

    def refuse(what: str, expected: str, text: object = None) -> MalformedError:
        return MalformedError(f"outcome.{what}", expected, None if text is None else str(text))

    active = active_seats(seats, dealer)
    if outcome.ombre is None:
        facts = structs.replace(outcome, result=None, tricks=())
        if facts != OmbreOutcome() or any(outcome.tricks):
            raise refuse("ombre is missing", "the seat of the Ombre, unless all passed and nothing else is told")
        tricks: tuple[int, ...] = (0,) * seats
        result: Result = "ALL_PASS"  # OMB-7.12
    else:
        tricks = outcome.tricks
        if outcome.ombre not in active:
            raise refuse("ombre", f"one of the active seats {' '.join(map(str, active))}", outcome.ombre)
        if outcome.contract is None:
            raise refuse("contract is missing", "entrada, vuelta or solo")
        if len(tricks) != seats or any(tricks[seat] for seat in range(seats) if seat not in active):
            raise refuse("tricks", f"{seats} numbers, 0 for a seat that sits out", list(tricks))
        _check_play(outcome, active, refuse)
        result = result_of(active, outcome.ombre, tricks, outcome.ending, outcome.primeras, outcome.defender)
    if outcome.result not in (None, result):
        raise refuse("result", f"{result}, which the other fields make", outcome.result)
    return structs.replace(outcome, tricks=tricks, result=result)


def _check_play(outcome: OmbreOutcome, active: tuple[int, ...], refuse: Callable[..., MalformedError]) -> None:
    """That the tricks, the ending, the first five tricks and the defender go together."""
    assert outcome.ombre is not None
    total = sum(outcome.tricks)
    own = outcome.tricks[outcome.ombre]
    if outcome.ending == "played" and total != TRICKS:
        raise refuse("tricks", f"{TRICKS} tricks in all when the deal was played to the end", list(outcome.tricks))
    if outcome.ending != "played" and total >= TRICKS:
        raise refuse("tricks", f"fewer than {TRICKS} tricks when the play ended early", list(outcome.tricks))
    if outcome.defender is not None:
        if outcome.defender not in active or outcome.defender == outcome.ombre:
            raise refuse("defender", "an opponent of the Ombre", outcome.defender)
        if outcome.contract != "entrada":  # OMB-6.24, 6.25
            raise refuse("defender", "none: only an Entrada can be defended", outcome.defender)
        if outcome.ending not in ("played", "thrown_in") or outcome.primeras:  # OMB-6.30, 6.31
            raise refuse("defender", "a defended deal without stop, second surrender and first five tricks")
    if outcome.primeras and own < FIRST_TRICKS:
        raise refuse("primeras", "at least five tricks of the Ombre", own)
    if own == TRICKS and not outcome.primeras and outcome.defender is None:
        raise refuse("primeras", "true: the Ombre who wins all tricks wins the first five")
    if outcome.ending == "stopped" and (
        not outcome.primeras or own != FIRST_TRICKS or total != FIRST_TRICKS
    ):  # OMB-6.18, 6.19
        raise refuse("ending", "stopped only after exactly the first five tricks, all the Ombre's", "stopped")
    if outcome.ending == "surrendered" and outcome.contract == "solo":  # OMB-6.22
        raise refuse("ending", "no surrender in a Solo", "surrendered")
    if outcome.ending == "thrown_in":  # OMB-6.34
        right, left = neighbours(active, outcome.ombre)
        counts = [outcome.tricks[seat] for seat in (outcome.ombre, right, left)]
        defender = None if outcome.defender is None else (1 if outcome.defender == right else 2)
        if not is_decided(*counts, primeras=outcome.primeras, defender=defender):
            raise refuse("ending", "thrown_in only when the deal is decided", "thrown_in")


_LOST: Final = frozenset(
    ("CODILLE", "PUESTA", "SURRENDER", "DEFENDED_WON", "DEFENDED_CODILLE", "DEFENDED_DOUBLE_PUESTA")
)


def summarise(outcome: OmbreOutcome) -> DealSummary:
    """For statistics. An Ombre saved by the third seat neither wins nor pays (OMB-7.30): neither won nor lost."""
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
