"""The catalogue of what people read: every language says the same, and every text is shown somewhere."""

from __future__ import annotations

import re
from pathlib import Path
from string import Formatter

import pytest

import ledger
from ledger.i18n import LANGUAGES, catalogue

ROOT = Path(ledger.__file__).parent
ASKED = re.compile(r"""["'](revoke\.(?=\{)|(?:(?:case|revoke|session)\.)?[a-z_]+)(\{|["'] ~)?""")
"""A key, or the beginning of one that ends with a word of the record."""


def fields(text: str) -> set[str | None]:
    return {field for _, field, _, _ in Formatter().parse(text) if field is not None}


@pytest.mark.parametrize("package", ["ledger.text", "ledger.plots"])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_language_has_the_same_texts(package: str, lang: str) -> None:
    english, other = catalogue(package, "en"), catalogue(package, lang)
    assert list(other) == list(english)
    assert {key: fields(text) for key, text in other.items()} == {key: fields(text) for key, text in english.items()}


def test_every_text_is_asked_for_somewhere() -> None:
    paths = [path for room in ("text", "reports") for path in (ROOT / room).rglob("*")]
    sources = [path.read_text(encoding="utf-8") for path in paths if path.suffix in (".py", ".html")]
    asked = [found for source in sources for found in ASKED.findall(source)]
    whole = {key for key, goes_on in asked if not goes_on}
    begun = tuple(key for key, goes_on in asked if goes_on)
    keys = catalogue("ledger.text", "en")
    # Reasons of a report are keys without its name.
    assert [key for key in keys if not {key, key.removeprefix("session.")} & whole and not key.startswith(begun)] == []
