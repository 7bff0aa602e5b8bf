"""The catalogues: all languages say the same, every text is used, terms are those of docs/terms.txt."""

from __future__ import annotations

import re
import tomllib
import warnings
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from ledger.cards import PACK_52, SYMBOLS, UNKNOWN
from ledger.i18n import LANGUAGES, Words, catalogue, sentence, word
from ledger.text.cards import value_text
from tests.catalogues import FOLDERS, IDS, ROOT, fields, gaps, sentences
from tools.glossary import table_rows, terms

USED_KEY = re.compile(r"""["']([A-Za-z0-9_.-]+)(\{|["'] ~|["'])""")
"""A key, or the beginning of one that ends with a word of the record."""

USED_TABLE = re.compile(r"""known\(\s*["']([a-z_]+)["']""")
"""A table of the catalogue that is looked up by a word of the record."""

CODE = (".py", ".html", ".sql")
GAMES = ROOT / "ledger" / "games"
KERNEL = GAMES / "kernel"
OMBRE = "ledger.games.ombre"


def test_the_catalogues_of_all_rooms_are_collected() -> None:
    assert {"ledger/text", "ledger/plots", "ledger/games/ombre"} <= set(IDS)
    assert any(name.startswith("examples/") for name in IDS)


def test_a_catalogue_is_read_as_the_program_reads_it() -> None:
    for folder, name in zip(FOLDERS, IDS, strict=True):
        if name.startswith("ledger"):
            for lang in LANGUAGES:
                read = {**sentences(folder, "en"), **sentences(folder, lang)}
                assert catalogue(name.replace("/", "."), lang) == read


COMPLETE = ("en", "ja")
"""The languages that lack no text. For others a warning lists the gaps, and English is shown."""


@pytest.mark.filterwarnings("default:.* lacks :UserWarning")
@pytest.mark.parametrize("folder", FOLDERS, ids=IDS)
def test_languages_have_the_texts_of_english_in_its_order(folder: Path) -> None:
    assert {path.name for path in folder.iterdir()} <= {f"{lang}.toml" for lang in LANGUAGES}
    english = sentences(folder, "en")
    for lang in LANGUAGES:
        missing = [] if lang in COMPLETE else gaps(folder, lang)
        if missing:
            gap = "all texts" if len(missing) == len(english) else ", ".join(missing)
            warnings.warn(f"{folder.relative_to(ROOT)}/{lang}.toml lacks {gap}", stacklevel=1)
        wanted = [(key, fields(text)) for key, text in english.items() if key not in missing]
        assert [(key, fields(text)) for key, text in sentences(folder, lang).items()] == wanted


OF_A_PAGE = ("when.", "what_to_do.", "meaning.")
"""Sentences of docs/reference/errors.md and games.md, which tools/errors.py and tools/games.py use."""

OF_OTHERS = ("library.", "condition.", "kind.")
"""Messages of libraries, identified by their text: tests/test_validation.py."""

OF_SQL = ("ledger/history/model", "ledger/history/questions")
"""Texts stored under the names of tables and columns: tests/history/test_catalogue.py."""


@pytest.mark.parametrize("folder", [folder for folder, name in zip(FOLDERS, IDS, strict=True) if name not in OF_SQL])
def test_every_text_is_used_somewhere(folder: Path) -> None:
    english = sentences(folder, "en")
    put_in = {f"between_{field}" for text in english.values() for field in fields(text)}
    left = [key for key in english if key not in put_in and not key.startswith(OF_A_PAGE + OF_OTHERS)]
    assert [key for key in left if not is_used(key, folder.parent)] == []


def test_a_card_is_written_alike_inside_a_sentence_and_alone() -> None:
    for shown in (*PACK_52, UNKNOWN, *SYMBOLS):
        words = Words("wrong_upcard", {"seat": None, "card": shown})
        assert sentence(OMBRE, words, [], "ja").startswith(f"めくられた{value_text(shown)}は")
        assert sentence(OMBRE, words, []).startswith(f"{value_text(shown)} was turned up")


def test_a_word_without_an_entry_is_shown_as_it_was_recorded() -> None:
    assert word(OMBRE, "entrada", "ja") == "エントラダ"
    assert {word(OMBRE, "tarot", lang) for lang in LANGUAGES} == {"tarot"}


def is_used(key: str, room: Path) -> bool:
    """Return whether the code has the key, its beginning or, in a game, its two parts (`bad_deal`: `found="hand"`)."""
    is_game = (room / "rules.md").exists()
    whole, begun = keys_used_in(room, KERNEL) if is_game else keys_used_in(ROOT / "ledger")
    if is_game and key.startswith("written."):  # the wording for pages
        name = key.removeprefix("written.")
        return f"options.{name}" in sentences(room / "messages", "en") or is_used(name, room)
    if is_game and key == "nobody":  # used by every sentence
        return True
    if is_game and key.startswith("options."):  # used by every receipt
        return True
    # Keys of a report's reasons lack its name; words of a game are its record's words.
    if {key, key.removeprefix("session."), key.removeprefix("words.")} & whole:
        return True
    if any(key.startswith(begin) and is_word(key.removeprefix(begin)) for begin in begun):
        return True
    return is_game and any(
        key[:place] in whole and key[place + 1 :] in whole for place, sign in enumerate(key) if sign == "_"
    )


def is_word(end: str) -> bool:
    """Return whether the code has this word as the end of a key: unchanged, in the singular, or with blanks."""
    return bool({end, end.removesuffix("s"), end.replace("_", " ")} & words_of_the_code())


@cache
def words_of_the_code() -> frozenset[str]:
    rooms = (ROOT / "ledger", ROOT / "examples")
    paths = (path for room in rooms for path in room.rglob("*") if path.suffix in CODE)
    return frozenset(
        word
        for source in (path.read_text(encoding="utf-8") for path in paths)
        for form in (r"\w[\w-]*", r"(?<=\")\w+(?: \w+)+(?=\")")
        for word in re.findall(form, source)
    )


@cache
def keys_used_in(*rooms: Path) -> tuple[frozenset[str], tuple[str, ...]]:
    paths = [path for room in rooms for path in room.rglob("*") if path.suffix in CODE]
    sources = [path.read_text(encoding="utf-8") for path in paths]
    keys = [match for source in sources for match in USED_KEY.findall(source)]
    tables = {f"{table}." for source in sources for table in USED_TABLE.findall(source)}
    whole = frozenset(key for key, goes_on in keys if goes_on in ('"', "'"))
    return whole, tuple(
        {key for key, goes_on in keys if goes_on not in ('"', "'") and key.endswith(("_", "."))} | tables
    )


LIST = (ROOT / "docs" / "terms.txt").read_text(encoding="utf-8")
RULEBOOKS = sorted((ROOT / "ledger" / "games").glob("*/rules.md"))
PAGES = sorted((ROOT / "docs" / "ja").rglob("*.md"))
JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
NAMES = ("seat", "due", "winner", "name", "player", "best", "worst")


class Term(NamedTuple):
    """A line of the list: words by language, Japanese words to avoid, where the term holds, where it is defined."""

    english: tuple[str, ...]
    japanese: tuple[str, ...]
    never: tuple[str, ...]
    games: tuple[str, ...]
    defined: tuple[str, ...]


@cache
def terms_of(folder: Path) -> list[Term]:
    """Return the terms that hold in the room of a folder."""
    room = folder.parent.name.removeprefix("trickledger_")
    holding = {"all", room} if (folder.parent / "rules.md").exists() else {"all", room, "rooms"}
    return [term for term in TERMS if holding & set(term.games)]


def parts(cell: str) -> tuple[str, ...]:
    return tuple(filter(None, re.split(r"\s*[,、;]\s*", cell.strip())))


TERMS = [Term(*map(parts, cells[:5])) for cells in terms(LIST.partition("# In the glossary only")[0])]


def glossary(rulebook: Path) -> list[list[str]]:
    text = rulebook.read_text(encoding="utf-8")
    return list(table_rows(text[text.index("## 15. Glossary") :]))


TYPED = re.compile(
    r"of the contract|as the contract writes|deltas and pool|trickledger \w+|\{[^}]*\}|(?<=\s)[A-Z]{2,}\b"
)
"""Parts of a sentence that are no words: commands, fields, values, typed text, terms of the contract."""


def has_term(english: str, said: str) -> bool:
    """Return whether a sentence contains the term as separate words."""
    pattern = rf"(?<![\w.-]){re.escape(english)}(?:s|es)?(?![\w-])"
    return english.lower() in said.lower() and re.search(pattern, said, re.IGNORECASE) is not None


def against_the_terms(english: Mapping[str, str], japanese: Mapping[str, str], terms: list[Term]) -> list[object]:
    """Return the texts in which a term is not written as the list says."""
    other = [
        (key, english[key], japanese[key], term.japanese)
        for key in english
        for said in [TYPED.sub("", english[key])]
        for term in terms
        if any(has_term(word, said) for word in term.english)
        if not any(word in japanese[key] for word in term.japanese)
    ]
    said = {key: text for key, text in japanese.items() if not key.startswith("called.")}  # what may be typed
    return other + [
        (key, text, never) for key, text in said.items() for term in terms for never in term.never if never in text
    ]


RETIRED: dict[str, str] = tomllib.loads(Path(__file__).with_name("retired.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("folder", FOLDERS, ids=IDS)
def test_terms_follow_the_list_and_no_forbidden_or_retired_word_is_used(folder: Path) -> None:
    said = {key: text for key, text in sentences(folder, "ja").items() if not key.startswith("called.")}
    assert [(key, text, word) for key, text in said.items() for word in RETIRED if re.search(RETIRED[word], text)] == []
    assert against_the_terms(sentences(folder, "en"), sentences(folder, "ja"), terms_of(folder)) == []


def test_no_japanese_page_uses_a_word_that_the_terms_forbid() -> None:
    """Words of every game and of the program, in the pages of docs/ja without their code."""
    never = {word for term in TERMS if {"all", "rooms"} & set(term.games) for word in term.never}
    patterns = [*map(re.escape, never), *RETIRED.values()]
    code = re.compile("```.*?```|`[^`]*`", re.DOTALL)
    pages = {path: code.sub("", path.read_text(encoding="utf-8")) for path in PAGES}
    assert [(path.name, word) for path, text in pages.items() for word in patterns if re.search(word, text)] == []


@pytest.mark.parametrize("rulebook", RULEBOOKS, ids=[path.parent.name for path in RULEBOOKS])
def test_every_japanese_word_of_a_glossary_is_on_the_list(rulebook: Path) -> None:
    known = {word for term in TERMS for word in term.japanese}
    words = {word for cells in glossary(rulebook) for word in re.split(r"[,\u3001;\uff1b/]", cells[1])}
    words = {re.sub(r"\(?\b[A-Z]?[a-z].*|[ ()\uff08\uff09]", "", word) for word in words if JAPANESE.search(word)}
    assert {word for word in words if not any(word in one for one in known)} == set()


def test_every_line_says_where_it_holds_and_where_it_comes_from() -> None:
    games = {folder.parent.name.removeprefix("trickledger_") for folder in FOLDERS}
    prefixes = {path.parent.name: path.read_text(encoding="utf-8") for path in RULEBOOKS}
    for term in TERMS:
        assert term.english and term.japanese and set(term.games) <= {"all", "rooms", *games}, term
        assert term.defined == ("here",) or all(
            any(f"**{name.split('-')[0]}-" in text for text in prefixes.values()) and name.endswith("-15")
            for name in term.defined
        ), term


def test_no_english_term_has_two_lines_for_one_game() -> None:
    terms = [(word.lower(), game) for term in TERMS for word in term.english for game in term.games]
    assert sorted(one for one in set(terms) if terms.count(one) > 1) == []


@pytest.mark.parametrize("folder", FOLDERS, ids=IDS)
def test_no_blank_surrounds_a_name_and_a_call_is_quoted(folder: Path) -> None:
    names = "|".join(NAMES)
    for key, text in sentences(folder, "ja").items():
        assert not re.search(rf"[^\x00-\x7f] \{{({names})\}}|\{{({names})\}} [^\x00-\x7f]", text), (key, text)
        assert not re.search(r"(?<!「)\{(call|standing|choice)\}", text), (key, text)
        assert not re.search("[\uff1a\uff08\uff09]", text), (key, text)
