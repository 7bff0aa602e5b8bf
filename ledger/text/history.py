"""Answers of the read model, its statistics and tables, and its comparison with the ledger."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from msgspec import structs, to_builtins

from ledger.text.catalogue import label
from ledger.text.files import as_of
from ledger.text.layout import Part, table_headed, table_unheaded

if TYPE_CHECKING:
    from rich.table import Table

    from ledger.history import (
        Answer,
        HistoryComparison,
        HistoryDifference,
        OtherDefinition,
        OtherRows,
        Statistic,
        StatisticAnswer,
        TableDescription,
        VerifyHistoryAnswer,
    )
    from ledger.history.questions.history import StatisticRows
    from ledger.history.questions.statistics import Explanation, ListedQuestion


_FORMULA: Final = re.compile(r"[=@\t\r]|[+-](?!\d+(?:\.\d+)?\Z)")
"""The beginning of a cell that a spreadsheet takes for a formula; negative numbers are excluded."""


def rows_table(answer: Answer) -> Table:
    """Return the rows as a table for people, numbers to the right."""
    shown = table_headed()
    for place, name in enumerate(answer.columns):
        is_number = any(_is_number(row[place]) for row in answer.rows)
        shown.add_column(name, justify="right" if is_number else "left")
    for row in answer.rows:
        shown.add_row(*map(_cell, row))
    return shown


def csv_text(names: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return a line of names, then a line for each row; null is empty.

    A text that a spreadsheet would run as a formula gets a leading apostrophe (OWASP, "CSV Injection").
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(map(_csv_value, names))
    writer.writerows([_csv_value(value) for value in row] for row in rows)
    return text.getvalue()


def json_text(value: object) -> str:
    """Return the value as JSON on one line; integers have any size, as in SQL."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=to_builtins)


def json_list(rows: Iterable[object]) -> str:
    """Return a JSON list with one object per line."""
    return "[" + ",\n".join(map(json_text, rows)) + "]"


def json_rows(answer: Answer) -> list[dict[str, Any]]:
    """Return the rows as objects; SQL values of type JSON are decoded."""
    from ledger.history import plain

    named = list(zip(answer.columns, answer.types, strict=True))
    return [
        {
            name: json.loads(value) if kind == "JSON" and value is not None else plain(value)
            for (name, kind), value in zip(named, row, strict=True)
        }
        for row in answer.rows
    ]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def _cell(value: Any) -> str:
    """Return a value for people."""
    from ledger.history import plain

    if value is None:
        return "–"
    simple = plain(value)
    return simple if isinstance(simple, str) else json_text(simple)


def _csv_value(value: Any) -> Any:
    from ledger.history import plain

    simple = plain(value)
    if isinstance(simple, str):
        return f"'{simple}" if _FORMULA.match(simple) else simple
    return json_text(simple) if isinstance(simple, bool | list | dict) else simple


def statistic_text(result: StatisticAnswer, names: Mapping[str, str], lang: str) -> Iterator[Part]:
    """Yield the rows, the filters, and the last ledger entry of the data. `names`: names to show for players."""
    from ledger.history.questions.filters import describe_filters

    if not result.answer.rows:
        yield label(lang, "history.no_deal_fits")
        return
    yield rows_table(_headed(_with_names(result.answer, names), result.name, lang))
    filters = describe_filters(result.filters, names, lang)
    only = f"\n{label(lang, 'history.only', filters=filters)}" if filters else ""
    other = describe_filters(result.compared_filters, names, lang)
    only += f"\n{label(lang, 'history.compared', filters=other)}" if other else ""
    yield f"{only}\n{as_of(result.position, result.digest, lang)}"


def statistic_facts(result: StatisticAnswer) -> StatisticRows:
    """Return the rows as objects with the last ledger entry of the data, for programs."""
    from ledger.history.questions.history import StatisticRows

    rows = json_rows(result.answer)
    return StatisticRows(name=result.name, position=result.position, digest=result.digest, rows=rows)


def _with_names(answer: Answer, names: Mapping[str, str]) -> Answer:
    """Return the answer with names to show in its columns of players."""
    is_player = ["player" in column for column in answer.columns]
    rows = [
        tuple(names.get(cell, cell) if shown else cell for cell, shown in zip(row, is_player, strict=True))
        for row in answer.rows
    ]
    return structs.replace(answer, rows=rows)


def _headed(answer: Answer, name: str, lang: str) -> Answer:
    """Return a statistic's answer with headings, and yes and no in the language."""
    from ledger.history import statistic_named

    heads = dict(_heads(statistic_named(name, lang).heads, lang))
    said = {True: label(lang, "history.true"), False: label(lang, "history.false")}
    rows = [tuple(said[cell] if isinstance(cell, bool) else cell for cell in row) for row in answer.rows]
    return structs.replace(answer, columns=[heads[column] for column in answer.columns], rows=rows)


def _heads(heads: Mapping[str, str], lang: str) -> Iterator[tuple[str, str]]:
    """Yield the headings of columns, including those of grouped and compared rows."""
    from ledger.history.questions.selections import ENDINGS, GROUP

    yield GROUP, label(lang, "history.group")
    for column, head in heads.items():
        yield column, head
        for ending in ENDINGS:
            yield f"{column}_{ending}", label(lang, f"history.head_{ending}", head=head)


def explanation_text(statistic: Statistic, lang: str) -> Iterator[Part]:
    """Yield a statistic's meaning, row by row and column by column."""
    yield f"{statistic.sentence}\n{statistic.row}\n"
    shown = table_unheaded()
    is_headed = any(column != head for column, head in statistic.heads.items())
    for column, meaning in statistic.columns.items():
        shown.add_row(*([column, statistic.heads[column]] if is_headed else [column]), meaning)
    yield shown
    yield "\n" + label(lang, "history.filters", filters=_filters(statistic))


def explanation_facts(statistic: Statistic) -> Explanation:
    """Return a statistic's meaning for programs."""
    from ledger.history.questions.statistics import ExplainedColumn, Explanation

    return Explanation(
        name=statistic.name,
        sentence=statistic.sentence,
        parameters=statistic.parameters,
        row=statistic.row,
        columns=[ExplainedColumn(name=column, meaning=meaning) for column, meaning in statistic.columns.items()],
    )


def statistics_text(known: Collection[Statistic], lang: str) -> Iterator[Part]:
    """Yield all statistics with their meanings."""
    shown = table_unheaded()
    for one in known:
        shown.add_row(one.name, one.sentence)
    yield shown
    yield "\n" + label(lang, "history.more_on_one")


def plots_table(known: Mapping[str, Statistic]) -> Table:
    """Return all plots with their meanings and filters."""
    shown = table_unheaded()
    for name, one in known.items():
        shown.add_row(name, one.sentence, _filters(one))
    return shown


def listed_facts(known: Mapping[str, Statistic]) -> list[ListedQuestion]:
    """Return statistics or plots by name, for programs."""
    from ledger.history.questions.statistics import ListedQuestion

    return [ListedQuestion(name=name, sentence=one.sentence, parameters=one.parameters) for name, one in known.items()]


def _filters(statistic: Statistic) -> str:
    return " ".join(f"--{parameter.replace('_', '-')}" for parameter in statistic.parameters)


def described_text(tables: Sequence[TableDescription], saved: Collection[str], lang: str) -> Iterator[Part]:
    """Yield the tables for queries, each with its columns, and the names of saved queries."""
    from rich.table import Table

    for table in tables:
        yield f"{table.table}: {table.meaning}"
        shown = Table(box=None, show_header=False, padding=(0, 1, 0, 2))
        for column in table.columns:
            shown.add_row(column.name, column.type, column.meaning)
        yield shown
        yield ""
    if saved:
        yield label(lang, "history.saved_questions", names=label(lang, "list").join(saved))


def described_rows(tables: Sequence[TableDescription]) -> Iterator[tuple[str, str, str, str]]:
    """Yield table, name, type and meaning of each column."""
    for table in tables:
        for column in table.columns:
            yield table.table, column.name, column.type, column.meaning


def history_facts(comparison: HistoryComparison, lang: str) -> VerifyHistoryAnswer:
    """Return whether the read model agrees with the ledger, for programs."""
    from ledger.history import VerifyHistoryAnswer

    return VerifyHistoryAnswer(
        agrees=comparison.difference is None,
        position=comparison.head.position,
        digest=comparison.head.digest or "",
        tables=comparison.tables,
        difference=None if comparison.difference is None else _difference_facts(comparison.difference, lang),
    )


def history_text(comparison: HistoryComparison, lang: str) -> Iterator[str]:
    """Yield whether the read model agrees with the ledger, for people."""
    if comparison.difference is None:
        yield label(lang, "verify.history_agrees", tables=comparison.tables, position=f"{comparison.head.position:,}")
        yield label(lang, "verify.ledger_not_checked")
    else:
        what = _difference_sentence(comparison.difference, lang)
        yield label(lang, "verify.history_differs", table=comparison.difference.table, what=what)
        yield label(lang, "verify.make_anew")


def _difference_facts(difference: OtherDefinition | OtherRows, lang: str) -> HistoryDifference:
    from ledger.history import HistoryDifference, OtherDefinition

    what = _difference_sentence(difference, lang)
    if isinstance(difference, OtherDefinition):
        return HistoryDifference(table=difference.table, what=what)
    return HistoryDifference(table=difference.table, what=what, missing=difference.missing, surplus=difference.surplus)


def _difference_sentence(difference: OtherDefinition | OtherRows, lang: str) -> str:
    from ledger.history import OtherDefinition

    if isinstance(difference, OtherDefinition):
        return label(lang, "verify.other_definition")
    return label(lang, "verify.other_rows", missing=f"{difference.missing:,}", surplus=f"{difference.surplus:,}")
