"""The command `players`: who stands in the record, and which name is shown for whom."""

from __future__ import annotations

import click

from ledger import api
from ledger.cli.completion import recorded_player_names
from ledger.cli.errors import wrong_use
from ledger.cli.language import telling_options
from ledger.cli.output import format_option, print_json, show
from ledger.cli.state import CliState
from ledger.text.players import players_text


@click.command()
@click.argument("player", required=False, shell_complete=recorded_player_names)
@click.option("--name", help="Show this name for PLAYER.")
@click.option("--forget", is_flag=True, help="Erase the name shown for PLAYER.")
@format_option
@telling_options
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
        api.name_player(state.ledger_path, player, name)
    elif player is not None:
        api.forget_name(state.ledger_path, player)
    with state.store() as store:
        rows = [row for row in api.players(store) if player in (None, row.player)]
    if form == "json":
        print_json(rows)
    else:
        show(players_text(rows, player, state.lang))
