"""Normal forms of typed text: signs of Asian and European keyboards as ASCII, and one spelling for comparisons.

Every table replaces one character by one, so that positions in the text stay valid.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import Final

from ledger.i18n import LANGUAGES, catalogue

_WIDE: Final = {chr(code): unicodedata.normalize("NFKC", chr(code)) for code in range(0xFF01, 0xFFEF)}
WIDTHS: Final = str.maketrans({"\u3000": " ", **{wide: sign for wide, sign in _WIDE.items() if len(sign) == 1}})
"""Full-width characters and the ideographic space as ASCII; half-width katakana as full-width."""

MARKS: Final = WIDTHS | str.maketrans(dict.fromkeys("‐‑‒–—―−", "-") | dict.fromkeys("‘’ʼ′", "'"))
"""`WIDTHS`, plus every dash and apostrophe as that of ASCII."""

_HIRAGANA: Final = {code: code + 0x60 for code in range(0x3041, 0x3097)}
_ACCENTS: Final = dict.fromkeys(range(0x300, 0x370))
_SPELLINGS: Final = MARKS | _HIRAGANA | str.maketrans({"ー": "", "ł": "l", "Ł": "l"})


def narrow(text: str) -> str:
    """Convert full-width characters to ASCII, `Ｂｏｂ　１０` to `Bob 10`; the result is in NFC."""
    return text if text.isascii() else unicodedata.normalize("NFC", text.translate(WIDTHS))


def spelt(text: str) -> str:
    """Fold a word for comparison: ignore case, width, accents, kind of kana and long marks."""
    if text.isascii():
        return text.lower()
    bare = unicodedata.normalize("NFD", text.translate(WIDTHS).casefold())
    return unicodedata.normalize("NFC", bare.translate(_ACCENTS)).translate(_SPELLINGS)


@cache
def ways_to_write(package: str, key: str) -> tuple[str, ...]:
    """Return the words that the catalogues of all languages list under a key, separated by commas, as `spelt`."""
    texts = (catalogue(package, lang).get(key, "") for lang in LANGUAGES)
    return tuple(dict.fromkeys(spelt(way.strip()) for text in texts for way in text.split(",")))
