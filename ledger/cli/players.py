"""The command `players`: who stands in the record, and which name is shown for whom."""

from __future__ import annotations

from difflib import get_close_matches

import click

from ledger.cli.errors import wrong_use
from ledger.cli.output import format_option, print_json, show
from ledger.cli.state import CliState
from ledger.cli.words import phrase
from ledger.errors import ConflictError, NotFoundError, listed
from ledger.log import open_store
from ledger.log.display_names import checked_display_name
from ledger.table.listing import PlayerRow, player_rows
from ledger.table.lookup import players_of
from ledger.text.players import players_text


@click.command()
@click.argument("player", required=False)
@click.option("--name", help="Show this name for PLAYER.")
@click.option("--forget", is_flag=True, help="Erase the name shown for PLAYER.")
@format_option
@click.pass_obj
def players(state: CliState, player: str | None, name: str | None, forget: bool, form: str) -> None:
    """List the players of the record, or say which name is shown for PLAYER.

    The record can never be changed, so keep it under handles (p17, anna) where that matters. Text shows the name set
    here in the place of the handle; JSON, statistics in SQL and exports keep the handle. A name can be erased from the
    file, and the record stays sound.

    Example: trickledger players p17 --name "Anna Nowak"
    """
    if (player is None) != (name is None and not forget) or (name is not None and forget):
        raise wrong_use("which_player")
    if player is not None and name is not None:
        _refuse_misleading(state, player, name)
        with open_store(state.ledger_path) as store:
            store.set_display_name(player, name)
    elif player is not None:
        with open_store(state.ledger_path) as store:
            store.erase_display_name(player)
    rows = [row for row in _all_players(state) if player in (None, row.player)]
    if form == "json":
        print_json(rows)
    else:
        show(players_text(rows, player))


def _all_players(state: CliState) -> list[PlayerRow]:
    with state.store() as store:
        names, tables = store.display_names(), players_of(store)
    return list(player_rows(tables, names))


def _refuse_misleading(state: CliState, player: str, name: str) -> None:
    """A name for somebody whom the record does not know would never be shown; one that is another's misleads."""
    with state.store() as store:
        known = players_of(store)
    if player not in known:
        close = get_close_matches(player, known, 1)
        hint = phrase("perhaps", names=listed(close)) if close else phrase("players_are_listed")
        raise NotFoundError("not_found", phrase("no_player_in_record", text=player, hint=hint))
    if name != player and name in known:
        raise ConflictError("exists", phrase("another_player", text=name))
    checked_display_name(name)  # before the ledger is opened to write: where that fails, too, this is the first to mend
