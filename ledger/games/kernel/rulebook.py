"""A parser of numbered rulebooks in Markdown, so that a rule can be quoted by its id in the reader's language.

It knows how rules are written down, not what any of them means.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from typing import Literal, TypeAlias
from unicodedata import category, east_asian_width

from msgspec import Struct

from ledger.errors import MalformedError, NotFoundError
from ledger.games.kernel.refusals import phrase
from ledger.i18n.languages import DEFAULT
from ledger.names import meant

RuleKind: TypeAlias = Literal["item", "row", "heading"]
"""The form of a rule in its book: a list item, a row of a table, or a section of its own."""

_ID = r"(?P<id>[A-Z]{3}-\d+\.\d+)"
_ITEM = re.compile(rf"- \*\*{_ID}\*\*\s+(?P<text>.*)")
_ROW_ID = re.compile(rf"(\*\*)?{_ID}(?(1)\*\*)")
_HEADING = re.compile(r"(?P<marks>#{1,6})\s+(?P<title>.*)")
_HEADING_ID = re.compile(rf"{_ID}\s+(?P<title>.*)")
_LIST_LINE = re.compile(r"\s*[-*+]\s")


@dataclass(frozen=True, slots=True)
class Rule:
    """One numbered rule. `cells`: the columns of a rule that is a table row, as (column heading, cell). `lang`: the
    language of its text.
    """

    id: str
    section_title: str
    text: str
    kind: RuleKind
    cells: tuple[tuple[str, str], ...] = ()
    lang: str = DEFAULT

    def cell(self, *headings: str) -> str | None:
        """Return the cell under the first of these column headings that the table has, or None."""
        columns = {heading.casefold(): cell for heading, cell in self.cells}
        return next((columns[heading.casefold()] for heading in headings if heading.casefold() in columns), None)


class RuleAnswer(Struct, frozen=True, kw_only=True):
    """A rule as `rules` returns it: its id, the title of its section, and its text (Markdown)."""

    rule: str
    section: str
    text: str


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with everything below it, up to the next heading of the same or a higher level."""

    title: str
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Rulebook:
    """All rules and sections of one book, in the book's order. `lang`: the language of its text."""

    text: str
    rules: tuple[Rule, ...]
    sections: tuple[Section, ...]
    _by_id: dict[str, Rule] = field(repr=False, compare=False)
    lang: str = DEFAULT

    @classmethod
    def parse(cls, text: str, lang: str = DEFAULT) -> Rulebook:
        """Parse a rulebook in Markdown. Raise `MalformedError` if two rules have the same id."""
        lines = text.splitlines()
        by_id: dict[str, Rule] = {}
        for rule in _Parser(lines, lang).rules():
            if rule.id in by_id:
                raise MalformedError(phrase("rule_twice"), phrase("ids_once"), rule.id)
            by_id[rule.id] = rule
        return cls(text, tuple(by_id.values()), tuple(_sections(lines)), by_id, lang)

    @property
    def prefix(self) -> str:
        """The prefix of all ids of this book; empty for a book without rules."""
        return self.rules[0].id.partition("-")[0] if self.rules else ""

    def rule(self, rule_id: str) -> Rule:
        """Return the rule of this id, written `OMB-6.8`, `omb-6.8` or `6.8`.

        Raise `NotFoundError`, naming close matches, if there is none.
        """
        wanted = rule_id.strip().upper()
        if wanted[:1].isdigit():
            wanted = f"{self.prefix}-{wanted}"
        rule = self._by_id.get(wanted)
        if rule is None:
            close = meant(wanted, self._by_id)
            key = "no_rule_but" if close else "no_rule"
            raise NotFoundError("not_found", phrase(key, text=rule_id, prefix=self.prefix, known=tuple(close)))
        return rule

    def search(self, words: str) -> list[Rule]:
        """Return the rules with all these words in id, section or text, in the book's order; case does not matter."""
        wanted = words.casefold().split()
        if not wanted:
            return []
        return [rule for rule in self.rules if all(map(_searched(rule).__contains__, wanted))]


def load(package_or_game: str, lang: str = DEFAULT) -> Rulebook:
    """Load the rulebook of a built-in game (`ombre`) or of any package (`trickledger_whist`, `club.games.ombre`):
    `rules.ja.md` for `ja`, and `rules.md` for English or a language that the package lacks.

    Raise `NotFoundError` if there is none.
    """
    ours = f"ledger.games.{package_or_game}"
    is_ours = "." not in package_or_game and find_spec(ours) is not None
    return _load(ours if is_ours else package_or_game, lang)


@cache
def _load(package: str, lang: str) -> Rulebook:
    try:
        file = files(package).joinpath("rules.md" if lang == DEFAULT else f"rules.{lang}.md")
        if lang != DEFAULT and not file.is_file():
            return _load(package, DEFAULT)
        text = file.read_text(encoding="utf-8")
    except (ModuleNotFoundError, FileNotFoundError) as missing:
        raise NotFoundError("not_found", phrase("no_rulebook", text=package.removeprefix("ledger.games."))) from missing
    return Rulebook.parse(text, lang)


def joined(lines: Iterable[str]) -> str:
    """Return wrapped lines as one, with a blank between them except where Japanese is written without one."""
    text = ""
    for line in filter(None, map(str.strip, lines)):
        text += " " + line if text and _has_blank(text[-1], line[0]) else line
    return text


def _has_blank(before: str, after: str) -> bool:
    """Return whether a blank separates two characters: not two of full width, nor any from a full-width mark."""
    wide = [char for char in (before, after) if east_asian_width(char) in ("W", "F")]
    return len(wide) < 2 and not any(category(char).startswith("P") for char in wide)


def _searched(rule: Rule) -> str:
    return joined(f"{rule.id} {rule.section_title} {rule.text}".splitlines()).casefold()


def _sections(lines: list[str]) -> Iterator[Section]:
    headings = [(place, match) for place, line in enumerate(lines) if (match := _HEADING.fullmatch(line))]
    for order, (place, match) in enumerate(headings):
        level = len(match["marks"])
        later = (next_place for next_place, other in headings[order + 1 :] if len(other["marks"]) <= level)
        yield Section(match["title"], level, "\n".join(lines[place + 1 : next(later, len(lines))]).strip())


class _Parser:
    """A parser that walks the lines of a book once; methods that read a rule leave `place` after it."""

    def __init__(self, lines: list[str], lang: str) -> None:
        self.lines = lines
        self.lang = lang
        self.place = 0
        self.titles: list[str] = []
        """The titles of the headings above the present line, beginning with the book's own title."""

    def rules(self) -> Iterator[Rule]:
        while self.place < len(self.lines):
            line = self.lines[self.place]
            if heading := _HEADING.fullmatch(line):
                yield from self._heading(heading)
            elif item := _ITEM.fullmatch(line):
                yield self._item(item)
            elif line.startswith("|"):
                yield from self._table()
            else:
                self.place += 1

    def _heading(self, heading: re.Match[str]) -> Iterator[Rule]:
        level = len(heading["marks"])
        section_title = self._section_title(level)
        self.titles[level - 1 :] = [heading["title"]]
        self.place += 1
        if numbered := _HEADING_ID.fullmatch(heading["title"]):
            body = "\n".join(self._lines_while(lambda line: not _HEADING.fullmatch(line))).strip()
            text = f"{numbered['title']}\n\n{body}".rstrip()
            yield Rule(numbered["id"], section_title, text, "heading", lang=self.lang)

    def _item(self, item: re.Match[str]) -> Rule:
        self.place += 1
        sentence = [item["text"]]
        sentence += self._lines_while(lambda line: bool(line.strip()) and not _begins_block(line))
        parts = [joined(sentence), *self._attached()]
        return Rule(item["id"], self._section_title(), "\n".join(parts), "item", lang=self.lang)

    def _attached(self) -> Iterator[str]:
        """Yield the lists and tables directly after an item; a paragraph, a heading or another rule ends them."""
        while self.place < len(self.lines):
            start = next((at for at in range(self.place, len(self.lines)) if self.lines[at].strip()), len(self.lines))
            if start == len(self.lines) or not _begins_block(self.lines[start]) or _ITEM.fullmatch(self.lines[start]):
                return
            if self.lines[start].startswith("|"):
                if self._has_rules(start):
                    return
                self.place = start
                yield "\n" + "\n".join(self._lines_while(lambda line: line.startswith("|")))
            elif _LIST_LINE.match(self.lines[start]):
                self.place = start
                yield from self._list_entry()
            else:
                return

    def _list_entry(self) -> Iterator[str]:
        entry = [self.lines[self.place].strip()]
        self.place += 1
        entry += self._lines_while(lambda line: bool(line.strip()) and not _begins_block(line))
        yield joined(entry)

    def _table(self) -> Iterator[Rule]:
        rows = [_cells(line) for line in self._lines_while(lambda line: line.startswith("|"))]
        headings = rows[0]
        for row in rows[1:]:
            if numbered := _ROW_ID.fullmatch(row[0]):
                cells = tuple(zip(headings[1:], row[1:], strict=False))
                text = "\n".join(f"{heading}: {cell}" for heading, cell in cells)
                yield Rule(numbered["id"], self._section_title(), text, "row", cells, self.lang)

    def _has_rules(self, start: int) -> bool:
        rows = self.lines[start:]
        end = next((at for at, line in enumerate(rows) if not line.startswith("|")), len(rows))
        return any(_ROW_ID.fullmatch(_cells(row)[0]) for row in rows[:end])

    def _section_title(self, below: int = 7) -> str:
        """Return the headings above as `6. Play / Following`, without the book's own title."""
        return " / ".join(self.titles[1 : below - 1])

    def _lines_while(self, belongs: Callable[[str], bool]) -> list[str]:
        start = self.place
        while self.place < len(self.lines) and belongs(self.lines[self.place]):
            self.place += 1
        return self.lines[start : self.place]


def _begins_block(line: str) -> bool:
    return line.startswith("|") or bool(_LIST_LINE.match(line) or _HEADING.fullmatch(line))


def _cells(line: str) -> list[str]:
    return [cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]
