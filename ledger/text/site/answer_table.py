"""Answers of the read model as tables of a page: words for what is recorded, links, intervals, order and pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final
from urllib.parse import quote

from markupsafe import Markup
from msgspec import Struct, structs

from ledger.cards import SUITS
from ledger.games import registered_games
from ledger.games.kernel.rulebook import load
from ledger.history import Answer, Statistic
from ledger.history.questions.selections import ENDINGS, GROUP, NAMING, intervals
from ledger.text.catalogue import Wording, label, title_of, written_wording_for
from ledger.text.site.cards import Preferences, card_mark, mark_code, suit_name
from ledger.text.site.catalogue import say

ROWS_PER_PAGE: Final = 50

_COUNTS: Final = ("decided", "known", "deals", "played", "led", "plays", "tables")
"""The columns that say on how many deals, cards or tables an estimate rests, the closest first."""

_OF_ONE_GAME: Final = {"called-kings": "quadrille", "ombre-exchanges": "ombre"}
"""The games of statistics that have words of a game, but no column with its name."""

RECORDED_WORDS: Final[Mapping[str, str]] = {
    "mon": "stats.monday",
    "tue": "stats.tuesday",
    "wed": "stats.wednesday",
    "thu": "stats.thursday",
    "fri": "stats.friday",
    "sat": "stats.saturday",
    "sun": "stats.sunday",
    "declarer": "stats.declarer",
    "partner": "stats.partner",
    "defender": "stats.defender",
    "defenders": "stats.defenders",
    "deal": "stats.deal",
    "adjust": "stats.adjusted",
    "closing": "stats.closing",
}
"""The messages for weekdays, roles and causes, by their recorded names."""

_OF_COMPARED: Final[Mapping[str, str]] = {
    "compared": "stats.compared_meaning",
    "difference": "stats.difference_meaning",
    "difference_low": "stats.difference_meaning",
    "difference_high": "stats.difference_meaning",
}
_WORDS: Final = frozenset({"contract", "result", "word", "status", "step"})
_CARDS: Final = frozenset({"card", "called_card"})
_NUMBERS: Final = ("BIGINT", "INTEGER", "HUGEINT", "DOUBLE", "DECIMAL", "SMALLINT", "TINYINT", "UBIGINT", "UINTEGER")
_RANKS: Final = "A23456789TJQK"


class Cell(Struct, frozen=True):
    """A cell. `bounds`: the interval of its estimate. `href`: the page about what it names."""

    text: Markup | str
    bounds: str = ""
    href: str | None = None


class ColumnHead(Struct, frozen=True, kw_only=True):
    """A column. `sort`: the value of the parameter that sorts by it next; `order`: how it sorts now, as in ARIA."""

    name: str
    head: str
    meaning: str
    is_number: bool
    sort: str
    order: str | None


class Estimate(Struct, frozen=True, kw_only=True):
    """An estimate with its interval, for a figure. `label`: of its row; `count`: what it rests on, None if unknown."""

    label: str
    value: float
    low: float
    high: float
    count: int | None


class AnswerTable(Struct, frozen=True, kw_only=True):
    """A page of an answer. `count`: all rows. `estimates`: the rows of the page for the column `estimate`, which may be
    empty.
    """

    columns: Sequence[ColumnHead]
    rows: Sequence[Sequence[Cell]]
    count: int
    number: int
    last: int
    estimate: str
    estimates: Sequence[Estimate]


class Reader(Struct, frozen=True):
    """The reader of a table. `names`: names to show by recorded name; `hidden`: initials, which have no page.

    `sees_people`: whether the pages of players are open to them.
    """

    preferences: Preferences
    names: Mapping[str, str]
    hidden: frozenset[str] = frozenset()
    sees_people: bool = True


def number_text(value: float | Decimal) -> str:
    """Return a number with a true minus sign."""
    text = str(value)
    return text.removesuffix(".0").replace("-", "−")


def bounds_text(low: Any, high: Any) -> str:
    """Return an interval; empty if it is unknown."""
    return "" if low is None or high is None else f"({number_text(low)}–{number_text(high)})"


def ordered(answer: Answer, sort: str) -> Sequence[tuple[Any, ...]]:
    """Return the rows in the order of a column, descending after `-`; null comes last. Unknown columns sort nothing."""
    name, falls = sort.removeprefix("-"), sort.startswith("-")
    if name not in answer.columns:
        return answer.rows
    at = answer.columns.index(name)
    known = [row for row in answer.rows if row[at] is not None]
    is_text = any(isinstance(row[at], str) for row in known)
    key: Callable[[tuple[Any, ...]], Any] = (lambda row: str(row[at]).casefold()) if is_text else (lambda row: row[at])
    return [*sorted(known, key=key, reverse=falls), *(row for row in answer.rows if row[at] is None)]


class AnswerPage(Struct, frozen=True):
    """The rows of one page of an answer. `count`: all rows; `number`, `last`: of the page and the last one, from 1."""

    answer: Answer
    count: int
    number: int
    last: int


def page_of(answer: Answer, *, sort: str = "", page: int = 1, per_page: int = ROWS_PER_PAGE) -> AnswerPage:
    """Return a page of an answer in the order of a column; the last page if there are fewer."""
    last = max(1, -(-len(answer.rows) // per_page))
    number = min(page, last)
    rows = ordered(answer, sort)[(number - 1) * per_page : number * per_page]
    return AnswerPage(structs.replace(answer, rows=list(rows)), len(answer.rows), number, last)


def table_of(page: AnswerPage, statistic: Statistic, reader: Reader, *, sort: str = "") -> AnswerTable:
    """Return the table of a page. `statistic`: with the meaning of the columns; `sort`: as in `page_of`."""
    answer, lang = page.answer, reader.preferences.lang
    bounds = {low: (estimate, high) for estimate, low, high in intervals(answer.columns)}
    hidden = {*bounds, *(high for _, high in bounds.values())}
    of_estimate = {estimate: (low, high) for low, (estimate, high) in bounds.items()}
    shown = [name for name in answer.columns if name not in hidden]
    rows = answer.objects()
    sorted_by = sort.removeprefix("-")
    estimate = sorted_by if sorted_by in of_estimate else next(iter(of_estimate), "")
    words = _Words(statistic.name, reader)
    return AnswerTable(
        columns=[_head(name, statistic, answer, sort, lang) for name in shown],
        rows=[[words.cell(name, row, of_estimate.get(name)) for name in shown] for row in rows],
        count=page.count,
        number=page.number,
        last=page.last,
        estimate=estimate,
        estimates=[] if "table_name" in shown else list(_estimates(rows, estimate, of_estimate.get(estimate), words)),
    )


def _head(name: str, statistic: Statistic, answer: Answer, sort: str, lang: str) -> ColumnHead:
    is_number = answer.types[answer.columns.index(name)].startswith(_NUMBERS)
    falls_first = is_number and name != "place"
    order = {name: "ascending", f"-{name}": "descending"}.get(sort)
    following = f"-{name}" if order == "ascending" or (order is None and falls_first) else name
    head, meaning = column_words(statistic, name, lang)
    return ColumnHead(name=name, head=head, meaning=meaning, is_number=is_number, sort=following, order=order)


def column_words(statistic: Statistic, name: str, lang: str) -> tuple[str, str]:
    """Return the heading and the meaning of a column, also of one that grouping or comparing adds."""
    if name == GROUP:
        return label(lang, "history.group"), say(lang, "stats.group_meaning")
    if name in statistic.heads:
        return statistic.heads[name].replace("_", " "), statistic.columns[name]
    for ending in ENDINGS:
        of = name.removesuffix(f"_{ending}")
        if of in statistic.heads and of != name:
            head = label(lang, f"history.head_{ending}", head=statistic.heads[of])
            return head.replace("_", " "), say(lang, _OF_COMPARED[ending], column=head_text(statistic, of))
    return name.replace("_", " "), ""


def head_text(statistic: Statistic, name: str) -> str:
    """Return the heading of a column as running text."""
    return statistic.heads.get(name, name).replace("_", " ")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


class _Words:
    """The words for the cells of a statistic."""

    def __init__(self, statistic: str, reader: Reader) -> None:
        self._game = _OF_ONE_GAME.get(statistic)
        self._reader = reader
        self._lang = reader.preferences.lang

    def cell(self, name: str, row: Mapping[str, Any], bounds: tuple[str, str] | None) -> Cell:
        value = row[name]
        if value is None:
            return Cell("–")
        between = "" if bounds is None else bounds_text(row[bounds[0]], row[bounds[1]])
        if isinstance(value, bool):
            return Cell(label(self._lang, f"history.{str(value).lower()}"))
        if _is_number(value):
            href = None
            if name == "deal" and row.get("table_name") is not None:
                href = f"/t/{quote(row['table_name'], safe='')}/{value}"
            return Cell(number_text(value), between, href)
        return Cell(self.text(name, row), href=self._href(name, str(value), row))

    def text(self, name: str, row: Mapping[str, Any]) -> Markup | str:
        """Return the words for a value that is no number."""
        value, game = str(row[name]), row.get("game") or self._game
        if "player" in name:
            return self._reader.names.get(value, value)
        if name == "game":
            return game_words(value, self._lang)
        if name in _CARDS and _is_card(value):
            return card_mark(value, self._reader.preferences)
        if name == "trump" and value in SUITS:
            return suit_name(value, self._reader.preferences)
        if name == "code":
            return irregularity_text(value, game, self._lang)
        if name == "severity":
            return label(self._lang, f"severity.{value}")
        if name in (GROUP, "role", "losing_side", "cause") and value in RECORDED_WORDS:
            return say(self._lang, RECORDED_WORDS[value])
        if name in _WORDS:
            return wording_of(game, self._lang).word(value)
        return value

    def _href(self, name: str, value: str, row: Mapping[str, Any]) -> str | None:
        if "player" in name:
            is_open = self._reader.sees_people and value not in self._reader.hidden
            return f"/players/{quote(value, safe='')}" if is_open else None
        if name == "table_name":
            return f"/t/{quote(value, safe='')}"
        if name == "session":
            return f"/sessions/{quote(value, safe='')}"
        if name in ("rule", "code") and row.get("game") in registered_games():
            return f"/rules/{row['game']}#{value}"
        return None


def _is_card(value: str) -> bool:
    return len(value) == 2 and value[0] in SUITS and value[1] in _RANKS


def game_words(game: str, lang: str) -> str:
    """Return the title of a game; its recorded name if it is not installed."""
    known = registered_games().get(game)
    return game if known is None else title_of(known, lang)


@lru_cache(maxsize=1_000)
def irregularity_text(rule: str, game: str | None, lang: str) -> Markup:
    """Return the name of an irregularity with its rule, e.g. `revoke (KOP-11.44)`; the rule alone if it has no name."""
    known = registered_games().get(game or "")
    rules = [] if known is None else load(known.package, lang).rules
    names = [one.cells[0][1] for one in rules if one.id == rule and one.cells]
    return mark_code(f"{names[0]} ({rule})" if names else rule)


def wording_of(game: str | None, lang: str) -> Wording:
    """Return the wording for what a game records, as pages show it."""
    known = registered_games().get(game or "")
    return Wording(lang, is_written=True) if known is None else written_wording_for(known, lang)


def _estimates(
    rows: Sequence[Mapping[str, Any]], name: str, bounds: tuple[str, str] | None, words: _Words
) -> Iterator[Estimate]:
    """Yield the rows that have this estimate with an interval."""
    if bounds is None:
        return
    for row in rows:
        value, low, high = row[name], row[bounds[0]], row[bounds[1]]
        if None in (value, low, high):
            continue
        naming = [_plain(words.text(column, row)) for column in row if column in NAMING and row[column] is not None]
        count = next((row[column] for column in _COUNTS if row.get(column) is not None), None)
        yield Estimate(label=" · ".join(naming), value=float(value), low=float(low), high=float(high), count=count)


def _plain(text: Markup | str) -> str:
    return text.striptags() if isinstance(text, Markup) else str(text)
