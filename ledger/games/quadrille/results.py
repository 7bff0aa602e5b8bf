"""The result that the facts of a Quadrille deal make (QUA-7.1 to 7.4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from ledger.games.quadrille.pack import PREMIERS, TRICKS

Result: TypeAlias = Literal["win", "remise", "codille", "thrown_in"]
Contract: TypeAlias = Literal["alliance", "solo", "vole", "forced"]
Ending: TypeAlias = Literal["played", "stopped", "premiers", "claimed"]
SideName: TypeAlias = Literal["ombre", "opponents"]
Vole: TypeAlias = Literal["made", "failed"]

WITH_PARTNER: Final = ("alliance", "forced")
"""The contracts in which a card is called (QUA-5.4)."""


def tricks_of_side(tricks: Sequence[int], ombre: int, partner: int | None, claimed_for: str | None) -> int:
    """t: the tricks of the Ombre's side, with those that an accepted claim gave it (QUA-7.1)."""
    own = tricks[ombre]
    partners = 0 if partner is None else tricks[partner]
    claimed = TRICKS - sum(tricks) if claimed_for == "ombre" else 0
    return own + partners + claimed


def result_of(tricks: int) -> Result:
    """The result of so many tricks of the Ombre's side (QUA-7.2)."""
    return "win" if tricks >= PREMIERS else "remise" if tricks == PREMIERS - 1 else "codille"


def vole_result(tricks: int) -> Vole:
    """What became of a vole at stake (QUA-7.4)."""
    return "made" if tricks == TRICKS else "failed"
