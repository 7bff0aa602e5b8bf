"""The command `open-hands`: shows everybody the hands of deals that ended before their last card."""

from __future__ import annotations

import click

from ledger import api
from ledger.cli.completion import table_names
from ledger.cli.language import telling_options
from ledger.cli.output import format_option, print_json, show
from ledger.cli.state import CliState
from ledger.cli.writing import recorder_option
from ledger.text.lists import opened_text


@click.command()
@click.argument("tables", nargs=-1, metavar="[TABLE]...", shell_complete=table_names)
@click.option("--dry-run", is_flag=True, help="Show what would be opened; record nothing.")
@recorder_option
@format_option
@telling_options
@click.pass_obj
def open_hands(state: CliState, tables: tuple[str, ...], dry_run: bool, recorded_by: str, form: str) -> None:
    """Show everybody the hands of deals that are over at TABLE, or at all tables, and hidden still.

    The service hides the hands of a deal that ended before its last card (voided, conceded, thrown in …) until a later
    deal is played to its end, or its table or session is closed; ledgers of old versions may hold such deals for good.

    \b
    trickledger open-hands --dry-run
    trickledger open-hands kop-3
    """
    with state.store() as store:
        opened = api.open_hands(store, tables, recording=api.Recording(by=recorded_by, dry_run=dry_run))
    if form == "json":
        print_json(opened)
    else:
        show(opened_text(opened, state.lang, is_tried=dry_run))
