"""Names of persons, clubs and places: whether they can be read, the one form in which they are kept, who is meant."""

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
"""Control characters, halves of characters and line breaks, by their Unicode category."""

_INVISIBLE: Final = _BREAKING | {"Cf", "Zs", "Mn", "Mc", "Me"}
"""Categories of what shows nothing alone: blanks, marks of direction and joining, accents without a letter."""

_JOINERS: Final = frozenset("\u200c\u200d")
"""ZWNJ and ZWJ, which Arabic and Indic scripts and emoji need between their signs."""

_VIRAMA: Final = 9
"""The combining class of what joins two consonants of an Indic script."""

_VARIED: Final = ("CJK ", "MONGOLIAN ", "MYANMAR ", "PHAGS-PA ")
"""Letters with variants by Unicode name: a variation selector may follow these and symbols, and no other letter."""

_LIKE: Final = 0.7
"""From which likeness on (`difflib`) a name is taken for what was meant: 1 letter in 3 may be another one."""

_MEANT: Final = 3
"""So many names that may be meant are told."""

_BLANK_LETTERS: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols of which nothing is shown: Hangul fillers and the empty Braille cell."""

_BLANK_MARKS: Final = frozenset("\u034f\u17b4\u17b5")
"""Marks of which nothing is shown: the combining grapheme joiner and the inherent vowels of Khmer."""


_ACCENTS: Final = dict.fromkeys(range(0x300, 0x370))
"""Combining accents; the marks of kana and of Indic scripts make other letters and stay."""

_STROKES: Final = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe"})
"""Letters with an accent that Unicode does not take apart; all of them small."""


def readable_name(field: Text, text: str) -> str:
    """Return the name in NFC; raise `MalformedError` where somebody could not see all of it.

    As `kept_name`, and no sign may be invisible, turn the direction of the text or be a byte-order mark.
    """
    name = normalised_name(field, text)
    if (sign := _hidden_sign(name)) is not None:
        raise MalformedError(field, _phrase("value.name_without", sign=f"U+{ord(sign):04X}"), text)
    return name


def normalised_name(field: Text, text: str) -> str:
    """Return a name that may be recorded already in NFC; raise `MalformedError` where no version ever recorded it.

    Such a name shows nothing, or holds a control character or a line break.
    """
    kinds = [unicodedata.category(sign) for sign in text if sign not in _BLANK_LETTERS]
    if _INVISIBLE.issuperset(kinds) or not _BREAKING.isdisjoint(kinds):
        raise MalformedError(field, _phrase("value.name"), text)
    return unicodedata.normalize("NFC", text)


def _hidden_sign(name: str) -> str | None:
    """Return the first sign that nobody can see and that the script around it does not need."""
    base = before = " "
    for sign, after in zip(name, f"{name[1:]} ", strict=True):
        if _is_hidden(sign, base, before, after):
            return sign
        before = sign
        if unicodedata.category(sign) != "Mn":
            base = sign
    return None


def _is_hidden(sign: str, base: str, before: str, after: str) -> bool:
    """`base`: the last sign before this one that is no mark."""
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
    """A text as it is compared: small letters, one blank between words."""
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
    """Return what names are sorted by: the letters in the order of the language, without accents that it ignores.

    Kana of both kinds are one letter; other letters are sorted by Unicode. Close to UTS 10 without its tables.
    """
    places = alphabet(lang)
    letters = [letter if letter in places else spelt(fold_name(letter)) for letter in folded(name)]
    return [(places.get(letter, 0), letter) for letter in "".join(letters)], name


def fitting(names: Sequence[str], name: str) -> list[int]:
    """Return the places of the names that are meant: a whole name, else the beginning of a name, else that of a word.

    All of them are `folded`. A name typed without accents fits one that has them. Accents that are typed count first.
    """
    return next(filter(None, _fits(names, name)), []) if name else []


def _fits(names: Sequence[str], name: str) -> Iterator[list[int]]:
    """Yield the places that fit in each way, the surest way first."""
    yield [place for place, known in enumerate(names) if known == name]
    bare_names, bare = [fold_name(known) for known in names], fold_name(name)
    yield [place for place, known in enumerate(bare_names) if known == bare]
    spellings = [(bare_names, bare)] if bare == name else [(names, name), (bare_names, bare)]
    for known_names, text in spellings:
        yield [place for place, known in enumerate(known_names) if known.startswith(text)]
    for known_names, text in spellings:
        yield [place for place, known in enumerate(known_names) if f" {text}" in known]


def only_fit(name: str, known: Iterable[str]) -> str | None:
    """Return the only known name that this whole name fits, whatever its case and accents; None: no name or several."""
    names = list(dict.fromkeys(known))
    if name in names:
        return name
    fits = [one for one in names if folded(one) == folded(name)] or [
        one for one in names if fold_name(one) == fold_name(name)
    ]
    return fits[0] if len(fits) == 1 else None


def meant(typed: str, known: Iterable[str]) -> list[str]:
    """The names that may be meant after a slip of the pen, the likeliest first: those spelled alike, else those that
    hold all that was asked; none where there is none.
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
    """What a message says of a name that there is not: which may be meant, or, where none is near, something else."""
    close = meant(typed, known)
    return perhaps(close) if close else otherwise


def perhaps(names: Sequence[str]) -> Text:
    """That these may be meant."""
    return _phrase("list.perhaps", names=listed(names))
