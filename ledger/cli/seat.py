"""The command `seat`: records that a player sits down for another one."""

from __future__ import annotations

import click

from ledger import api
from ledger.cli.completion import player_names, recorded_player_names, table_names
from ledger.cli.language import telling_options
from ledger.cli.output import format_option
from ledger.cli.state import CliState
from ledger.cli.writing import show_added, writing_options
from ledger.text.changes import seating_text


@click.command()
@click.argument("table", shell_complete=table_names)
@click.argument("seat", metavar="SEAT|NAME", shell_complete=player_names)
@click.argument("player", shell_complete=recorded_player_names)
@writing_options
@format_option
@telling_options
@click.pass_obj
def seat(state: CliState, table: str, seat: str, player: str, recording: api.Recording, form: str) -> None:
    """Seat PLAYER at TABLE for the player in that seat, between two deals.

    Deals played before count for those who played them. `correct` takes the substitution back:

    \b
    trickledger seat ombre-1 Baron Clarissa
    trickledger correct ombre-1 strike --last --reason "the Baron came back"
    """
    with state.store() as store:
        names = state.names_for(form, store)
        added = api.seat(store, table, seat, player, recording=recording, names=names, lang=state.lang)
    show_added(added, seating_text, form, state.lang)
