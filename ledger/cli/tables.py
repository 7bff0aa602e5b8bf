"""The command `tables`: lists the tables with their players, deals and totals."""

from __future__ import annotations

from collections.abc import Sequence

import click

from ledger.cli.language import telling_options
from ledger.cli.output import format_option, print_json, say, show
from ledger.cli.state import CliState
from ledger.errors import UnreadableError
from ledger.recording.hands import hidden_deals
from ledger.table.listing import TableRow, table_rows
from ledger.table.lookup import ReadAs
from ledger.text.hands import hidden_deals_text
from ledger.text.tables import tables_text


@click.command()
@format_option
@telling_options
@click.pass_obj
def tables(state: CliState, form: str) -> None:
    """List the tables with their players, deals and totals.

    Damaged tables are named in an error after the list; the exit status is then 5.
    """
    rows: list[TableRow] = []
    with state.store() as store:
        try:
            for row in table_rows(store, ReadAs(names=state.names_for(form, store))):
                rows.append(row)
        except UnreadableError:
            if rows:
                _print(rows, form, state.lang)
            raise
        waiting = [] if form == "json" else list(hidden_deals(store))
    _print(rows, form, state.lang)
    if waiting:
        say(hidden_deals_text(waiting, state.lang))


def _print(rows: Sequence[TableRow], form: str, lang: str) -> None:
    if form == "json":
        print_json(rows)
    else:
        show(tables_text(rows, lang))
