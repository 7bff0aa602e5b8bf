"""The command `tables`: lists the tables with their players, deals and totals."""

from __future__ import annotations

import click

from ledger import api
from ledger.cli.language import telling_options
from ledger.cli.output import format_option, print_json, say, show
from ledger.cli.state import CliState
from ledger.text.hands import waiting_text
from ledger.text.tables import tables_text


@click.command()
@format_option
@telling_options
@click.pass_obj
def tables(state: CliState, form: str) -> None:
    """List the tables with their players, deals and totals."""
    with state.store() as store:
        rows = api.tables(store, names=state.names_for(form, store))
        waiting = [] if form == "json" else list(api.hands_waiting(store))
    if form == "json":
        print_json(rows)
        return
    show(tables_text(rows, state.lang))
    if waiting:
        say(waiting_text(waiting, state.lang))
