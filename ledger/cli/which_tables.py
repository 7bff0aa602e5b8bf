"""Which tables a command answers for, and which reading of their record: options, and the folds they ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, TypeVar

import click

from ledger.cli.errors import wrong_use
from ledger.cli.state import CliState
from ledger.log.base import LogStore
from ledger.table.fold import TableFold
from ledger.table.lookup import ReadAs, fold_table, fold_tables, position_at, slug_of

Command = TypeVar("Command", bound=Callable[..., Any])

A_TABLE_A_LINE: Final = "All tables; JSON: one table a line."


def table_options(of_all: str) -> Callable[[Command], Command]:
    """A table or all of them, and which reading of the record; `of_all` is the help of `--all`."""

    def with_options(command: Command) -> Command:
        for option in (
            click.option("--as-of", metavar="POSITION|TIME", help="The record as it stood then."),
            click.option("--as-recorded", is_flag=True, help="The record as first written, without corrections."),
            click.option("--all", "all_tables", is_flag=True, help=of_all),
            click.argument("table", required=False),
        ):
            command = option(command)
        return command

    return with_options


def reading_asked_for(
    state: CliState,
    store: LogStore,
    table: str | None,
    all_tables: bool,
    as_recorded: bool,
    as_of: str | None,
    form: str,
    unruled: bool = False,
) -> ReadAs:
    """The reading that the options of `table_options` name; they say one table or all of them, never both or none."""
    if (table is None) != all_tables:
        raise wrong_use("which_table")
    until = None if as_of is None else position_at(store, as_of)
    return ReadAs(as_recorded, until, state.names_for(form), unruled)


def folds_of(store: LogStore, table: str | None, read_as: ReadAs) -> Iterator[tuple[str, TableFold]]:
    """The slug and the fold of the table, or one after the other of all tables, where none is named."""
    if table is None:
        yield from fold_tables(store, read_as)
    else:
        yield slug_of(table), fold_table(store, table, read_as)
