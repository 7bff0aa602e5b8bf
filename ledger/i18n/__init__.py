"""Message catalogues: sentences by key, in each language. Each package brings its own under `messages/`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Final, Protocol, TypeAlias

from msgspec import Struct

from ledger.i18n.languages import CATEGORIES, DEFAULT, LANGUAGES, plural_categories, plural_category, tables_of

__all__ = [
    "LANGUAGES", "Finished", "Label", "Phrase", "PhraseMaker", "Plural", "Text", "Words", "WordsOf", "as_written",
    "catalogue", "in_words", "labels", "one_of", "phrases", "plural_forms", "sentence", "with_signs", "word", "written",
]  # fmt: skip

_SUITS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
_SIGNS: Final = _SUITS | {
    suit + rank: sign + rank.replace("T", "10") for suit, sign in _SUITS.items() for rank in "AKQJT98765432"
}
"""Suits and cards as people read them."""

_SEATS: Final = frozenset(("seat", "due", "winner"))
"""The values of a sentence that are seats and are shown as names."""


class Words(Struct, frozen=True, gc=False):
    """A sentence without a language yet: a key of the game's catalogue and the values of its placeholders.

    A value may be such a sentence itself, or a list of them.
    """

    key: str
    values: Mapping[str, Any] = {}


class WordsOf(Words, frozen=True, gc=False, kw_only=True):
    """A sentence from the catalogue of another package than the game's."""

    package: str


class Plural(str):
    """A text with a form for each plural category: `{ one = "{count} table", other = "{count} tables" }`.

    As a plain string it is the form `other`. `by` names the value that is counted, by default `count`.
    """

    lang: str
    forms: Mapping[str, str]
    by: str

    def __new__(cls, lang: str, forms: Mapping[str, str]) -> Plural:
        plural = super().__new__(cls, forms["other"])
        plural.lang, plural.forms, plural.by = lang, forms, forms.get("by", "count")
        return plural

    def form(self, values: Mapping[str, Any]) -> str:
        """Return the plural form for the counted value, which may contain thousands separators."""
        number = str(values.get(self.by, "")).replace(",", "")
        return self.forms.get(plural_category(self.lang, int(number)), str(self)) if number.isdecimal() else str(self)


@cache
def catalogue(package: str, lang: str) -> Mapping[str, str]:
    """Return the sentences of one package in one language, by key: `key`, or `table.key` if the file has tables.

    A key or a catalogue that the language lacks is in English.
    """
    sentences = {} if lang == DEFAULT else dict(catalogue(package, DEFAULT))
    for key, value in tables_of(package, lang).items():
        if (package, key) == (__name__, "language"):
            continue
        if isinstance(value, dict) and not _is_plural(value):
            sentences |= {f"{key}.{name}": _text(lang, text) for name, text in value.items()}
        else:
            sentences[key] = _text(lang, value)
    return sentences


def _text(lang: str, value: str | Mapping[str, str]) -> str:
    return value if isinstance(value, str) else Plural(lang, value)


def _is_plural(table: Mapping[str, Any]) -> bool:
    return "other" in table and table.keys() <= {*CATEGORIES, "by"}


def _filled(text: str, values: Mapping[str, Any]) -> str:
    return (text.form(values) if isinstance(text, Plural) else text).format(**values)


def sentence(package: str, words: Words, players: Sequence[str], lang: str = "en", *, is_written: bool = False) -> str:
    """Return the sentence in a language, with players' names for seats and the language's words for recorded words.

    Lists are joined by spaces, or by the catalogue's text `between_` plus the value's name. `is_written`: use the
    wording of running text, and the catalogue's `written` sentence if it has one.
    """
    package = words.package if isinstance(words, WordsOf) else package
    values = {key: _shown(package, key, value, players, lang, is_written) for key, value in words.values.items()}
    variant = words.values.get("found")
    key = words.key if variant is None else f"{words.key}_{variant}"
    texts = catalogue(package, lang)
    text = texts.get(f"written.{key}") if is_written else None
    return _filled(text or texts[key], values)


def word(package: str, recorded: str, lang: str = "en") -> str:
    """Return the language's word for a recorded one (a call, a contract, a result, a phase), else that word."""
    return catalogue(package, lang).get(f"words.{recorded}", recorded)


def as_written(said: str) -> str:
    """Format a recorded word for running text: `yield_exchange` as `yield exchange`, `ALL_PASS` as `all pass`."""
    parted = said.replace("_", " ")
    return parted.lower() if parted.isascii() and parted.isupper() else parted


def written(package: str, table: str, name: str, lang: str, recorded: str) -> str:
    """Return the language's running-text word for a recorded name.

    Look in the catalogue's table `written`, then in `table`, then use `recorded`. Cards and suits stay as they are.
    """
    if recorded in _SIGNS:
        return recorded
    texts = catalogue(package, lang)
    return texts.get(f"written.{name}") or as_written(texts.get(f"{table}.{name}", recorded))


class Label(Protocol):
    """A function that returns the text of a key in a language, with values filled in."""

    def __call__(self, lang: str, key: str, /, **values: Any) -> str: ...


def labels(package: str) -> Label:
    """Return a function for the texts of a package that has no seats in its sentences."""

    def label(lang: str, key: str, /, **values: Any) -> str:
        return _filled(catalogue(package, lang)[key], {name: _written(value) for name, value in values.items()})

    return label


def plural_forms(package: str, lang: str, key: str, /, **values: Any) -> Mapping[str, str]:
    """Return a text in every plural category of a language, for scripts that count themselves."""
    text = catalogue(package, lang)[key]
    if not isinstance(text, Plural):
        return {"other": text.format(**values)}
    known = plural_categories(text.lang)
    return {category: text.forms[category].format(**values) for category in known if category in text.forms}


class Phrase(Struct, frozen=True, gc=False):
    """A sentence of a package's catalogue, or a part of one, without a language yet; errors are made of them.

    Values are filled in by `str.format`, so a catalogue may write `{size:,}` or `{text!r}`. A phrase among the values
    is rendered in the same language, a tuple as a list.
    """

    package: str
    key: str
    values: Mapping[str, Any] = {}

    def in_words(self, lang: str = "en") -> str:
        """Return the sentence in a language."""
        values = {name: _value_in_words(value, lang) for name, value in self.values.items()}
        return _filled(catalogue(self.package, lang)[self.key], values)

    def __str__(self) -> str:
        return self.in_words()


class TranslatedPhrase(Phrase, frozen=True, gc=False):
    """A sentence that comes complete in every language: `values` has it by language."""

    def in_words(self, lang: str = "en") -> str:
        """Return the sentence of a language."""
        return str(self.values[lang])


Text: TypeAlias = str | Phrase
"""A phrase, or text that is never translated: names, text written by people, and complete sentences."""


def in_words(text: Text, lang: str = "en") -> str:
    """Return a text in a language."""
    return text if isinstance(text, str) else text.in_words(lang)


class PhraseMaker(Protocol):
    """A function that makes a phrase from a key and its values."""

    def __call__(self, key: str, /, **values: Any) -> Phrase: ...


def phrases(package: str) -> PhraseMaker:
    """Return a function that makes phrases from a package's catalogue."""

    def phrase(key: str, /, **values: Any) -> Phrase:
        return Phrase(package, key, values)

    return phrase


def one_of(known: Iterable[object]) -> Phrase:
    """Return a phrase that lists alternatives: `a, b or c`."""
    first, *others = (one if isinstance(one, Phrase) else str(one) for one in known)
    alternatives = Phrase(__name__, "list.first", {"word": first})
    for other in others:
        alternatives = Phrase(__name__, "list.or", {"words": alternatives, "word": other})
    return alternatives


def _value_in_words(value: Any, lang: str) -> Any:
    if isinstance(value, Phrase):
        return value.in_words(lang)
    if isinstance(value, tuple):
        return catalogue(__name__, lang)["list.between"].join(str(_value_in_words(item, lang)) for item in value)
    return value


def _shown(package: str, key: str, value: Any, players: Sequence[str], lang: str, is_written: bool) -> str:
    if key in _SEATS:
        return catalogue(package, lang)["nobody"] if value is None else players[value]
    if isinstance(value, list | tuple):
        between = catalogue(package, lang).get(f"between_{key}", " ")
        return between.join(_shown(package, key, one, players, lang, is_written) for one in value)
    if isinstance(value, Words):
        return sentence(package, value, players, lang, is_written=is_written)
    if isinstance(value, str):
        shown = written(package, "words", value, lang, value) if is_written else word(package, value, lang)
        return with_signs(shown)
    return _written(value)


def with_signs(text: str) -> str:
    """Return a card or a suit as people read it, `ST` as ♠10; return any other text, `??` too, unchanged."""
    return _SIGNS.get(text, text)


def _written(value: Any) -> str:
    if value is None:
        return "–"
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
