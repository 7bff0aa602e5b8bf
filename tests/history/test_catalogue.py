"""The words of statistics, plots and tables: each exists once, and the database has those of tables in English."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pytest

from ledger.errors import LedgerError
from ledger.history import FILTERS, Filters, check_parameters, plot_queries, statistic_named, statistics
from ledger.history.questions.history import with_meanings
from ledger.history.questions.selections import check_selections
from ledger.i18n import LANGUAGES, catalogue
from ledger.plots.export import FORMS, form_of
from ledger.plots.figures import plot_named, plots
from tools.reference import tables_of_schema

QUESTIONS = catalogue("ledger.history.questions", "en")
TABLES = catalogue("ledger.history.model", "en")


def keys_of_columns(words: Mapping[str, str], table: str, columns: Iterable[str], *, head: str = "") -> set[str]:
    """Return the keys of a table's columns."""
    own = {column: f"{table}.{head}{column}" for column in columns}
    common = head.rstrip("_") or "column"
    return {key if key in words else f"{common}.{column}" for column, key in own.items()}


def repeated(words: Mapping[str, str]) -> list[str]:
    """Return the keys whose text repeats that of all columns with the name."""
    parts = [(key, *key.split(".")) for key in words]
    return [key for key, table, name in parts if table != "column" and words[key] == words.get(f"column.{name}")]


def test_every_statistic_and_plot_has_its_words() -> None:
    used: set[str] = set()
    for name, statistic in statistics().items():
        used |= {f"{name}.sentence", f"{name}.row"}
        used |= keys_of_columns(QUESTIONS, name, statistic.columns) | keys_of_columns(
            QUESTIONS, name, statistic.columns, head="head_"
        )
    for name in plot_queries():
        used |= {f"plot-{name}.sentence", f"plot-{name}.row"}
    used |= {f"note.{note}" for note in ("by", "min_deals", "matches", "rulings", "intervals")}
    assert used == set(QUESTIONS)
    assert repeated(QUESTIONS) == []


def test_every_table_and_column_has_its_words_and_no_word_is_left_over() -> None:
    used: set[str] = set()
    for table in tables_of_schema():
        used |= {f"{table.table}.row"} | keys_of_columns(TABLES, table.table, (column.name for column in table.columns))
        units = {f"unit.{unit}" for column in table.columns for unit in (column.name, column.type.lower())}
        used |= units & set(TABLES)
    assert used | {"partition.game", "partition.year"} == set(TABLES)
    assert repeated(TABLES) == []


def test_a_new_read_model_has_its_english_words_as_comments() -> None:
    tables = tables_of_schema()
    assert [with_meanings(table, "en") for table in tables] == tables
    said = {column.meaning for table in tables for column in table.columns}
    carried_over = 'what is carried over after the last deal, for example {"pool": 5}'
    assert {"the deal's number at its table", carried_over} <= said


def test_english_heads_are_the_names_of_the_columns() -> None:
    assert all(column == head for one in statistics().values() for column, head in one.heads.items())


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_two_columns_of_a_statistic_have_the_same_head(lang: str) -> None:
    for statistic in statistics(lang).values():
        assert len(set(statistic.heads.values())) == len(statistic.heads), statistic.name


def _standings(**given: Any) -> None:
    check_selections(statistics()["standings"], Filters(**given))


NO_DAY = "season_from: not allowed: '02-30'; expected MM-DD, a day that every year has, e.g. 09-01"
NO_FORM = f"the ending of evening.docx names no known format; use a file that ends in {', '.join(FORMS)}"


@pytest.mark.parametrize(("refused", "message", "names"), [
    (lambda: statistic_named("medals"), f"there is no statistic medals; there are {', '.join(statistics())}",
     {"medals", *statistics()}),
    (lambda: _standings(compare={"colour": "red"}),
     f"standings has no filter colour; its filters are {', '.join(FILTERS)}, seat, min_deals, by",
     {"colour", "standings", *FILTERS, "seat", "min_deals", "by"}),
    (lambda: _standings(season_from="02-30"), NO_DAY, {"season_from", "02-30", "MM-DD"}),
    (lambda: check_parameters(statistics()["league"], Filters()),
     "league needs rules: a file with the rules of the league",
     {"league", "rules"}),
    (lambda: plot_named("medals"), f"there is no plot medals; there are {', '.join(plots())}", {"medals", *plots()}),
    (lambda: form_of("evening.docx"), NO_FORM, {"evening.docx", *FORMS}),
])  # fmt: skip
def test_a_refusal_names_what_there_is_and_speaks_japanese(
    refused: Callable[[], object], message: str, names: set[str]
) -> None:
    with pytest.raises(LedgerError) as error:
        refused()
    assert str(error.value) == message
    said = error.value.message("ja")
    for name in sorted(names, key=len, reverse=True):
        said = said.replace(name, "")
    assert said and not re.search(r"[A-Za-z]{2,}", said)


@pytest.mark.parametrize(
    ("lang", "warning"), [("en", "about one misses the true value"), ("ja", "およそ一つは真の値を外します")]
)
def test_every_statistic_with_intervals_warns_of_many_side_by_side(lang: str, warning: str) -> None:
    for statistic in statistics(lang).values():
        has_intervals = any(column == "low" or column.endswith("_low") for column in statistic.columns)
        assert (warning in statistic.row) is has_intervals
