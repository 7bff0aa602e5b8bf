"""Write the reference of tables and statistics, as a new read model describes them: `python -m tools.reference`."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
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

_USUAL_TYPE: Final = "VARCHAR"

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
    lines = ["", f"A column is {_USUAL_TYPE} unless its type follows its name."]
    lines += ["These columns mean the same in every table that lists them as shared:", ""]
    lines += _columns_of_tables(described.values())
    for table in tables:
        common = [column.name for column in table.columns if _key(column) in shared]
        lines += ["", f"### {table.table}", "", *_sentences(f"{table.meaning}.")]
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
    bounds = {meaning for name, meaning in shared.items() if name in ("low", "high", "mean_low")}
    for name, meaning in counts:
        if meaning in bounds:
            shared.setdefault(name, meaning)
    lines = ["", *_sentences(f"Every statistic takes {_options(common)}."), ""]
    lines += ["These notes hold for each statistic that names them, or that has the option or column:", ""]
    lines += [f"- **{_KNOWN_TITLE}**: {_KNOWN}", *_bullet(words["note.matches"].format(row=f"**{_MATCHES}**:"))]
    for note, title in _NOTES.items():
        lines += _bullet(words[f"note.{note}"].format(row=f"**{title}**:"))
    lines += ["", "A column without a meaning of its own in a statistic has this one:", ""]
    alike: dict[str, list[str]] = {}
    for name, meaning in sorted(shared.items()):
        alike.setdefault(meaning, []).append(name)
    lines += [line for meaning, names in alike.items() for line in _bullet(f"{_codes(names)}: {meaning}")]
    lines += ["", "## The statistics, one by one"]
    for one in known:
        also = [name for name in one.parameters if name not in common]
        notes = [_MATCHES] if "matches" in notes_of(one) else []
        row, _, role = words[f"{one.name}.row"].format().partition(_WITH_A_PLAYER)
        if row != (row := row.replace(f" {_KNOWN}", "")):
            notes.insert(0, _KNOWN_TITLE)
        lines += ["", f"### {one.name}", "", *_sentences(one.sentence), *_sentences(row)]
        options = _options(also).replace(
            "`--player`", f"`--player` ({role.removesuffix('.')})" if role else "`--player`"
        )
        lines += _sentences(f"Also takes {options}.") if also else []
        lines += [f"Notes: {', '.join(notes)}."] if notes else []
        lines += ["", *_columns(one.columns, shared)]
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
            of_lists = _codes(column.meaning.removesuffix(rest) for column in listed)
            types = ", ".join(dict.fromkeys(column.type for column in listed))
            yield from _bullet(f"{_codes(column.name for column in listed)}{_typed(types)}: {of_lists}{rest}")
        else:
            yield from _columns_and_players(list(group))


def _columns_and_players(columns: Sequence[Column]) -> Iterator[str]:
    """Yield each column with its meaning; the player of a seat, `dealer_player` after `dealer`, shares its line."""
    names = {column.name for column in columns}
    for column in columns:
        if column.name.removesuffix("_player") not in names - {column.name}:
            player = f", `{column.name}_player`" if f"{column.name}_player" in names else ""
            yield from _bullet(f"`{column.name}`{_typed(column.type)}{player}: {column.meaning}")


def _typed(type_: str) -> str:
    return "" if type_ == _USUAL_TYPE else f" ({type_})"


def _rest_of_list(column: Column) -> str:
    """Return the rest of a meaning that begins with a listed column, e.g. `calls.seat in order`, or nothing."""
    first, _, rest = column.meaning.partition(" ")
    return f" {rest}" if rest and re.fullmatch(r"\w+\.\w+", first) else ""


def _columns(columns: Mapping[str, str], shared: Mapping[str, str]) -> Iterator[str]:
    """Yield all columns in order, those with a shared meaning by their names alone."""
    for is_shared, group in groupby(columns.items(), key=lambda column: shared.get(column[0]) == column[1]):
        if is_shared:
            yield from _bullet(_codes(name for name, _ in group))
        else:
            for name, meaning in group:
                yield from _bullet(f"`{name}`: {meaning}")


def _codes(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _options(parameters: Iterable[str]) -> str:
    return _codes(f"--{parameter.replace('_', '-')}" for parameter in parameters)


def _sentences(text: str, width: int = 119) -> list[str]:
    """Return the text with one sentence a line, the long ones wrapped."""
    sentences = re.split(r"(?<=[.]) (?=[A-Z])", _with_links(text))
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
