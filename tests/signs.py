"""Cards in sentences: tests write them by their codes, people read them with their signs."""

from __future__ import annotations

import re

from ledger.cards import SYMBOLS

_CODE = re.compile(r"\b([SHDC])([AKQJT2-9]?)\b")


def with_signs(sentence: str) -> str:
    """`Baron played H2` as it is told: `Baron played ♥2`; a suit by itself, too."""
    return _CODE.sub(lambda code: SYMBOLS[code[1]] + code[2].replace("T", "10"), sentence)
