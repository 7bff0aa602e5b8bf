"""The catalogue of what people read: every language says the same, and every text is shown somewhere."""

from __future__ import annotations

import re
from pathlib import Path
from string import Formatter
from typing import get_args

import pytest
from msgspec import Struct

import ledger
from ledger import events
from ledger.games.kernel.findings import Severity
from ledger.games.kernel.views import DealStatus
from ledger.i18n import LANGUAGES, catalogue
from ledger.text.words import Wording, counted

ROOT = Path(ledger.__file__).parent
ASKED = re.compile(r"""["']((?:[a-z_]+\.)?[a-z_]*)(\{|["'] ~)?""")
"""A key, or the beginning of one that ends with a word of the record."""
WORDS_ASKED = re.compile(r"""known\(\s*["']([a-z_]+)["']""")
"""A table of the words that the record has."""
COUNTED = re.compile(r"""counted\([^"']*["']([a-z_]+)["']""")


def fields(text: str) -> set[str | None]:
    return {field for _, field, _, _ in Formatter().parse(text) if field is not None}


@pytest.mark.parametrize("package", ["ledger.text", "ledger.plots"])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_language_has_the_same_texts(package: str, lang: str) -> None:
    english, other = catalogue(package, "en"), catalogue(package, lang)
    assert list(other) == list(english)
    assert {key: fields(text) for key, text in other.items()} == {key: fields(text) for key, text in english.items()}


def test_every_text_is_asked_for_somewhere() -> None:
    paths = [path for room in ("text", "reports", "cli") for path in (ROOT / room).rglob("*")]
    sources = [path.read_text(encoding="utf-8") for path in paths if path.suffix in (".py", ".html")]
    asked = [found for source in sources for found in ASKED.findall(source)]
    whole = {key for key, goes_on in asked if not goes_on}
    nouns = {noun for source in sources for noun in COUNTED.findall(source)}
    whole |= {f"count.{noun}{plural}" for noun in nouns for plural in ("", "s")}
    begun = {key for key, goes_on in asked if goes_on and key} - {"count."}
    begun |= {f"{table}." for source in sources for table in WORDS_ASKED.findall(source)}
    keys = catalogue("ledger.text", "en")
    # Reasons of a report are keys without its name.
    unasked = [key for key in keys if not {key, key.removeprefix("session.")} & whole]
    assert [key for key in unasked if not key.startswith(tuple(begun))] == []


def words_of(table: str) -> set[str]:
    return {key.partition(".")[2] for key in catalogue("ledger.text", "en") if key.startswith(f"{table}.")}


def test_what_the_record_can_say_has_its_words() -> None:
    types = [*get_args(events.Event), *get_args(events.Recordable)]
    structs = {one for one in types if isinstance(one, type) and issubclass(one, Struct)}
    assert words_of("kind") == {one.__struct_config__.tag for one in structs}
    assert words_of("field") >= {name for one in structs for name in one.__struct_fields__}
    assert words_of("legal") == {one.__struct_config__.tag for one in events.GAME_ACTION_TYPES}
    assert words_of("ruling_kind") == set(get_args(events.RulingKind))
    assert words_of("severity") == set(get_args(Severity))
    assert words_of("status") == set(get_args(DealStatus))


def test_numbers_choose_the_form_of_the_noun() -> None:
    assert [counted("en", number, "deal") for number in (0, 1, 2, 2000)] == [
        "0 deals",
        "1 deal",
        "2 deals",
        "2,000 deals",
    ]
    assert [counted("ja", number, "deal") for number in (1, 2)] == ["1ディール", "2ディール"]


def test_a_word_that_no_catalogue_has_is_shown_as_it_is() -> None:
    assert Wording("ja", "ledger.games.ombre").word("no_such_word") == "no_such_word"
    assert Wording("ja").known("phase", "no_such_phase") == "no_such_phase"
