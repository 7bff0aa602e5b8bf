"""The words of this room: from its catalogue in a language, or in the plain English that replays are told in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from ledger.i18n import labels

label: Final = labels("ledger.text")

Say: TypeAlias = Callable[..., str]
"""Puts what a key names into words: `partial(label, lang)` or `plain`."""

_PLAIN: Final[Mapping[str, str]] = {
    "called_card": "calls {card}",
    "called_none": "calls no card",
    "exchanged": "exchanges {count}",
    "put_aside": "puts aside {cards}",
    "drew": "draws {cards}",
}


def plain(key: str, /, **values: Any) -> str:
    """What somebody did, as a line of a replay says it."""
    return _PLAIN[key].format(**values)
