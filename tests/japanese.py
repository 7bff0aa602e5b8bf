"""Checks of Japanese sentences: no words of another language, no card codes."""

import re
from collections.abc import Iterable, Iterator

from ledger.errors import MalformedError
from ledger.i18n import Phrase, Text, TranslatedPhrase, in_words

_FOREIGN = re.compile(r"[A-Za-z_]{2,}|[SHDC][2-9]")
_QUOTED = re.compile(r"'[^']*'")
_JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")


def assert_wholly_japanese(text: str, names: Iterable[str]) -> None:
    """Assert that only players' names are in Latin letters, and that no blank precedes or follows a name."""
    assert _JAPANESE.search(text), text
    for name in sorted(names, key=len, reverse=True):
        assert not re.search(rf" {re.escape(name)}|{re.escape(name)} ", text), text
        text = text.replace(name, "")
    assert not _FOREIGN.search(text), text


_KNOWN = ("JSON", "UTF-8", "UTF-16", "Unicode", "UUID", "UTC", "ID", "TOML", "SQL", "base64", "null")
"""Terms that Japanese uses unchanged."""


def assert_has_japanese(text: Text, *names: str) -> None:
    """Assert that the text comes from a catalogue and is Japanese, except for values, quotations and `names`."""
    assert isinstance(text, Phrase), f"in one language only: {text}"
    japanese = in_words(text, "ja")
    assert _JAPANESE.search(japanese) or japanese in _KNOWN, japanese
    for part in sorted({*_KNOWN, *values_in(text), *names}, key=len, reverse=True):
        japanese = japanese.replace(part, "")
    assert not _FOREIGN.search(_QUOTED.sub("", japanese)), in_words(text, "ja")


def assert_speaks_japanese(error: MalformedError, *names: str) -> None:
    """Assert that an error states the fault and the expectation in Japanese; a field alone is a path."""
    if error.what != error.faulty_field:
        assert_has_japanese(error.what, *names)
    if isinstance(error.expected, Phrase):
        assert_has_japanese(error.expected, *names)
    else:
        assert not error.expected or not re.search(r"[a-z] [a-z]", error.expected), error.expected


def values_in(text: object) -> Iterator[str]:
    """Yield the values that a sentence shows unchanged."""
    if isinstance(text, TranslatedPhrase):
        return
    if isinstance(text, Phrase):
        for value in text.values.values():
            yield from values_in(value)
    elif isinstance(text, tuple):
        for value in text:
            yield from values_in(value)
    else:
        yield str(text)
