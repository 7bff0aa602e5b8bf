"""`docs/terms.md`: the catalogues say a term as the page says it, and the page says it as the rulebooks' glossaries."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.catalogues import FOLDERS, IDS, ROOT, sentences

PAGE = (ROOT / "docs" / "terms.md").read_text(encoding="utf-8")
RULEBOOKS = sorted((ROOT / "ledger" / "games").glob("*/rules.md"))
JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
NAMES = ("seat", "due", "winner", "name", "player", "best", "worst")


class Term(NamedTuple):
    """A row of the page: words by language, what the Japanese is not called, where that holds, where it comes from."""

    english: tuple[str, ...]
    japanese: tuple[str, ...]
    never: tuple[str, ...]
    games: tuple[str, ...]
    defined: tuple[str, ...]


@cache
def terms_of(folder: Path) -> list[Term]:
    room = folder.parent.name.removeprefix("trickledger_")
    holding = {"all", room} if (folder.parent / "rules.md").exists() else {"all", room, "rooms"}
    return [term for term in TERMS if holding & set(term.games)]


def parts(cell: str) -> tuple[str, ...]:
    return tuple(filter(None, re.split(r"\s*[,、;]\s*", cell.strip())))


def rows(text: str) -> Iterator[list[str]]:
    """The cells of all tables, without their heads."""
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and cells[0].lower().split()[0] != "english" and set(cells[0]) != {"-"}:
            yield cells


TERMS = [Term(*map(parts, cells)) for cells in rows(PAGE)]


def glossary(rulebook: Path) -> list[list[str]]:
    text = rulebook.read_text(encoding="utf-8")
    return list(rows(text[text.index("## 15. Glossary") :]))


TYPED = re.compile(
    r"of the contract|as the contract writes|deltas and pool|trickledger \w+|\{[^}]*\}|(?<=\s)[A-Z]{2,}\b"
)
"""What is no word of a sentence: commands, fields, values, what one types, and the contract with other programs."""


def has_term(english: str, said: str) -> bool:
    """Whether what a sentence says in words has the term as words of its own, once or many times."""
    pattern = rf"(?<![\w.-]){re.escape(english)}(?:s|es)?(?![\w-])"
    return english.lower() in said.lower() and re.search(pattern, said, re.IGNORECASE) is not None


@pytest.mark.parametrize("folder", FOLDERS, ids=IDS)
def test_a_term_is_said_as_the_page_says_it(folder: Path) -> None:
    english, japanese = sentences(folder, "en"), sentences(folder, "ja")
    assert [
        (key, english[key], japanese[key], term.japanese)
        for key in english
        for said in [TYPED.sub("", english[key])]
        for term in terms_of(folder)
        if any(has_term(word, said) for word in term.english)
        if not any(word in japanese[key] for word in term.japanese)
    ] == []


@pytest.mark.parametrize("folder", FOLDERS, ids=IDS)
def test_what_a_term_is_not_called_stands_nowhere(folder: Path) -> None:
    assert [
        (key, text, never)
        for key, text in sentences(folder, "ja").items()
        for term in terms_of(folder)
        for never in term.never
        if never in text
    ] == []


@pytest.mark.parametrize("rulebook", RULEBOOKS, ids=[path.parent.name for path in RULEBOOKS])
def test_every_japanese_word_of_a_glossary_stands_in_the_page(rulebook: Path) -> None:
    known = {word for term in TERMS for word in term.japanese}
    told = {word for cells in glossary(rulebook) for word in re.split(r"[,\u3001;\uff1b/]", cells[1])}
    told = {re.sub(r"\(?\b[A-Z]?[a-z].*|[ ()\uff08\uff09]", "", word) for word in told if JAPANESE.search(word)}
    assert {word for word in told if not any(word in one for one in known)} == set()


def test_every_row_says_where_it_holds_and_where_it_comes_from() -> None:
    games = {folder.parent.name.removeprefix("trickledger_") for folder in FOLDERS}
    prefixes = {path.parent.name: path.read_text(encoding="utf-8") for path in RULEBOOKS}
    for term in TERMS:
        assert term.english and term.japanese and set(term.games) <= {"all", "rooms", *games}, term
        assert term.defined == ("here",) or all(
            any(f"**{name.split('-')[0]}-" in text for text in prefixes.values()) and name.endswith("-15")
            for name in term.defined
        ), term


def test_no_english_term_has_two_rows_for_one_game() -> None:
    told = [(word.lower(), game) for term in TERMS for word in term.english for game in term.games]
    assert sorted(one for one in set(told) if told.count(one) > 1) == []


@pytest.mark.parametrize("folder", FOLDERS, ids=IDS)
def test_no_blank_stands_beside_a_name_and_a_saying_is_quoted(folder: Path) -> None:
    names = "|".join(NAMES)
    for key, text in sentences(folder, "ja").items():
        assert not re.search(rf"[^\x00-\x7f] \{{({names})\}}|\{{({names})\}} [^\x00-\x7f]", text), (key, text)
        assert not re.search(r"(?<!「)\{(call|standing|choice)\}", text), (key, text)
        assert not re.search("[\uff1a\uff08\uff09]", text), (key, text)
