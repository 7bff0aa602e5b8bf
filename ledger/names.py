"""Names of persons, clubs and places: legibility, normal form, and matching of typed names."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from typing import Final

from ledger.errors import MalformedError, listed
from ledger.i18n import Text, phrases
from ledger.i18n.languages import alphabet
from ledger.i18n.normalisation import spelt

_phrase: Final = phrases("ledger.i18n")

_BREAKING: Final = frozenset(("Cc", "Cs", "Zl", "Zp"))
"""The Unicode categories of control characters, surrogates and line breaks."""

_INVISIBLE: Final = _BREAKING | {"Cf", "Zs", "Mn", "Mc", "Me"}
"""The Unicode categories of characters invisible on their own: blanks, direction marks, joiners, combining marks."""

_JOINERS: Final = frozenset("\u200c\u200d")
"""ZWNJ and ZWJ, which Arabic and Indic scripts and emoji need between their characters."""

_VIRAMA: Final = 9
"""The combining class of the sign that joins two consonants of an Indic script."""

_VARIED: Final = ("CJK ", "MONGOLIAN ", "MYANMAR ", "PHAGS-PA ")
"""The Unicode names of letters with variants: a variation selector may follow only these and symbols."""

_LIKE: Final = 0.7
"""The least similarity (`difflib`) of a likely name: about 1 letter in 3 may differ."""

_MEANT: Final = 3
"""The most likely names that a message lists."""

_BLANK_LETTERS: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols without a visible shape: Hangul fillers and the empty Braille cell."""

_BLANK_MARKS: Final = frozenset("\u034f\u17b4\u17b5")
"""Marks without a visible shape: the combining grapheme joiner and the inherent vowels of Khmer."""


_ACCENTS: Final = dict.fromkeys(range(0x300, 0x370))
"""Combining accents; the marks of kana and of Indic scripts make other letters and stay."""

_STROKES: Final = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe"})
"""Lower-case letters with an accent that Unicode does not decompose."""


def readable_name(field: Text, text: str) -> str:
    """Return the name in NFC; raise `MalformedError` if a reader could not see all of it.

    As `normalised_name`; also no character may be invisible, change the text direction or be a byte-order mark.
    """
    name = normalised_name(field, text)
    if (sign := _hidden_sign(name)) is not None:
        raise MalformedError(field, _phrase("value.name_without", sign=f"U+{ord(sign):04X}"), text)
    return name


def normalised_name(field: Text, text: str) -> str:
    """Return a name that may be in the record already in NFC; raise `MalformedError` for one that no version ever
    recorded.

    Such a name shows nothing, or contains a control character or a line break.
    """
    kinds = [unicodedata.category(sign) for sign in text if sign not in _BLANK_LETTERS]
    if _INVISIBLE.issuperset(kinds) or not _BREAKING.isdisjoint(kinds):
        raise MalformedError(field, _phrase("value.name"), text)
    return unicodedata.normalize("NFC", text)


def _hidden_sign(name: str) -> str | None:
    """Return the first invisible character that the script around it does not need."""
    base = before = " "
    for sign, after in zip(name, f"{name[1:]} ", strict=True):
        if _is_hidden(sign, base, before, after):
            return sign
        before = sign
        if unicodedata.category(sign) != "Mn":
            base = sign
    return None


def _is_hidden(sign: str, base: str, before: str, after: str) -> bool:
    """Return whether a character is invisible; `base`: the last character before it that is not a mark."""
    if sign in _JOINERS:
        return not _is_joined(sign, base, before, after)
    if "VARIATION SELECTOR" in unicodedata.name(sign, ""):
        is_letter = unicodedata.category(before)[0] in "LMZ"
        return is_letter and not unicodedata.name(before, "").startswith(_VARIED)
    return unicodedata.category(sign) == "Cf" or sign in _BLANK_LETTERS or sign in _BLANK_MARKS


def _is_joined(joiner: str, base: str, before: str, after: str) -> bool:
    """Return whether a joiner changes what is displayed here; close to RFC 5892 (A.1, A.2) and UTS 51."""
    if _VIRAMA in (unicodedata.combining(before), unicodedata.combining(after)):
        return True
    if unicodedata.bidirectional(base) == unicodedata.bidirectional(after) == "AL":
        return True
    return joiner == "\u200d" and unicodedata.category(base)[0] == unicodedata.category(after)[0] == "S"


def folded(text: str) -> str:
    """Return the text for comparison: in lower case, with one blank between words."""
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


def fold_name(text: str) -> str:
    """Return the text as `folded`, its Latin, Greek and Cyrillic letters without accents: `Zoë` as `zoe`."""
    small = folded(text)
    if small.isascii():
        return small
    bare = unicodedata.normalize("NFD", small).translate(_ACCENTS)
    return unicodedata.normalize("NFC", bare).translate(_STROKES)


def sorted_names(names: Iterable[str], lang: str) -> list[str]:
    """Return the names in the alphabetical order of a language, whatever their case."""
    return sorted(names, key=lambda name: name_key(name, lang))


def name_key(name: str, lang: str) -> tuple[list[tuple[int, str]], str]:
    """Return the sort key of a name: its letters in the order of the language, without accents that it ignores.

    Hiragana and katakana count as one; other letters are sorted by Unicode. Close to UTS 10 without its tables.
    """
    places = alphabet(lang)
    letters = [letter if letter in places else spelt(fold_name(letter)) for letter in folded(name)]
    return [(places.get(letter, 0), letter) for letter in "".join(letters)], name


def fitting(names: Sequence[str], name: str) -> list[int]:
    """Return the indexes of the names that a typed name may stand for: equal, else beginning with it, else with a word
    that does.

    All of them are `folded`. A name typed without accents matches one with accents; typed accents are tried first.
    """
    return next(filter(None, _fits(names, name)), []) if name else []


def _fits(names: Sequence[str], name: str) -> Iterator[list[int]]:
    """Yield the indexes that match in each way, the surest way first."""
    yield [place for place, known in enumerate(names) if known == name]
    bare_names, bare = [fold_name(known) for known in names], fold_name(name)
    yield [place for place, known in enumerate(bare_names) if known == bare]
    spellings = [(bare_names, bare)] if bare == name else [(names, name), (bare_names, bare)]
    for known_names, text in spellings:
        yield [place for place, known in enumerate(known_names) if known.startswith(text)]
    for known_names, text in spellings:
        yield [place for place, known in enumerate(known_names) if f" {text}" in known]


def only_fit(name: str, known: Iterable[str]) -> str | None:
    """Return the only known name equal to this one except for case and accents; None if there are none or several."""
    names = list(dict.fromkeys(known))
    if name in names:
        return name
    fits = [one for one in names if folded(one) == folded(name)] or [
        one for one in names if fold_name(one) == fold_name(name)
    ]
    return fits[0] if len(fits) == 1 else None


def meant(typed: str, known: Iterable[str]) -> list[str]:
    """Return the known names that a misspelled one may stand for, the likeliest first: similar ones, else those that
    contain it.
    """
    by_spelling: dict[str, list[str]] = {}
    for name in known:
        by_spelling.setdefault(fold_name(name), []).append(name)
    spelled = fold_name(typed)
    close = get_close_matches(spelled, by_spelling, _MEANT, _LIKE)
    if not close and len(spelled) >= _MEANT:
        close = [spelling for spelling in by_spelling if spelled in spelling][:_MEANT]
    return [name for spelling in close for name in by_spelling[spelling]][:_MEANT]


def hint(typed: str, known: Iterable[str], otherwise: Text) -> Text:
    """Return the end of a message about an unknown name: the likely names, or something else if there are none."""
    close = meant(typed, known)
    return perhaps(close) if close else otherwise


def perhaps(names: Sequence[str]) -> Text:
    """Return a suggestion of these names."""
    return _phrase("list.perhaps", names=listed(names))
