"""The Japanese rulebooks: the ids, cards, amounts and tables of the English ones, block by block; no English words."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from ledger.games.kernel.rulebook import Rulebook, load
from ledger.i18n.languages import tables_of
from tests.test_catalogues import RETIRED, TERMS

GAMES: Final = Path(__file__).resolve().parents[2] / "ledger" / "games"
BOOKS: Final = sorted(path.parent.name for path in GAMES.glob("*/rules.md"))
of_every_book = pytest.mark.parametrize("book", BOOKS)

_BLOCK: Final = re.compile(r"\s*(?:[-*+]|\d+\.)\s|\s*\||#{1,6}\s|>")
_KIND: Final = re.compile(r"#{1,6}|[-*+](?=\s)|\||>|```|\d+\.(?=\s)|")
_ID: Final = re.compile(r"(?a:\b[A-Z]{3}-\d+\.\d+)")
_CODE: Final = re.compile(r"`[^`]*`")
_CARD: Final = re.compile(r"(?<![A-Za-z0-9])[SHDC](?:10|[AKQJT2-9])(?![A-Za-z0-9])")
_NUMBER: Final = re.compile(r"(?a:(?<![\w.])\d+(?:[.,]\d+)*)")
_LINK: Final = re.compile(r"\]\(([^)]*)\)")
_LATIN: Final = re.compile(r"[A-Za-zÀ-ž]{2,}")

IN_DIGITS: Final = {"five": "5", "seven": "7", "eight": "8", "nine": "9", "ten": "10", "Primeras": "5", "d5": "5"} | {
    "January": "1", "March": "3", "October": "10", "December": "12",
}  # fmt: skip
"""English words that Japanese writes with digits: the first five tricks, ranks, months and the fifth doubling."""

TWO_MEANINGS: Final = {("cards", "枚数"), ("no", "番号"), ("code", "名前")}
"""Headings of columns whose English word means another thing elsewhere."""

CITING: Final = ("14", "15")
"""The chapters that quote other languages: the sources and the glossary."""

SYMBOLS: Final = frozenset("ID mod cp dp dt fp ft kU pr tr EX GP".split()) | {"Baron", "Belinda", "pagat"}  # noqa: SIM905
"""Symbols of formulas; names of people and of a site."""


class Facts(NamedTuple):
    """What a block says in every language. `columns`: the cells of a table row; 0 otherwise."""

    kind: str
    columns: int
    ids: Counter[str]
    codes: Counter[str]
    cards: Counter[str]
    links: list[str]
    numbers: Counter[str]


@cache
def text_of(book: str, lang: str = "en") -> str:
    return (GAMES / book / ("rules.md" if lang == "en" else f"rules.{lang}.md")).read_text(encoding="utf-8")


@cache
def blocks(text: str) -> list[str]:
    """Return the headings, paragraphs, list items, table rows and lines of code, each on one line."""
    lines: list[str] = []
    is_open = is_code = False
    for line in text.splitlines():
        is_fence = line.startswith("```")
        if is_open and line.strip() and not (is_code or is_fence or _BLOCK.match(line)):
            lines[-1] += " " + line.strip()
        elif line.strip():
            lines.append(line.strip())
        is_code ^= is_fence
        is_open = bool(line.strip()) and not is_fence and not line.lstrip().startswith(("|", "#"))
    return lines


def facts(block: str) -> Facts:
    ids, rest = _ID.findall(block), _ID.sub(" ", block)
    codes, rest = _CODE.findall(rest), _CODE.sub(" ", rest)
    links, rest = _LINK.findall(rest), _LINK.sub(" ", rest)
    cards, rest = _CARD.findall(rest), _CARD.sub(" ", rest)
    kind = _KIND.match(block)
    assert kind is not None
    return Facts(
        kind=kind[0],
        columns=block.count("|") if block.startswith("|") else 0,
        ids=Counter(ids),
        codes=Counter(codes),
        cards=Counter(cards),
        links=links,
        numbers=Counter(_NUMBER.findall(rest)),
    )


def in_digits(english: str, japanese: Facts) -> Counter[str]:
    """Return the numbers of an English block, and those that it has in words and the Japanese one in digits."""
    stated = facts(english).numbers
    spelt = Counter(IN_DIGITS[word] for word in re.findall(r"\w+", _CODE.sub(" ", english)) if word in IN_DIGITS)
    return stated + (spelt & (japanese.numbers - stated))


def chapters(book: str) -> Iterator[tuple[str, str]]:
    """Yield the blocks of prose in the Japanese book with the numbers of their chapters."""
    chapter, is_code = "", False
    for block in blocks(text_of(book, "ja")):
        is_code ^= block.startswith("```")
        if heading := re.match(r"## (\d+)\.", block):
            chapter = heading[1]
        if not is_code:
            yield chapter, block


@of_every_book
def test_each_block_has_the_facts_of_the_english_one(book: str) -> None:
    english, japanese = blocks(text_of(book)), blocks(text_of(book, "ja"))
    assert len(english) == len(japanese)
    for one, other in zip(english, japanese, strict=True):
        expected = facts(one)._replace(numbers=in_digits(one, facts(other)))
        assert facts(other) == expected, f"{one}\n{other}"


@of_every_book
def test_the_parser_reads_the_same_rules(book: str) -> None:
    english, japanese = load(book), load(book, "ja")
    assert (english.lang, japanese.lang) == ("en", "ja")
    assert form_of(japanese) == form_of(english)
    assert {rule.lang for rule in japanese.rules} == {"ja"}


def form_of(book: Rulebook) -> object:
    """Return what two translations of one book have in common."""
    rules = [
        (rule.id, rule.kind, len(rule.cells), rule.kind == "heading" or len(rule.text.splitlines()))
        for rule in book.rules
    ]
    titles = [(section.level, re.match(r"[\d.]*", section.title)[0]) for section in book.sections]  # type: ignore[index]
    return book.prefix, rules, titles


@of_every_book
def test_only_codes_symbols_and_citations_are_in_latin_letters(book: str) -> None:
    tables = tables_of(f"ledger.games.{book}", "ja")
    codes = [*_CODE.findall(text_of(book)), *tables.get("words", {}), *tables.get("options", {})]
    known = SYMBOLS | {book[:3].upper()} | {word for code in codes for word in _LATIN.findall(code)}
    prose = {
        block: _CARD.sub(" ", _CODE.sub(" ", _ID.sub(" ", _LINK.sub(" ", block))))
        for chapter, block in chapters(book)
        if chapter not in CITING
    }
    assert {block: words for block, text in prose.items() if (words := set(_LATIN.findall(text)) - known)} == {}


@of_every_book
def test_no_term_is_written_in_two_ways(book: str) -> None:
    prose = [block for chapter, block in chapters(book) if chapter != "15"]
    avoided = [re.escape(word) for term in TERMS if {"all", book} & set(term.games) for word in term.never]
    pattern = re.compile("|".join([*avoided, *RETIRED.values()]))
    assert {block: words for block in prose if (words := pattern.findall(block))} == {}


def test_a_column_has_one_heading_in_all_books() -> None:
    pairs = set()
    for book in BOOKS:
        english, japanese = blocks(text_of(book)), blocks(text_of(book, "ja"))
        for at, row in enumerate(english[1:]):
            if re.fullmatch(r"\|[ |:-]+\|", row):
                cells = (line[at].strip("|").split("|") for line in (english, japanese))
                pairs |= {(one.strip().casefold(), other.strip()) for one, other in zip(*cells, strict=True)}
    pairs = {(one, other) for one, other in pairs if (one, other) not in TWO_MEANINGS}
    headings = groupby(sorted(pairs), key=lambda pair: pair[0])
    assert {name: named for name, pairs in headings if len(named := [other for _, other in pairs]) > 1} == {}


@of_every_book
def test_wrapped_lines_are_joined_without_blanks(book: str) -> None:
    pattern = re.compile(r"[\u3000-\u30ff\u4e00-\u9fff] (?=[\u3040-\u30ff\u4e00-\u9fff])|[、。]\*{0,2} ")
    assert [rule.id for rule in load(book, "ja").rules if rule.kind == "item" and pattern.search(rule.text)] == []


def test_a_language_without_a_text_falls_back_to_english() -> None:
    assert load("ombre", "pl") is load("ombre")
    assert load("ombre", "ja") is load("ledger.games.ombre", "ja")
