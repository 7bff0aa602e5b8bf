"""Which tables a command answers for, and which reading of their record: options, and the tables they ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from ledger import api
from ledger.cli.completion import session_names, table_names
from ledger.cli.errors import wrong_use
from ledger.cli.filters import single_option
from ledger.cli.state import CliState

if TYPE_CHECKING:
    from ledger.log.base import LogStore
    from ledger.table.repository import TableAsRead

Command = TypeVar("Command", bound=Callable[..., Any])

A_TABLE_A_LINE: Final = "All tables; JSON: one table a line."


def table_options(of_all: str) -> Callable[[Command], Command]:
    """A table or all of them, and which reading of the record; `of_all` is the help of `--all`."""

    def with_options(command: Command) -> Command:
        for option in (
            click.option("--as-of", metavar="POSITION|TIME", help="The record as it stood then."),
            click.option("--as-recorded", is_flag=True, help="The record as first written, without corrections."),
            click.option("--all", "all_tables", is_flag=True, help=of_all),
            click.argument("table", required=False, shell_complete=table_names),
        ):
            command = option(command)
        return command

    return with_options


session_option: Final = single_option(
    "--session", metavar="SESSION", help="All tables of this session, as --all.", shell_complete=session_names
)


def tables_asked_for(
    state: CliState,
    store: LogStore,
    table: str | None,
    all_tables: bool,
    form: str,
    *,
    session: str | None = None,
    **reading: Any,
) -> Iterator[TableAsRead]:
    """The tables that the options of `table_options` name, read so; exactly one of the three says which."""
    if (table is not None) + (session is not None) + all_tables != 1:
        raise wrong_use("which_table")
    return api.read_tables(store, table, session=session, names=state.names_for(form, store), **reading)
