"""The command `tables`: lists the tables with their players, deals and totals."""

from __future__ import annotations

from typing import get_args

import click

from ledger.cli.completion import game_names, player_names, session_names
from ledger.cli.output import say
from ledger.cli.state import CliState, command
from ledger.cli.table_options import check_game, single_option
from ledger.errors import UnreadableError
from ledger.recording.hands import hidden_deals
from ledger.table.listing import TableFilter, TableRow, TableState, table_rows
from ledger.table.repository import ReadAs
from ledger.text.lists import hidden_deals_text, tables_text


@command()
@single_option("--session", help="Only tables of this session.", shell_complete=session_names)
@single_option("--player", help="Only tables at which this player sat.", shell_complete=player_names)
@single_option("--game", help="Only tables of this game.", shell_complete=game_names)
@single_option(
    "--state",
    "table_state",
    type=click.Choice(get_args(TableState)),
    help="Only open tables, those whose match is over, or closed ones.",
)
def tables(
    state: CliState,
    session: str | None,
    player: str | None,
    game: str | None,
    table_state: TableState | None,
) -> None:
    """List the tables with their players, deals and totals.

    A substitute has the points of the deals that they played; the totals by seat are listed, too. Damaged tables are
    named in an error after the list; the exit status is then 5.

    \b
    trickledger tables --session friday --state open
    trickledger tables --player Belinda --game ombre
    """
    if game is not None:
        check_game(game)
    wanted = TableFilter(session=session, player=player, game=game, state=table_state)
    is_filtered = wanted != TableFilter()
    rows: list[TableRow] = []
    with state.store() as store:
        try:
            for row in table_rows(store, ReadAs(names=state.names(store)), wanted):
                rows.append(row)
        except UnreadableError:
            if rows:
                state.print(rows, tables_text(rows, state.lang, is_filtered=is_filtered))
            raise
        waiting = [] if state.is_json or is_filtered else list(hidden_deals(store))
    state.print(rows, tables_text(rows, state.lang, is_filtered=is_filtered))
    if waiting:
        say(hidden_deals_text(waiting, state.lang))
