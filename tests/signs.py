"""Cards in sentences: tests write codes, people read signs."""

from __future__ import annotations

import re

from ledger.cards import SYMBOLS

_CODE = re.compile(r"\b([SHDC])([AKQJT2-9]?)\b")


def with_signs(sentence: str) -> str:
    """Replace card and suit codes by signs: `Baron played H2` becomes `Baron played ♥2`."""
    return _CODE.sub(lambda code: SYMBOLS[code[1]] + code[2].replace("T", "10"), sentence)
