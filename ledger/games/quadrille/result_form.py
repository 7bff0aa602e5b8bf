"""What a form for the result of a Quadrille deal asks (QUA-7.1 to 7.5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, get_args

from msgspec import UNSET, UnsetType

from ledger.games.kernel.result_form import Asking, ResultForm
from ledger.games.quadrille.options import QuadrilleOptions
from ledger.games.quadrille.pack import (
    PREMIERS,
    SEATS,
    TRICKS,
    WITH_PARTNER,
    Contract,
    SideName,
    tricks_of_side,
    vole_result,
)
from ledger.i18n import Words

_NOBODY: Final = Words("result.nobody")


def result_form(told: Mapping[str, str], options: QuadrilleOptions, seats: int, dealer: int) -> ResultForm:
    """Who played what with whom, and who won how many tricks; the last number follows."""
    ask = Asking(told)
    passed = Words("result.thrown_in") if options.all_pass == "throw_in" else None
    ombre = ask.seat("ombre", Words("result.who_played"), range(SEATS), not_told=passed)
    if ombre is None:
        return ask.form({"ombre": None})
    contracts = [one for one in get_args(Contract) if one != "forced" or passed is None]  # QUA-4.15
    contract = ask.word("contract", Words("result.contract"), contracts)
    trump = ask.suit("trump", Words("result.trump"))
    partner: int | UnsetType | None = None
    if contract in WITH_PARTNER:
        others = [seat for seat in range(SEATS) if seat != ombre]
        partner = ask.seat("partner", Words("result.partner"), others, not_told=_NOBODY)
    ending = ask.word(
        "ending", Words("result.ending"), _endings(contract, options), default="played", is_rare=contract != "forced"
    )
    claimed_for: str | UnsetType | None = None
    if ending == "claimed":
        claimed_for = ask.word("claimed_for", Words("result.claimed_for"), get_args(SideName))
    tricks = _tricks(ask, [ombre, partner], ending)
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
    premiers = _premiers(ask, facts, won, sum(counted))
    vole = _vole(ask, facts, won, premiers, sum(counted))
    matadors = ask.number(
        "matadors", Words("result.matadors"), range(2 if trump in ("S", "C") else 3), default="0"
    )  # QUA-7.5
    return ask.form({**facts, "premiers": premiers, "vole": vole, "matadors": matadors})


def _endings(contract: str | UnsetType | None, options: QuadrilleOptions) -> Sequence[str]:
    """QUA-6.16, 6.18, 6.29."""
    early = {"forced": ["premiers"], "alliance": ["stopped"], "solo": ["stopped"]}
    claimed = ["claimed"] if options.claims else []
    return ["played", *early.get(str(contract), []), *claimed]


def _tricks(
    ask: Asking, side: Sequence[int | UnsetType | None], ending: str | UnsetType | None
) -> list[int | UnsetType | None]:
    """The tricks of each seat, the Ombre's side first."""
    own = [seat for seat in side if isinstance(seat, int)]
    tricks: list[int | UnsetType | None] = [0] * SEATS
    around = [*own, *(seat for seat in range(SEATS) if seat not in own)]
    is_early = ending in ("stopped", "premiers")  # QUA-6.13: the side has won the first six, and nobody else any
    asked, left = (own or around, PREMIERS) if is_early else (around, TRICKS)
    follows = None if ending == "claimed" else asked[-1]
    for seat in asked:
        if seat == follows:
            tricks[seat] = left
            ask.follows(Words("result.rest", {"seat": seat, "tricks": left}))
            break
        words = Words("result.tricks", {"seat": seat, "left": left})
        found = ask.number(f"tricks.{seat}", words, range(left + 1))
        tricks[seat] = found
        left -= found if isinstance(found, int) else 0
    return tricks


def _premiers(ask: Asking, facts: Mapping[str, Any], won: int | UnsetType, total: int) -> bool:
    """Whether the side won the first six tricks, which is asked where it may have been so (QUA-6.14, 6.28)."""
    ending = facts["ending"]
    if won is UNSET:
        return False
    lost = TRICKS - won if ending in ("played", "claimed") else 0
    if lost == 0:
        return not (ending == "played" and facts["contract"] == "forced")
    can_be = lost <= TRICKS - PREMIERS and not (ending == "claimed" and total < PREMIERS)
    if not can_be or (ending == "played" and facts["contract"] == "forced"):
        return False
    return ask.truth("premiers", Words("result.premiers"))


def _vole(
    ask: Asking, facts: Mapping[str, Any], won: int | UnsetType, premiers: bool, total: int
) -> str | UnsetType | None:
    """What became of a vole, which is asked where one may have been at stake (QUA-6.17 to 6.19, 6.28, 7.4)."""
    contract, ending = facts["contract"], facts["ending"]
    if won is UNSET or contract == "forced":
        return None
    if contract == "vole":
        return vole_result(won)
    if not premiers or ending == "stopped" or total < PREMIERS:
        return None
    return ask.word("vole", Words("result.vole"), [vole_result(won)], not_told=Words("result.no_vole"), default="none")
