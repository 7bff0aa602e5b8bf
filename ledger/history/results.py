"""In which results the declarer has won: what statistics count as won and lost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

DECLARER_WON: Final[Mapping[str, Mapping[str, bool]]] = {
    # OMB-7.14, 7.15. In DEFENDED_SAVED the Ombre neither wins nor pays (OMB-7.30), so it is neither won nor lost.
    "ombre": {
        "SACADA": True,
        "SACADA_VOLE": True,
        "SACADA_VOLE_FAILED": True,
        "CODILLE": False,
        "PUESTA": False,
        "SURRENDER": False,
        "DEFENDED_WON": False,
        "DEFENDED_CODILLE": False,
        "DEFENDED_DOUBLE_PUESTA": False,
    },
}
"""By game and result; a result that is missing is neither won nor lost."""


def result_word(outcome: Mapping[str, Any]) -> str | None:
    """The result in the rulebook's word, where the game has one."""
    return outcome.get("result")


def declarer_won(game: str, result: str | None) -> bool | None:
    """Whether the declarer won; null where that is not known, or neither."""
    return None if result is None else DECLARER_WON.get(game, {}).get(result)
