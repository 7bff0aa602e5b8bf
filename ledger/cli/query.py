"""The command `query`: read-only SQL over the history, from an argument, a saved query or a prompt."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec import Struct, to_builtins

from ledger import api, limits
from ledger.cli.completion import question_names
from ledger.cli.errors import print_error, wrong_use, wrong_value
from ledger.cli.filters import caught_up_history, lake_option, read_model_options
from ledger.cli.language import phrase
from ledger.cli.numbers import Decimal, WholeNumber
from ledger.cli.output import (
    ROW_FORMS,
    check_output,
    format_from,
    output_file,
    output_option,
    print_utf8,
    printing_to,
    say,
    show,
)
from ledger.cli.state import CliState, command
from ledger.text.catalogue import label
from ledger.text.history import csv_text, described_rows, described_text, json_list, json_rows, rows_table

if TYPE_CHECKING:
    from ledger.history import Answer, History, TableDescription
    from ledger.history.questions.saved import SavedQuestions


class AnswerOptions(Struct, frozen=True, kw_only=True):
    """Format, limits and destination of an answer."""

    form: str
    timeout: float
    max_rows: int
    output: str
    overwrite: bool
    read_model: Path | None


def a_number(context: click.Context, param: click.Parameter, value: float) -> float:
    """Return the number; raise click's error for `nan`, which every range accepts."""
    if isnan(value):
        raise wrong_value(param.opts[0], phrase("usage.no_number", text="nan"))
    return value


@command(has_format=False)
@click.argument("question", required=False, shell_complete=question_names)
@click.option("--list", "is_list", is_flag=True, help="List the tables with their columns and what they mean.")
@click.option("--shell", "is_shell", is_flag=True, help="Open a prompt; each query ends with a semicolon.")
@click.option(
    "--save",
    "name",
    metavar="NAME",
    help="Save the query under NAME once it has been answered; run it later with `query NAME`.",
)
@click.option(
    "--timeout", type=Decimal(0.1, 86_400), callback=a_number, default=limits.QUERY_SECONDS, show_default=True,
    metavar="SECONDS", help="The longest time that a query may take.",
)  # fmt: skip
@click.option(
    "--max-rows",
    type=WholeNumber(1),
    default=limits.QUERY_ROWS,
    show_default=True,
    help="The most rows that an answer may have.",
)
@lake_option
@read_model_options
@output_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "csv", "parquet"]),
    help="The format of the answer; default: by the ending of --output, else text.",
)
def query(
    state: CliState,
    question: str | None,
    is_list: bool,
    is_shell: bool,
    name: str | None,
    timeout: float,
    max_rows: int,
    read_model: Path | None,
    rebuild: bool,
    output: str,
    overwrite: bool,
    form: str | None,
) -> None:
    """Query the history in SQL, for example "SELECT result, count(*) FROM deals GROUP BY ALL", or by a saved name.

    A query can only read, and is limited in time, memory and size. JSON is a list of rows, each an object.

    \b
    trickledger query "FROM deals" -o deals.parquet
    """
    if (question is not None) + is_list + is_shell != 1:
        raise wrong_use("ask")
    if name is not None and question is None:
        raise wrong_use("save_what")
    check_output(output, overwrite=overwrite)
    form = format_from(output, form, ROW_FORMS)
    if form == "parquet":
        _refuse_parquet_on_a_screen(output, is_list=is_list, is_shell=is_shell)
    options = AnswerOptions(
        form=form, timeout=timeout, max_rows=max_rows, output=output, overwrite=overwrite, read_model=read_model
    )
    saved = api.saved_questions(state.ledger)
    sql = None if question is None else _sql_of(saved, question)
    if name is not None:
        saved.refuse_taken(name)
    with caught_up_history(state, read_model, rebuild=rebuild) as history:
        if sql is not None:
            _answer_once(history, sql, options)
        elif is_list:
            with _printed_to(options):
                _print_tables(api.query_tables(history, lang=state.lang), saved.names(), form, state.lang)
        tables = api.query_tables(history, lang=state.lang) if is_shell else []
    if name is not None and sql is not None:
        say(label(state.lang, "history.saved", file=saved.save(name, sql), name=name), err=True)
    if is_shell:
        from ledger.cli.query_shell import run_shell

        with _printed_to(options):
            run_shell(
                tables,
                saved.names(),
                lambda text: _answer_anew(state, _sql_of(saved, text.strip()), options),
                lambda error: print_error(error, state.lang, as_json=form == "json"),
                state.lang,
            )


def _sql_of(saved: SavedQuestions, question: str) -> str:
    """Return the query itself, or the saved one of this name."""
    from ledger.history.questions.saved import is_name

    return saved.sql(question) if is_name(question) else question


def _refuse_parquet_on_a_screen(output: str, *, is_list: bool, is_shell: bool) -> None:
    if is_list or is_shell:
        raise wrong_use("parquet_with_question")
    if output == "-" and sys.stdout.isatty():
        raise wrong_use("parquet_on_screen")


def _answer_once(history: History, sql: str, options: AnswerOptions) -> None:
    if options.form == "parquet":
        with output_file(options.output, overwrite=options.overwrite) as file:
            api.query_to_parquet(history, sql, file, timeout=options.timeout, max_rows=options.max_rows)
        return
    answer = api.query(history, sql, timeout=options.timeout, max_rows=options.max_rows)
    with _printed_to(options):
        _print_answer(answer, options.form)


def _answer_anew(state: CliState, sql: str, options: AnswerOptions) -> None:
    """Answer as of now; nothing stays open between two queries, so that others can update the read model."""
    with caught_up_history(state, options.read_model, rebuild=False) as history:
        answer = api.query(history, sql, timeout=options.timeout, max_rows=options.max_rows)
        _print_answer(answer, options.form)


@contextmanager
def _printed_to(options: AnswerOptions) -> Iterator[None]:
    """Redirect everything printed inside the block to the file of `--output`."""
    with output_file(options.output, overwrite=options.overwrite) as file, printing_to(file):
        yield


def _print_answer(answer: Answer, form: str) -> None:
    if form == "json":
        print_utf8(json_list(json_rows(answer)))
    elif form == "csv":
        print_utf8(csv_text(answer.columns, answer.rows), nl=False)
    else:
        show([rows_table(answer)])


def _print_tables(tables: Sequence[TableDescription], saved: Sequence[str], form: str, lang: str) -> None:
    if form == "json":
        print_utf8(json_list(to_builtins(tables)))
    elif form == "csv":
        print_utf8(csv_text(["table", "column", "type", "meaning"], described_rows(tables)), nl=False)
    else:
        show(described_text(tables, saved, lang))
