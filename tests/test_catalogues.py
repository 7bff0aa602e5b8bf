"""Every room's and every game's catalogue: all languages say the same, and every text is shown somewhere."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from ledger.cards import PACK_52, SYMBOLS, UNKNOWN
from ledger.i18n import LANGUAGES, Words, catalogue, sentence, word
from ledger.text.cards import value_text
from tests.catalogues import FOLDERS, IDS, ROOT, fields, sentences

ASKED = re.compile(r"""["']([A-Za-z0-9_.-]+)(\{|["'] ~|["'])""")
"""A key, or the beginning of one that ends with a word of the record."""

WORDS_ASKED = re.compile(r"""known\(\s*["']([a-z_]+)["']""")
"""A table of the catalogue that is asked for a word of the record."""

CODE = (".py", ".html", ".sql")
GAMES = ROOT / "ledger" / "games"
KERNEL = GAMES / "kernel"
OMBRE = "ledger.games.ombre"


def test_the_catalogues_of_the_rooms_are_found() -> None:
    assert {"ledger/text", "ledger/plots", "ledger/games/ombre"} <= set(IDS)
    assert any(name.startswith("tests/thirdparty/") for name in IDS)


def test_a_catalogue_is_read_as_the_program_reads_it() -> None:
    for folder, name in zip(FOLDERS, IDS, strict=True):
        if name.startswith("ledger"):
            for lang in LANGUAGES:
                assert catalogue(name.replace("/", "."), lang) == sentences(folder, lang)


@pytest.mark.parametrize("folder", FOLDERS, ids=IDS)
def test_every_language_has_the_same_texts(folder: Path) -> None:
    assert {path.name for path in folder.iterdir()} == {f"{lang}.toml" for lang in LANGUAGES}
    english = sentences(folder, "en")
    for lang in LANGUAGES:
        other = sentences(folder, lang)
        assert list(other) == list(english)
        assert {key: fields(text) for key, text in other.items()} == {
            key: fields(text) for key, text in english.items()
        }


OF_A_PAGE = ("when.", "what_to_do.")
"""Sentences of docs/errors.md, which tools/errors.py asks for."""

OF_OTHERS = ("library.", "condition.", "kind.")
"""What libraries say, which is known by the sentence itself: tests/test_foreign.py."""

OF_SQL = ("ledger/history/model", "ledger/history/questions")
"""What these tell stands under the names of tables and columns: tests/history/test_words.py."""


@pytest.mark.parametrize("folder", [folder for folder, name in zip(FOLDERS, IDS, strict=True) if name not in OF_SQL])
def test_every_text_is_asked_for_somewhere(folder: Path) -> None:
    english = sentences(folder, "en")
    put_in = {f"between_{field}" for text in english.values() for field in fields(text)}
    left = [key for key in english if key not in put_in and not key.startswith(OF_A_PAGE + OF_OTHERS)]
    assert [key for key in left if not is_asked_for(key, folder.parent)] == []


@pytest.mark.parametrize("shown", [*PACK_52, UNKNOWN, *SYMBOLS])
def test_a_card_is_written_in_a_sentence_as_beside_it(shown: str) -> None:
    words = Words("wrong_upcard", {"seat": None, "card": shown})
    assert sentence(OMBRE, words, [], "ja").startswith(f"めくられた{value_text(shown)}は")
    assert sentence(OMBRE, words, []).startswith(f"{value_text(shown)} was turned up")


def test_a_word_without_an_entry_is_shown_as_it_was_recorded() -> None:
    assert word(OMBRE, "entrada", "ja") == "エントラダ"
    assert [word(OMBRE, "tarot", lang) for lang in LANGUAGES] == ["tarot", "tarot"]


def is_asked_for(key: str, room: Path) -> bool:
    """Whether the key is named whole, begun, or, in a game, in two words: `bad_deal` with `found="hand"`."""
    is_game = (room / "rules.md").exists()
    whole, begun = asked_in(room, KERNEL) if is_game else asked_in(ROOT / "ledger")
    if is_game and key == "nobody":  # asked for by every sentence
        return True
    if is_game and key.startswith("options."):  # asked for by every receipt, as its contract knows
        return True
    # Reasons of a report are keys without its name; words of a game are what it records.
    if {key, key.removeprefix("session."), key.removeprefix("words.")} & whole:
        return True
    if any(key.startswith(begin) and is_word(key.removeprefix(begin)) for begin in begun):
        return True
    return is_game and any(
        key[:place] in whole and key[place + 1 :] in whole for place, sign in enumerate(key) if sign == "_"
    )


def is_word(end: str) -> bool:
    """Whether the code has this word to end a key with: as it is, for one of them, or with blanks in it."""
    return bool({end, end.removesuffix("s"), end.replace("_", " ")} & words_of_the_code())


@cache
def words_of_the_code() -> frozenset[str]:
    rooms = (ROOT / "ledger", ROOT / "tests" / "thirdparty")
    paths = (path for room in rooms for path in room.rglob("*") if path.suffix in CODE)
    return frozenset(
        word
        for source in (path.read_text(encoding="utf-8") for path in paths)
        for form in (r"\w[\w-]*", r"(?<=\")\w+(?: \w+)+(?=\")")
        for word in re.findall(form, source)
    )


@cache
def asked_in(*rooms: Path) -> tuple[frozenset[str], tuple[str, ...]]:
    paths = [path for room in rooms for path in room.rglob("*") if path.suffix in CODE]
    sources = [path.read_text(encoding="utf-8") for path in paths]
    asked = [found for source in sources for found in ASKED.findall(source)]
    tables = {f"{table}." for source in sources for table in WORDS_ASKED.findall(source)}
    whole = frozenset(key for key, goes_on in asked if goes_on in ('"', "'"))
    return whole, tuple(
        {key for key, goes_on in asked if goes_on not in ('"', "'") and key.endswith(("_", "."))} | tables
    )
