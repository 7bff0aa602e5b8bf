"""Options that select tables or describe a new table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click
import msgspec

from ledger import api
from ledger.cli.completion import session_names, table_names
from ledger.cli.errors import wrong_use, wrong_value
from ledger.cli.language import phrase
from ledger.cli.state import CliState
from ledger.errors import listed
from ledger.events import Slug
from ledger.games import registered_games

if TYPE_CHECKING:
    from ledger.log.base import LogStore
    from ledger.table.repository import TableAsRead

Command = TypeVar("Command", bound=Callable[..., Any])


def single_option(*names: str, **attributes: Any) -> Callable[[Command], Command]:
    """Return an option that may be given only once; click would silently keep the last value."""
    return click.option(*names, multiple=True, callback=_only_one, **attributes)


def _only_one(context: click.Context, param: click.Parameter, values: Sequence[Any]) -> Any:
    if len(values) > 1:
        texts = [f"{value:%Y-%m-%d}" if isinstance(value, datetime) else str(value) for value in values]
        raise wrong_value(param.opts[0], phrase("usage.twice", texts=listed(texts)))
    return values[0] if values else None


def check_game(game: str) -> None:
    """Raise `UsageError` listing the games if there is no game of this name."""
    if game not in registered_games():
        raise wrong_use("no_game", text=game, known=tuple(sorted(registered_games())))


def check_slug(option: str, slug: str) -> None:
    """Raise `UsageError` if the text cannot name a table or session."""
    try:
        msgspec.convert(slug, Slug)
    except msgspec.ValidationError:
        raise wrong_value(option, phrase("usage.no_slug", text=slug)) from None


def option_named(text: str) -> tuple[str, object]:
    """Parse `ante=10` or `all_pass=spadille_forced`; return the name and the value, which is JSON if possible, else a
    word.
    """
    name, is_pair, value = text.partition("=")
    if not is_pair or not name:
        raise wrong_value("--option", phrase("usage.no_pair", text=text))
    try:
        return name, msgspec.json.decode(value)
    except msgspec.DecodeError:
        return name, value


A_TABLE_A_LINE: Final = "All tables; JSON: one table a line."


def table_options(of_all: str) -> Callable[[Command], Command]:
    """Add an argument for one table, `--all`, and the options for the reading; `of_all` is the help of `--all`."""

    def with_options(command: Command) -> Command:
        for option in (
            click.option("--as-of", metavar="POSITION|TIME", help="Read the record as it was then."),
            click.option("--as-recorded", is_flag=True, help="Read the record as first written, without corrections."),
            click.option("--all", "all_tables", is_flag=True, help=of_all),
            click.argument("table", required=False, shell_complete=table_names),
        ):
            command = option(command)
        return command

    return with_options


session_option: Final = single_option(
    "--session", metavar="SESSION", help="All tables of this session; like --all.", shell_complete=session_names
)


def chosen_tables(
    state: CliState,
    store: LogStore,
    table: str | None,
    all_tables: bool,
    *,
    session: str | None = None,
    **reading: Any,
) -> Iterator[TableAsRead]:
    """Read the table, or every table for `--all` or `--session`, as corrected or in another chosen reading."""
    if (table is not None) + (session is not None) + all_tables != 1:
        raise wrong_use("which_table")
    return api.read_tables(store, table, session=session, names=state.names(store), **reading)
