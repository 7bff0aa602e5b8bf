"""A rulebook as a page: its sections and numbered rules, each rule with its anchor, references as links."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from typing import Final

from markupsafe import Markup, escape
from msgspec import Struct

from ledger.games import registered_games
from ledger.games.kernel.rulebook import Rule, Rulebook, load
from ledger.text.site.listing import game_title

_REFERENCE: Final = re.compile(r"(?<![\w.-])([A-Z]{3}-\d+\.\d+)(?![\d-])")
_MARKED: Final = re.compile(
    r"`(?P<code>[^`]+)`|\*\*(?P<strong>.+?)\*\*|(?<!\*)\*(?P<em>[^*\s](?:[^*]*[^*\s])?)\*(?!\*)"
)
_RULE_OF_TABLE: Final = re.compile(r"\|?[\s:|-]+\|?")
_LIST_LINE: Final = re.compile(r"\s*[-*+]\s+(.*)")


class Book(Struct, frozen=True, kw_only=True):
    """A rulebook: `games` that it is for, by their names in the record; the first stands in its address."""

    games: Sequence[str]
    book: Rulebook

    def title(self, lang: str) -> str:
        return " / ".join(game_title(game, lang) for game in self.games)


class RuleShown(Struct, frozen=True, kw_only=True):
    """A rule: `address`, where it stands in its book."""

    id: str
    text: Markup
    section: str
    address: str


class SectionShown(Struct, frozen=True, kw_only=True):
    """Rules under one heading: `chapter`, where this is the first heading of a chapter; else empty."""

    anchor: str
    chapter: str
    title: str
    rules: Sequence[RuleShown]


@cache
def books() -> Sequence[Book]:
    """Every rulebook once; games that share one stand together."""
    games: dict[str, list[str]] = {}
    by_prefix: dict[str, Rulebook] = {}
    for game, played in registered_games().items():
        book = load(played.package)
        games.setdefault(book.prefix, []).append(game)
        by_prefix[book.prefix] = book
    return [Book(games=tuple(of), book=by_prefix[prefix]) for prefix, of in games.items() if prefix]


def book_of(game: str) -> Book | None:
    return next((one for one in books() if game in one.games), None)


@cache
def sections_of(game: str) -> Sequence[SectionShown]:
    """The rules of a book in its order, by section."""
    found = book_of(game)
    assert found is not None
    shown: list[SectionShown] = []
    chapter = ""
    for number, (title, rules) in enumerate(groupby(found.book.rules, lambda rule: rule.section_title), 1):
        of_chapter, _, below = title.partition(" / ")
        is_new, chapter = of_chapter != chapter, of_chapter
        shown.append(
            SectionShown(
                anchor=f"section-{number}",
                chapter=of_chapter if is_new else "",
                title=below,
                rules=[rule_shown(rule) for rule in rules],
            )
        )
    return shown


def rule_shown(rule: Rule) -> RuleShown:
    text = _of_row(rule) if rule.kind == "row" else _blocks(rule.text)
    return RuleShown(id=rule.id, text=text, section=rule.section_title, address=_address(rule.id))


def address_of_rule(rule: str) -> str | None:
    """Where a rule stands, by its id; None where there is none of that id."""
    return _address(rule) if rule in _places() else None


def _address(rule: str) -> str:
    return f"/rules/{_places()[rule]}#{rule}"


@cache
def _places() -> Mapping[str, str]:
    """The game in whose book each rule stands."""
    return {rule.id: one.games[0] for one in books() for rule in one.book.rules}


def _of_row(rule: Rule) -> Markup:
    """A row of a table: what stands in each column, with the heading of the column."""
    cells = ((heading, cell) for heading, cell in rule.cells if cell)
    told = Markup("").join(
        Markup("<dt>{}</dt><dd>{}</dd>").format(_line(heading), _line(cell)) for heading, cell in cells
    )
    return Markup('<dl class="pairs">{}</dl>').format(told)


def _blocks(text: str) -> Markup:
    """Paragraphs, lists and tables of Markdown, as far as rulebooks have them."""
    return Markup("\n").join(_shown(kind, list(lines)) for kind, lines in groupby(text.splitlines(), _kind) if kind)


def _kind(line: str) -> str:
    if not line.strip():
        return ""
    if line.lstrip().startswith("|"):
        return "table"
    return "list" if _LIST_LINE.match(line) else "paragraph"


def _shown(kind: str, lines: Sequence[str]) -> Markup:
    if kind == "table":
        return _table([_cells(line) for line in lines if not _RULE_OF_TABLE.fullmatch(line)])
    if kind == "list":
        items = (_LIST_LINE.match(line) for line in lines)
        told = Markup("").join(Markup("<li>{}</li>").format(_line(one[1])) for one in items if one is not None)
        return Markup("<ul>{}</ul>").format(told)
    return Markup("<p>{}</p>").format(_line(" ".join(line.strip() for line in lines)))


def _table(rows: Sequence[Sequence[str]]) -> Markup:
    head, *body = rows
    heads = Markup("").join(Markup('<th scope="col">{}</th>').format(_line(cell)) for cell in head)
    told = Markup("").join(
        Markup("<tr>{}</tr>").format(Markup("").join(Markup("<td>{}</td>").format(_line(cell)) for cell in row))
        for row in body
    )
    return Markup(
        '<div class="scroll" tabindex="0" role="group"><table><thead><tr>{}</tr></thead><tbody>{}</tbody></table></div>'
    ).format(heads, told)


def _cells(line: str) -> list[str]:
    return [cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]


def _line(text: str) -> Markup:
    """One line with its code, what is strong or stressed, and references as links."""
    return Markup("").join(_parts(text))


def _parts(text: str) -> Iterator[Markup]:
    end = 0
    for found in _MARKED.finditer(text):
        yield _linked(text[end : found.start()])
        end = found.end()
        if found["code"] is not None:
            yield Markup("<code>{}</code>").format(found["code"])
        elif found["strong"] is not None:
            yield Markup("<b>{}</b>").format(_linked(found["strong"]))
        else:
            yield Markup("<em>{}</em>").format(_linked(found["em"]))
    yield _linked(text[end:])


def _linked(text: str) -> Markup:
    """The text, escaped, each id of a rule that there is leading to it."""

    def link(found: re.Match[str]) -> str:
        address = address_of_rule(found[1])
        return found[1] if address is None else f'<a href="{address}">{found[1]}</a>'

    return Markup(_REFERENCE.sub(link, str(escape(text))))
