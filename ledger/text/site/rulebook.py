"""Show rulebooks as pages with numbered rules, and link rules from other pages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from itertools import groupby
from typing import Final

from markupsafe import Markup, escape
from msgspec import Struct

from ledger.errors import LedgerError, NotFoundError
from ledger.games import registered_games
from ledger.games.kernel.protocol import Game
from ledger.games.kernel.rulebook import Rule, Rulebook, joined, load
from ledger.i18n.languages import DEFAULT
from ledger.text.site.cards import Preferences, colour_suits
from ledger.text.site.catalogue import game_title

_ID: Final = re.compile(r"(?a:\b[A-Z]{3}-\d+\.\d+\b)")
_REFERENCE: Final = re.compile(r"(?a:(?<![\w.-])[A-Z]{3}-\d+\.\d+(?![\d-]))")
"""A rule id in a sentence (`_ID`) and in the text of a rulebook (`_REFERENCE`); Japanese letters may adjoin it."""
_INLINE_MARKUP: Final = re.compile(
    r"`(?P<code>[^`]+)`|\*\*(?P<strong>.+?)\*\*|(?<!\*)\*(?P<em>[^*\s](?:[^*]*[^*\s])?)\*(?!\*)"
)
_TABLE_SEPARATOR: Final = re.compile(r"\|?[\s:|-]+\|?")
_LIST_LINE: Final = re.compile(r"\s*[-*+]\s+(.*)")


class Book(Struct, frozen=True, kw_only=True):
    """A rulebook. `games`: the names of its games; the first of them is part of its address."""

    games: Sequence[str]
    book: Rulebook

    def title(self, lang: str) -> str:
        """Return the titles of all its games, e.g. `Ombre / Tresillo`."""
        return " / ".join(game_title(game, lang) for game in self.games)


class RenderedRule(Struct, frozen=True, kw_only=True):
    """A rule as HTML. `address`: its place in its book. `lang`: the language of its text."""

    id: str
    text: Markup
    section: str
    address: str
    lang: str


class CitedRule(Struct, frozen=True):
    """A rule cited on a page. `address`: empty if no page shows it. `text`: None if no rulebook has it; `lang`: its
    language.
    """

    id: str
    address: str
    text: str | None = None
    lang: str = DEFAULT


class RenderedSection(Struct, frozen=True, kw_only=True):
    """The rules under one heading. `chapter`: the chapter that begins here, else empty."""

    anchor: str
    chapter: str
    title: str
    rules: Sequence[RenderedRule]


@cache
def books(lang: str) -> Sequence[Book]:
    """Return every rulebook once, in the language or in English; games that share a rulebook share an entry."""
    by_prefix: dict[str, Book] = {}
    for game, played in registered_games().items():
        with suppress(LedgerError, OSError):  # a game of others may have no rulebook
            book = load(played.package, lang)
            others = by_prefix[book.prefix].games if book.prefix in by_prefix else ()
            by_prefix[book.prefix] = Book(games=(*others, game), book=book)
    return [book for prefix, book in by_prefix.items() if prefix]


def book_of(game: str, lang: str) -> Book | None:
    """Return the rulebook of a game, None if the game has none."""
    return next((one for one in books(lang) if game in one.games), None)


@cache
def sections_of(game: str, lang: str) -> Sequence[RenderedSection]:
    """Return the rules of a game's book by section, in the order of the book."""
    book = book_of(game, lang)
    assert book is not None
    shown: list[RenderedSection] = []
    chapter = ""
    for number, (title, rules) in enumerate(groupby(book.book.rules, lambda rule: rule.section_title), 1):
        of_chapter, _, below = title.partition(" / ")
        is_new, chapter = of_chapter != chapter, of_chapter
        shown.append(
            RenderedSection(
                anchor=f"section-{number}",
                chapter=of_chapter if is_new else "",
                title=below,
                rules=[rendered_rule(rule) for rule in rules],
            )
        )
    return shown


def rendered_rule(rule: Rule) -> RenderedRule:
    """Return a rule as HTML."""
    text = _rendered_row(rule) if rule.kind == "row" else _blocks(rule.text)
    return RenderedRule(id=rule.id, text=text, section=rule.section_title, address=_address(rule.id), lang=rule.lang)


def rule_of(game: Game, id: str, lang: str) -> CitedRule:
    """Return a game's rule for citing; the address is empty if the rulebook does not have the rule."""
    try:
        rule = load(game.package, lang).rule(id)
    except NotFoundError:
        return CitedRule(id, "")
    return CitedRule(id, f"/rules/{game.name}#{id}", rule.text, rule.lang)


def link_rules(text: str, preferences: Preferences) -> Markup:
    """Return a sentence as from `colour_suits` in which each rule id links to its rulebook."""
    return _linked(_ID, colour_suits(text, preferences))


def _address(rule: str) -> str:
    return f"/rules/{_places()[rule]}#{rule}"


@cache
def _places() -> Mapping[str, str]:
    """Return, for each rule id, the game in whose book it is."""
    return {rule.id: one.games[0] for one in books(DEFAULT) for rule in one.book.rules}


def _rendered_row(rule: Rule) -> Markup:
    """Return a table row of a rulebook as a list of column headings and cells."""
    cells = ((heading, cell) for heading, cell in rule.cells if cell)
    pairs = Markup("").join(
        Markup("<dt>{}</dt><dd>{}</dd>").format(_rendered_line(heading), _rendered_line(cell))
        for heading, cell in cells
    )
    return Markup('<dl class="pairs">{}</dl>').format(pairs)


def _blocks(text: str) -> Markup:
    """Return the Markdown of a rule as HTML. Paragraphs, lists and tables are supported."""
    return Markup("\n").join(
        _rendered_block(kind, list(lines)) for kind, lines in groupby(text.splitlines(), _kind) if kind
    )


def _kind(line: str) -> str:
    if not line.strip():
        return ""
    if line.lstrip().startswith("|"):
        return "table"
    return "list" if _LIST_LINE.match(line) else "paragraph"


def _rendered_block(kind: str, lines: Sequence[str]) -> Markup:
    if kind == "table":
        return _table([_cells(line) for line in lines if not _TABLE_SEPARATOR.fullmatch(line)])
    if kind == "list":
        items = (_LIST_LINE.match(line) for line in lines)
        rendered = Markup("").join(
            Markup("<li>{}</li>").format(_rendered_line(one[1])) for one in items if one is not None
        )
        return Markup("<ul>{}</ul>").format(rendered)
    return Markup("<p>{}</p>").format(_rendered_line(joined(lines)))


def _table(rows: Sequence[Sequence[str]]) -> Markup:
    head, *body = rows
    heads = Markup("").join(Markup('<th scope="col">{}</th>').format(_rendered_line(cell)) for cell in head)
    body_rows = Markup("").join(
        Markup("<tr>{}</tr>").format(
            Markup("").join(Markup("<td>{}</td>").format(_rendered_line(cell)) for cell in row)
        )
        for row in body
    )
    return Markup(
        '<div class="scroll" tabindex="0" role="group"><table><thead><tr>{}</tr></thead><tbody>{}</tbody></table></div>'
    ).format(heads, body_rows)


def _cells(line: str) -> list[str]:
    return [cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]


def _rendered_line(text: str) -> Markup:
    """Return one line of Markdown as HTML: code, strong and emphasised text, and links to rules."""
    return Markup("").join(_inline_parts(text))


def _inline_parts(text: str) -> Iterator[Markup]:
    end = 0
    for match in _INLINE_MARKUP.finditer(text):
        yield _with_references(text[end : match.start()])
        end = match.end()
        if match["code"] is not None:
            yield Markup("<code>{}</code>").format(match["code"])
        elif match["strong"] is not None:
            yield Markup("<b>{}</b>").format(_with_references(match["strong"]))
        else:
            yield Markup("<em>{}</em>").format(_with_references(match["em"]))
    yield _with_references(text[end:])


def _with_references(text: str) -> Markup:
    return _linked(_REFERENCE, escape(text))


def _linked(rule_id: re.Pattern[str], escaped: str) -> Markup:
    """Return escaped text in which each existing rule id is a link."""

    def link(match: re.Match[str]) -> str:
        return f'<a href="{_address(match[0])}">{match[0]}</a>' if match[0] in _places() else match[0]

    return Markup(rule_id.sub(link, escaped))
