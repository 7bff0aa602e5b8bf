"""What keyboards of other languages write for a sign of ASCII, and the one form in which what is typed is compared.

Every table here replaces one sign by one, so that a place in the text stays a place in it.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import Final

from ledger.i18n import LANGUAGES, catalogue

_WIDE: Final = {chr(code): unicodedata.normalize("NFKC", chr(code)) for code in range(0xFF01, 0xFFEF)}
WIDTHS: Final = str.maketrans({"\u3000": " ", **{wide: sign for wide, sign in _WIDE.items() if len(sign) == 1}})
"""Full-width signs and the blank as those of ASCII, half-width katakana as the usual ones."""

MARKS: Final = WIDTHS | str.maketrans(dict.fromkeys("‐‑‒–—―−", "-") | dict.fromkeys("‘’ʼ′", "'"))
"""The same, and each dash and apostrophe as that of ASCII."""

_HIRAGANA: Final = {code: code + 0x60 for code in range(0x3041, 0x3097)}
_ACCENTS: Final = dict.fromkeys(range(0x300, 0x370))
_SPELLINGS: Final = MARKS | _HIRAGANA | str.maketrans({"ー": "", "ł": "l", "Ł": "l"})


def narrow(text: str) -> str:
    """The text with each sign in its usual width, `Ｂｏｂ　１０` as `Bob 10`, in NFC."""
    return text if text.isascii() else unicodedata.normalize("NFC", text.translate(WIDTHS))


def spelt(text: str) -> str:
    """A word as it is compared: without case, width, accents, kind of kana and long marks."""
    if text.isascii():
        return text.lower()
    bare = unicodedata.normalize("NFD", text.translate(WIDTHS).casefold())
    return unicodedata.normalize("NFC", bare.translate(_ACCENTS)).translate(_SPELLINGS)


@cache
def ways_to_write(package: str, key: str) -> tuple[str, ...]:
    """Return the words that the catalogues of all languages list under a key, with commas between, as `spelt`."""
    texts = (catalogue(package, lang).get(key, "") for lang in LANGUAGES)
    return tuple(dict.fromkeys(spelt(way.strip()) for text in texts for way in text.split(",")))
