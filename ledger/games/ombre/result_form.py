"""What a form for the result of an Ombre deal asks (OMB-7.12 to 7.17)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, get_args

from msgspec import UNSET, UnsetType

from ledger.games.kernel.result_form import Asking, ResultForm
from ledger.games.ombre.options import OmbreOptions
from ledger.games.ombre.pack import FIRST_TRICKS, TRICKS, Contract, Ending, active_seats, neighbours
from ledger.i18n import Words

_ALL_TRICKS: Final = tuple(range(TRICKS + 1))
_NOT_KNOWN: Final = Words("result.not_known")


def result_form(told: Mapping[str, str], options: OmbreOptions, seats: int, dealer: int) -> ResultForm:
    """Who played what, and who won how many tricks; the last of three numbers follows."""
    ask = Asking(told)
    active = active_seats(seats, dealer)
    ombre = ask.seat("ombre", Words("result.who_played"), sorted(active), not_told=Words("result.all_passed"))
    if ombre is None:
        return ask.form({"ombre": None})
    contract = ask.word("contract", Words("result.contract"), get_args(Contract))
    not_known = None if options.favourite_suit is not None else _NOT_KNOWN  # OMB-7.6
    trump = ask.suit("trump", Words("result.trump"), not_told=not_known)
    ending = ask.word("ending", Words("result.ending"), get_args(Ending), default="played", is_rare=True)
    defender: int | UnsetType | None = None
    around = active if ombre is UNSET else (ombre, *neighbours(active, ombre))
    if contract == "entrada" and ending in ("played", "thrown_in"):  # OMB-6.24 to 6.31
        defender = ask.seat(
            "defender",
            Words("result.defender"),
            [seat for seat in around if seat != ombre],
            not_told=Words("result.nobody"),
            default="none",
            is_rare=True,
        )
    tricks = _tricks(ask, seats, around, ending)
    own = UNSET if ombre is UNSET else tricks[ombre]
    estuches = ask.number(
        "estuches", Words("result.estuches"), _ALL_TRICKS, not_told=_NOT_KNOWN, default="0"
    )  # OMB-7.7
    return ask.form(
        {
            "ombre": ombre,
            "contract": contract,
            "trump": trump,
            "tricks": tricks,
            "estuches": estuches,
            "primeras": _primeras(ask, own, ending, defender),
            "ending": ending,
            "defender": defender,
        }
    )


def _tricks(
    ask: Asking, seats: int, around: tuple[int, ...], ending: str | UnsetType | None
) -> list[int | UnsetType | None]:
    """The tricks of each seat; a seat that sits out has none."""
    tricks: list[int | UnsetType | None] = [0] * seats
    if ending == "stopped":  # OMB-6.18: after the first five, all the Ombre's
        tricks[around[0]] = FIRST_TRICKS
        return tricks
    left = TRICKS
    asked = around[:2] if ending == "played" else around
    for seat in asked:
        words = Words("result.tricks", {"seat": seat, "left": left})
        found = ask.number(f"tricks.{seat}", words, range(left + 1))
        tricks[seat] = found
        left -= found if isinstance(found, int) else 0
    if ending == "played":
        tricks[around[-1]] = left
        ask.follows(Words("result.rest", {"seat": around[-1], "tricks": left}))
    return tricks


def _primeras(
    ask: Asking, own: int | UnsetType | None, ending: str | UnsetType | None, defender: int | UnsetType | None
) -> bool:
    """Whether the Ombre won the first five tricks (OMB-6.17), which is asked where it may have been so."""
    if ending == "stopped":
        return True
    if defender is not None or not isinstance(own, int) or own < FIRST_TRICKS:
        return False
    return own == TRICKS or ask.truth("primeras", Words("result.primeras"))
