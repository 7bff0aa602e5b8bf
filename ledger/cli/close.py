"""The command `close`: closes a table."""

from __future__ import annotations

import click

from ledger import api
from ledger.cli.completion import table_names
from ledger.cli.language import telling_options
from ledger.cli.output import format_option
from ledger.cli.state import CliState
from ledger.cli.writing import show_added, writing_options
from ledger.text.changes import closing_text


@click.command()
@click.argument("table", shell_complete=table_names)
@click.option("--reason", help="Why it ends, where that is worth a word.")
@writing_options
@format_option
@telling_options
@click.pass_obj
def close(state: CliState, table: str, reason: str | None, recording: api.Recording, form: str) -> None:
    """Close TABLE: nothing more is played at it, and what its end pays out is paid.

    A deal in progress stays unfinished. `correct` takes the closing back:

    \b
    trickledger close ombre-1
    trickledger correct ombre-1 strike --last --reason "they play on"
    """
    with state.store() as store:
        names = state.names_for(form, store)
        added = api.close_table(store, table, reason=reason, recording=recording, names=names, lang=state.lang)
    show_added(added, closing_text, form, state.lang)
