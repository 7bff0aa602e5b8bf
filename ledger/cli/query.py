"""The command `query`: SQL over the whole history, read only."""

from __future__ import annotations

import click
from msgspec import to_builtins
from rich.table import Table

from ledger.cli.history_answers import (
    caught_up_history,
    json_rows,
    print_csv,
    print_rows_json,
    print_table,
    rebuild_option,
    rows_format_option,
)
from ledger.cli.output import console
from ledger.cli.state import CliState
from ledger.errors import MalformedError
from ledger.history import Answer, History, TableDescription


@click.command()
@click.argument("sql", required=False)
@click.option("--list", "is_list", is_flag=True, help="The tables with their columns and what they mean.")
@rebuild_option
@rows_format_option
@click.pass_obj
def query(state: CliState, sql: str | None, is_list: bool, rebuild: bool, form: str) -> None:
    """Ask the history in SQL, for example "SELECT result, count(*) FROM deals GROUP BY ALL".

    Only reading is possible. JSON is a list of objects.
    """
    if (sql is None) != is_list:
        raise click.UsageError('Ask a question in SQL, or say --list. Example: trickledger query "FROM deals LIMIT 5"')
    with caught_up_history(state, rebuild=rebuild) as history:
        if sql is None:
            _print_tables(history, form)
        else:
            _print_answer(_answer(history, sql), form)


def _answer(history: History, sql: str) -> Answer:
    try:
        return history.query(sql)
    except MalformedError as error:
        raise click.UsageError(str(error)) from error  # the question is at fault, not an input to record


def _print_answer(answer: Answer, form: str) -> None:
    if form == "json":
        print_rows_json(json_rows(answer))
    elif form == "csv":
        print_csv(answer.columns, answer.rows)
    else:
        print_table(answer)


def _print_tables(history: History, form: str) -> None:
    described = history.tables()
    if form == "json":
        print_rows_json(to_builtins(described))
    elif form == "csv":
        rows = [
            (table.table, column.name, column.type, column.meaning) for table in described for column in table.columns
        ]
        print_csv(["table", "column", "type", "meaning"], rows)
    else:
        for table in described:
            _print_description(table)


def _print_description(table: TableDescription) -> None:
    click.echo(f"{table.table}: {table.meaning}")
    shown = Table(box=None, show_header=False, padding=(0, 1, 0, 2))
    for column in table.columns:
        shown.add_row(column.name, column.type, column.meaning)
    console().print(shown)
    click.echo()
