"""The languages with a catalogue: their names, plural categories and alphabets.

All of it is in the table `language` of the catalogue of `ledger.i18n`, so a new language needs no code.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

PACKAGE: Final = "ledger.i18n"
DEFAULT: Final = "en"
"""The language of every text that another language lacks."""

CATEGORIES: Final = ("zero", "one", "two", "few", "many", "other")
"""The plural categories of CLDR; every language has `other`."""

_RELATION: Final = re.compile(r"([nivwftce])(?: % (\d+))? (!?=) ([\d.,]+)")
"""A relation of a CLDR plural rule: `i % 10 = 2..4` (UTS 35, part 3, 5.1)."""


def _languages() -> tuple[str, ...]:
    catalogues = (path.name for path in files(PACKAGE).joinpath("messages").iterdir())
    others = {name.removesuffix(".toml") for name in catalogues if name.endswith(".toml")} - {DEFAULT}
    return DEFAULT, *sorted(others)


LANGUAGES: Final = _languages()
"""The language codes; the first is the default."""


@cache
def tables_of(package: str, lang: str) -> Mapping[str, Any]:
    """Return a catalogue as its file has it; empty if the package has none in this language."""
    source = files(package).joinpath("messages", f"{lang}.toml")
    if lang != DEFAULT and not source.is_file():
        return {}
    return tomllib.loads(source.read_text(encoding="utf-8"))


@cache
def language_names() -> Mapping[str, str]:
    """Return each language's own name, by its code."""
    return {lang: _facts(lang)["name"] for lang in LANGUAGES}


@cache
def alphabet(lang: str) -> Mapping[str, int]:
    """Return the positions of letters in the language's own order; empty if it has no such order."""
    return {letter: place for place, letter in enumerate(_facts(lang).get("alphabet", ""), 1)}


def is_wide(lang: str) -> bool:
    """Return whether the letters of the language are twice as wide as Latin ones."""
    return bool(_facts(lang).get("is_wide", False))


def plural_category(lang: str, number: int) -> str:
    """Return the CLDR category for a whole number of things in the language."""
    return next((category for category, fits in _rules(lang) if fits(abs(number))), "other")


def plural_categories(lang: str) -> tuple[str, ...]:
    """Return the plural categories that the language distinguishes."""
    return *(category for category, _ in _rules(lang)), "other"


def _facts(lang: str) -> Mapping[str, Any]:
    facts: Mapping[str, Any] = tables_of(PACKAGE, lang)["language"]
    return facts


@cache
def _rules(lang: str) -> tuple[tuple[str, Callable[[int], bool]], ...]:
    rules: Mapping[str, str] = _facts(lang).get("plurals", {})
    return tuple((category, plural_rule(rules[category])) for category in CATEGORIES if category in rules)


def plural_rule(rule: str) -> Callable[[int], bool]:
    """Compile a rule in the syntax of CLDR's `plurals.xml`, without its examples, to a test of whole numbers.

    Only the operands n and i have a value for whole numbers; the others describe decimals and are 0.
    """
    alternatives = [[_relation(one) for one in part.split(" and ")] for part in rule.strip().split(" or ")]
    return lambda number: any(all(fits(number) for fits in conditions) for conditions in alternatives)


def _relation(text: str) -> Callable[[int], bool]:
    match = _RELATION.fullmatch(text.strip())
    assert match is not None, f"not a relation of a plural rule: {text}"
    operand, modulus, sign, listed = match.groups()
    values: set[int] = set()
    for part in listed.split(","):
        first, _, last = part.partition("..")
        values.update(range(int(first), int(last or first) + 1))

    def fits(number: int) -> bool:
        value = number if operand in "ni" else 0
        return ((value % int(modulus) if modulus else value) in values) == (sign == "=")

    return fits
