"""The command `score`: the score sheet of tables, every payment with its rule."""

from __future__ import annotations

import click

from ledger import api
from ledger.cli.language import telling_options
from ledger.cli.output import format_option, print_json, show
from ledger.cli.state import CliState
from ledger.cli.which_tables import A_TABLE_A_LINE, table_options, tables_asked_for
from ledger.text.score import score_text


@click.command()
@table_options(A_TABLE_A_LINE)
@click.option("--without-rulings", is_flag=True, help="By the rules alone, as if the director had decided nothing.")
@format_option
@telling_options
@click.pass_obj
def score(
    state: CliState,
    table: str | None,
    all_tables: bool,
    as_recorded: bool,
    as_of: str | None,
    without_rulings: bool,
    form: str,
) -> None:
    """The score sheet of TABLE: every payment with the rule that orders it."""
    with state.store() as store:
        reading = {"as_recorded": as_recorded, "as_of": as_of, "without_rulings": without_rulings}
        for read in tables_asked_for(state, store, table, all_tables, form, **reading):
            answer = api.score(store, read, lang=state.lang)
            if form == "json":
                print_json(answer)
            else:
                show(score_text(answer, read.fold, state.lang, state.tz))
