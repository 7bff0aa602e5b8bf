"""The keys of a hand record: which of them hold words, what else people call them, and where they belong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from typing import Any, Final

from ledger.i18n import LANGUAGES, Text, catalogue
from ledger.i18n.keyboard import spelt
from ledger.recording.hand.file import DealPart, HandRecordFile, SessionPart
from ledger.recording.hand.page import Path
from ledger.recording.words import phrase

_OF_WORDS: Final = frozenset(("game", "table", "players", "utc_offset", "slug", "date", "zone", "when", "seated")) | {
    "options",
    "result",
    "sheet",
    "expect",
}
"""Keys whose texts are names and words, which are kept in one width; what players did is read word by word."""

_TOP: Final = HandRecordFile.__struct_fields__
_SESSION: Final = SessionPart.__struct_fields__
_DEAL: Final = DealPart.__struct_fields__

KEYS: Final = frozenset((*_TOP, *_SESSION, *_DEAL))


def holds_words(path: Path) -> bool:
    """Whether the text that stands there is made of names or words, and is no remark."""
    keys = [step for step in path if isinstance(step, str)]
    own = keys[1:] if keys[:1] in (["deal"], ["session"]) else keys
    return bool(own) and own[0] in _OF_WORDS


def holds_lines(key: str) -> bool:
    """Whether what stands there is a line for each thing done."""
    return key in ("calls", "exchange", "play")


def is_list(key: str) -> bool:
    return key == "players"


def is_moment(key: str) -> bool:
    return key in ("when", "date")


def meant_key(typed: str, known: Sequence[str]) -> Text:
    """What may stand instead of an unknown key: the one that is called so too, one that looks like it, where it belongs
    if it stands elsewhere, or all that there are.
    """
    key = _compared(typed)
    called = called_so(key)
    for choice in (key, *called):
        if choice in known:
            return choice
    if key not in KEYS and (close := get_close_matches(key, known, 1, 0.7)):
        return close[0]
    for choice in (key, *called):
        if (place := where_it_belongs(choice)) is not None:
            return place
    return phrase("file.one_of", keys=tuple(known)) if known else phrase("file.known_key")


def where_it_belongs(key: str) -> Text | None:
    """Where a key of hand records stands in the file; None for any other."""
    if key == "hands":
        return "[deal.hands]"
    for table, told in (("top", _TOP), ("session", _SESSION), ("deal", _DEAL)):
        if key in told:
            return phrase(f"key.in_{table}", key=key, table=f"[{table}]")
    return None


def key_among_hands(data: Mapping[str, Any]) -> tuple[int, str] | None:
    """The deal, from 0, and its key that stands below `[deal.hands]`, where only players do."""
    deals, players = data.get("deal"), data.get("players")
    known = [word for player in players for word in spelt(str(player)).split()] if isinstance(players, list) else []
    for place, deal in enumerate(deals if isinstance(deals, list) else []):
        hands = deal.get("hands") if isinstance(deal, dict) else None
        for key in hands if isinstance(hands, dict) else ():
            if key in _DEAL and not any(word.startswith(key) for word in known):
                return place, key
    return None


def called_so(typed: str) -> tuple[str, ...]:
    """The keys that people call so, in any language."""
    return tuple(key for key in sorted(KEYS) if _compared(typed) in _other_names(key))


@cache
def _other_names(key: str) -> frozenset[str]:
    texts = (catalogue("ledger.recording", lang).get(f"called.{key}", "") for lang in LANGUAGES)
    return frozenset(_compared(name) for text in texts for name in text.split(",") if name)


def _compared(key: str) -> str:
    return spelt(key.strip()).replace(" ", "_").replace("-", "_")
