"""Write the glossary in English and Japanese from `docs/terms.txt` and the rulebooks' glossaries (section 15)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from textwrap import fill
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[1]
TERMS: Final = ROOT / "docs" / "terms.txt"
PAGE: Final = ROOT / "docs" / "reference" / "glossary.md"
JAPANESE_PAGE: Final = ROOT / "docs" / "ja" / "reference" / "glossary.md"
RULEBOOKS: Final = {path.parent.name: path for path in sorted((ROOT / "ledger" / "games").glob("*/rules.md"))}

_GAMES: Final = {
    "all": "All games",
    "ombre": "Ombre",
    "quadrille": "Quadrille",
    "couillon": "Couillon",
    "kop": "Kop and Baśka",
}
_PROGRAM: Final = "Program"
_COLUMNS: Final = 7
_SECTIONS: Final = {
    "all": "いくつかのゲーム",
    "ombre": "オンブル",
    "quadrille": "カドリーユ",
    "couillon": "クヨン",
    "kop": "コップとバシュカ",
    "program": "このプログラム",
}
_IN_JAPANESE: Final = {**_SECTIONS, "all": "すべてのゲーム"}

_HEAD: Final = """\
# Glossary

The words of the games and of this program, in alphabetical order.
Each entry names the game, the Japanese word, the word of the game's own language in italics, and the meaning.
`trickledger rules OMB-7.7` prints the rule behind a number.
`make reference` writes this page from [the list of terms](../terms.txt).
"""


_JAPANESE_HEAD: Final = """\
# 用語集

ゲームとこのプログラムの言葉を、ゲームごとに並べました。
それぞれに、ゲーム、英語、意味、規則の番号があります。
`trickledger rules OMB-7.7`と打つと、その番号の規則が出ます。
"""


class Entry(NamedTuple):
    """A meaning of a term: its words, the usual one first, Japanese or none, and the games that use it."""

    words: tuple[str, ...]
    japanese: str
    games: tuple[str, ...]
    meaning: str
    in_japanese: str


def terms(text: str) -> list[list[str]]:
    """Return the cells of each line of the list."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [[cell.strip() for cell in f"{line}{'|' * (_COLUMNS - 1 - line.count('|'))}".split("|")] for line in lines]


def table_rows(text: str) -> Iterator[list[str]]:
    """Yield the cells of all tables without their headings."""
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and cells[0].split()[0] != "English" and set(cells[0]) != {"-"}:
            yield cells


def listed() -> list[Entry]:
    """Return the meanings in the order of the list."""
    return [
        Entry(_split(english), re.split("[、,]", japanese)[0].strip("– "), _split(games), meaning, in_japanese)
        for english, japanese, _never, games, _defined, meaning, in_japanese in terms(TERMS.read_text(encoding="utf-8"))
        if meaning
    ]


def entries() -> list[Entry]:
    """Return the meanings in alphabetical order of their terms."""
    return sorted(listed(), key=lambda entry: (_sort_key(entry.words[0]), list(_GAMES).index(_game(entry))))


def rulebook_terms(game: str) -> dict[str, str]:
    """Return the terms of a rulebook's glossary in lower case, each with its original."""
    text = RULEBOOKS[game].read_text(encoding="utf-8")
    natives: dict[str, str] = {}
    for english, _japanese, original in table_rows(text[text.index("## 15. Glossary") :]):
        parts, originals = _plain(english).split("; "), _plain(original).strip("– -").split("; ")
        if len(parts) != len(originals):
            originals = ["; ".join(originals)] * len(parts)
        for part, native in zip(parts, originals, strict=True):
            natives |= dict.fromkeys((word.lower().removeprefix("to ") for word in part.split(", ")), native)
    return natives


def anchor(term: str) -> str:
    """Return the anchor of a term's heading."""
    return re.sub(r"[^\w -]", "", term.lower()).replace(" ", "-")


def page() -> str:
    """Return the whole page."""
    originals = {game: rulebook_terms(game) for game in RULEBOOKS}
    parts = [_HEAD]
    for _, group in groupby(entries(), key=lambda entry: anchor(entry.words[0])):
        same = list(group)
        term = same[0].words[0]
        parts.append(f"\n### {term[0].upper()}{term[1:]}\n\n")
        parts += [_line(entry, originals) for entry in same]
    return "".join(parts)


def japanese_page() -> str:
    """Return the whole page in Japanese, sorted by games because kanji have no alphabetical order."""
    by_word: dict[str, list[Entry]] = {}
    for entry in listed():
        if entry.in_japanese:
            by_word.setdefault(entry.japanese, []).append(entry)
    parts = [_JAPANESE_HEAD]
    for section, title in _SECTIONS.items():
        parts.append(f"\n## {title}\n")
        for word, same in by_word.items():
            games = {game for entry in same for game in _games(entry)}
            if section == (games.pop() if len(games) == 1 else "all"):
                parts += [f"\n### {word}\n\n", *map(_japanese_line, same)]
    return "".join(parts)


def _japanese_line(entry: Entry) -> str:
    games = "、".join(_IN_JAPANESE[game] for game in _games(entry))
    rules = "、".join(re.findall(r"[A-Z]{3}-\d+\.\d+", entry.meaning))
    meaning = entry.in_japanese.removesuffix("。") + f"({rules})。" if rules else entry.in_japanese
    return f"- **{games}** · {', '.join(entry.words)}: {meaning}\n"


def _line(entry: Entry, originals: dict[str, dict[str, str]]) -> str:
    games = ", ".join(_GAMES.get(game, _PROGRAM) for game in _games(entry))
    known = {originals[game].get(word.lower(), "") for game in entry.games if game in originals for word in entry.words}
    native = [f"*{original}*" for original in sorted(known - {"", "terms of this rulebook", "term of this rulebook"})]
    heading = " · ".join(part for part in (f"**{games}**", entry.japanese, "; ".join(native)) if part)
    also = f" Also: {', '.join(entry.words[1:])}." if entry.words[1:] else ""
    text = f"{heading}: {entry.meaning}{also}\n"
    return fill(text, 119, initial_indent="- ", subsequent_indent="  ", break_long_words=False) + "\n"


def _games(entry: Entry) -> list[str]:
    return [game for game in entry.games if game in _GAMES] or ["program"]


def _game(entry: Entry) -> str:
    first = _games(entry)[0]
    return first if first in _GAMES else "all"


def _split(cell: str) -> tuple[str, ...]:
    return tuple(re.split(r"\s*,\s*", cell))


def _plain(cell: str) -> str:
    return re.sub(r"\s*\([^)]*\)|\*", "", cell).strip()


def _sort_key(term: str) -> str:
    return re.sub(r"[^a-z ]", "", term.lower().replace("ś", "s").replace("ł", "l"))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    JAPANESE_PAGE.parent.mkdir(exist_ok=True)
    JAPANESE_PAGE.write_text(japanese_page(), encoding="utf-8")
