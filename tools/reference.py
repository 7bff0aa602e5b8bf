"""Write the reference of tables and statistics, as a new read model describes them: `python -m tools.reference`."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import groupby
from pathlib import Path
from typing import Final

import duckdb

from ledger.history.model.schema import create_tables
from ledger.history.questions.history import Column, TableDescription, described_tables
from ledger.history.questions.statistics import Statistic, notes_of, statistics
from ledger.i18n import catalogue
from tools.coverage.page import write_page

PAGE: Final = Path(__file__).parents[1] / "docs" / "reference" / "read-model.md"
STATISTICS_PAGE: Final = PAGE.with_name("statistics.md")

_HEADING: Final = "## The tables\n"
_STATISTICS_HEADING: Final = "## What the statistics share\n"
"""The text of the pages above these headings is written by hand."""

_SHARED_BY: Final = 2
"""A column that so many tables or statistics have, with the same meaning, is described once."""

_UNSHOWN_TYPES: Final = ("VARCHAR", "INTEGER", "BIGINT", "BOOLEAN", "DATE", "TIMESTAMP")
"""The types that follow from the names and meanings of columns; the page explains them once."""

_EXPLAINED_ONCE: Final = re.compile(
    r"; null: (not recorded|none yet|there are no \w+|nobody|nobody did|none|none was made|not known|not decided"
    r"|the hand is not known|only the result was recorded|not complete, or not known|nobody, or not known which of two"
    r"|none of them, or only the result was recorded|not recorded, or nothing to call|they do not|the game has none)$"
    r"|^number of (?=\w+ )|(, |; )UTC(?=,|$)|, in English"
    r"|, if recorded\b|,? with blanks between\b|; \?\? is a card that is not known|, (for example|e\.g\.) \w+$"
)
"""Parts of the meanings of columns that the page explains once, above the tables."""

_NOTES: Final = {
    "by": "`--by`",
    "rulings": "`decided`",
    "intervals": "`low`, `high`",
}
"""The option or column by which a statistic has each note. `--min-deals` has a part of its own on the page."""

_MATCHES: Final = "Matches"
_KNOWN_TITLE: Final = "Known results"
_KNOWN: Final = "Only complete deals with a known result count."
"""A sentence about the rows of most statistics, which the page gives once."""


_OF_STATISTICS: Final = re.compile(
    r"^number of |; share_won is a share of these|; equal [\w ]*share a place$|, sitting out included"
    r"|, as some are neither|(?:; |, )1 is the best"
)
"""Parts of the meanings of columns of statistics that the page explains once."""

_OBVIOUS: Final = ("contract", "deal", "game", "player", "session", "table_name")
"""Columns whose shared meaning is their name."""

_UNLISTED: Final = (
    "The columns that name a row (`player`, `game`, `contract`, `deal`, `session`, `table_name`) are not listed below. "
    "Nor are the bounds of the 95 % interval of each share (by Wilson) and mean (by Student's t), "
    "whose names end in `low` and `high`."
)
_WITH_A_PLAYER: Final = " With a player: "
"""The beginning of a sentence about the rows of a player, which the page gives beside the option."""


def tables_of_schema() -> list[TableDescription]:
    """Return the descriptions of all tables, from a new read model of a service, which has every table."""
    with duckdb.connect() as connection:
        create_tables(connection, is_cut=True)
        return described_tables(connection)


def with_reference(page: str, tables: Sequence[TableDescription]) -> str:
    """Return the page with a current part on the tables."""
    counts = Counter(column for table in tables for column in map(_key, table.columns))
    commonest = {key[0]: key for key, count in reversed(counts.most_common()) if count >= _SHARED_BY}
    shared = set(commonest.values())
    described = {_key(column): column for table in tables for column in table.columns if _key(column) in shared}
    lines = ["", "These columns mean the same in every table that lists them as shared:", ""]
    lines += _columns_of_tables(described.values())
    for table in tables:
        common = [column.name for column in table.columns if _key(column) in shared]
        lines += ["", f"### {table.table}", "", *_sentences(_row(f"{table.meaning}."))]
        lines += _sentences(f"Shared: {_codes(common)}.") if common else []
        own = [column for column in table.columns if _key(column) not in shared]
        lines += ["", *_columns_of_tables(own)] if own else []
    return _with(page, _HEADING, lines)


def with_statistics(page: str, known: Sequence[Statistic]) -> str:
    """Return the page with a current part on the statistics."""
    words = catalogue("ledger.history.questions", "en")
    common = [name for name in known[0].parameters if all(name in one.parameters for one in known)]
    counts = Counter(column for one in known for column in one.columns.items())
    shared = {name: meaning for (name, meaning), count in reversed(counts.most_common()) if count >= _SHARED_BY}
    shared |= {name: meaning for name, meaning in counts if _is_bound(name)}
    lines = ["", *_sentences(f"Every statistic takes {_options(common)}."), ""]
    lines += ["These notes hold for each statistic that names them, or that has the option or column:", ""]
    lines += [f"- **{_KNOWN_TITLE}**: {_KNOWN}", *_bullet(words["note.matches"].format(row=f"**{_MATCHES}**:"))]
    for note, title in _NOTES.items():
        lines += _bullet(words[f"note.{note}"].format(row=f"**{title}**:"))
    lines += ["", *_sentences(_UNLISTED), "These columns mean the same wherever they have no other meaning:", ""]
    alike: dict[str, list[str]] = {}
    for name, meaning in sorted(shared.items()):
        if not _is_bound(name) and name not in _OBVIOUS:
            alike.setdefault(meaning, []).append(name)
    lines += [line for meaning, names in alike.items() for line in _bullet(f"{_codes(names)}: {_short(meaning)}")]
    lines += ["", "## The statistics, one by one"]
    for one in known:
        also = [name for name in one.parameters if name not in common]
        notes = [_MATCHES] if "matches" in notes_of(one) else []
        row, _, role = words[f"{one.name}.row"].format().partition(_WITH_A_PLAYER)
        if row != (row := row.replace(f" {_KNOWN}", "")):
            notes.insert(0, _KNOWN_TITLE)
        lines += ["", f"### {one.name}", "", *_sentences(one.sentence), *_sentences(_row(row))]
        role = role.removesuffix(".").removeprefix("only deals with this player ")
        options = _options(also).replace("`--player`", f"`--player` ({role})" if role else "`--player`")
        lines += _sentences(" ".join([f"Options: {options}.", *(f"{note}." for note in notes)]))
        lines += ["", *_columns(one.columns, set(shared.items()))]
    return _with(page, _STATISTICS_HEADING, lines)


def _with(page: str, heading: str, lines: Sequence[str]) -> str:
    before, separator, _ = page.partition(heading)
    assert separator, f"the page has no line {heading!r}"
    return before + heading + "\n".join(lines) + "\n"


def _key(column: Column) -> tuple[str, str, str]:
    return column.name, column.type, column.meaning


def _columns_of_tables(columns: Iterable[Column]) -> Iterator[str]:
    for rest, group in groupby(columns, key=_rest_of_list):
        if rest:
            listed = list(group)
            meanings = [column.meaning.removesuffix(rest) for column in listed]
            tables = list(dict.fromkeys(meaning.partition(".")[0] for meaning in meanings))
            source = f"columns of {_codes(tables)}" if len(listed) > 1 else _codes(meanings)
            ending = _EXPLAINED_ONCE.sub("", rest)
            yield from _bullet(f"{_codes(column.name for column in listed)}: {source}{ending}")
        else:
            yield from _columns_and_players(list(group))


def _columns_and_players(columns: Sequence[Column]) -> Iterator[str]:
    """Yield each column with its meaning; the player of a seat, `dealer_player` after `dealer`, shares its line."""
    names = {column.name for column in columns}
    for column in columns:
        if column.name.removesuffix("_player") not in names - {column.name}:
            player = f", `{column.name}_player`" if f"{column.name}_player" in names else ""
            meaning = _EXPLAINED_ONCE.sub("", _EXPLAINED_ONCE.sub("", column.meaning)).replace("for example", "e.g.")
            yield from _bullet(f"`{column.name}`{_typed(column.type)}{player}: {meaning}")


def _typed(type_: str) -> str:
    return "" if type_ in _UNSHOWN_TYPES else f" ({type_})"


def _row(text: str) -> str:
    return re.sub(r"^One row for each (\w+);", r"Rows: every \1;", text).replace("One row for each ", "Rows: each ", 1)


def _rest_of_list(column: Column) -> str:
    """Return the rest of a meaning that begins with a listed column, e.g. `calls.seat in order`, or nothing."""
    first, _, rest = column.meaning.partition(" ")
    return f" {rest}" if rest and re.fullmatch(r"\w+\.\w+", first) else ""


def _columns(columns: Mapping[str, str], shared: Set[tuple[str, str]]) -> Iterator[str]:
    """Yield the columns in order, those with a shared meaning by their names alone, and none that are obvious."""
    shown = [one for one in columns.items() if not _is_bound(one[0]) and (one[0] not in _OBVIOUS or one not in shared)]
    for is_shared, group in groupby(shown, key=lambda one: one in shared):
        if is_shared:
            yield from _bullet(_codes(name for name, _ in group))
        else:
            for name, meaning in group:
                yield from _bullet(f"`{name}`: {_short(meaning)}")


def _is_bound(column: str) -> bool:
    return re.fullmatch(r"(\w+_)?(low|high)", column) is not None


def _short(meaning: str) -> str:
    """Return the meaning of a column with a quotient in signs, without what the page explains once."""
    signs = re.sub(r"^(\w+) as a share of (\w+)", r"\1 / \2", meaning)
    return _OF_STATISTICS.sub("", signs.replace("1 is the best of", "in"))


def _codes(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _options(parameters: Iterable[str]) -> str:
    return _codes(f"--{parameter.replace('_', '-')}" for parameter in parameters)


def _sentences(text: str, width: int = 119) -> list[str]:
    """Return the text with one sentence a line, the long ones wrapped."""
    sentences = re.split(r"(?<=[.])(?<!e\.g\.) (?=[A-Z])", _with_links(text))
    return [
        line for one in sentences for line in textwrap.wrap(one, width, break_long_words=False, break_on_hyphens=False)
    ]


def _bullet(text: str) -> list[str]:
    first, *others = _sentences(text, 117)
    return [f"- {first}", *(f"  {line}" for line in others)]


def _with_links(text: str) -> str:
    """Return the text with links to the pages that it names."""
    return re.sub(r"docs/([\w/-]*?([\w-]+)\.md)", r"[\2](../\1)", text)


if __name__ == "__main__":
    PAGE.write_text(with_reference(PAGE.read_text(encoding="utf-8"), tables_of_schema()), encoding="utf-8")
    page = with_statistics(STATISTICS_PAGE.read_text(encoding="utf-8"), list(statistics().values()))
    STATISTICS_PAGE.write_text(page, encoding="utf-8")
    write_page()
