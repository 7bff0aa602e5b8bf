"""The command `score`: the score sheet of tables, every payment with its rule."""

from __future__ import annotations

from typing import Any

import click

from ledger import api
from ledger.cli.errors import wrong_use
from ledger.cli.language import telling_options
from ledger.cli.output import format_option, print_json, show
from ledger.cli.state import CliState
from ledger.cli.table_options import A_TABLE_A_LINE, session_option, table_options, tables_asked_for
from ledger.text.score import score_text


@click.command()
@table_options(A_TABLE_A_LINE)
@session_option
@click.option("--deal", type=click.IntRange(min=1), help="Only this deal.")
@click.option("--without-rulings", is_flag=True, help="By the rules alone, as if the director had decided nothing.")
@format_option
@telling_options
@click.pass_obj
def score(
    state: CliState,
    table: str | None,
    deal: int | None,
    session: str | None,
    all_tables: bool,
    as_recorded: bool,
    as_of: str | None,
    without_rulings: bool,
    form: str,
) -> None:
    """The score sheet of TABLE: every payment with the rule that orders it.

    \b
    trickledger score ombre-revoke --deal 1
    """
    if deal is not None and table is None:
        raise wrong_use("deal_of_table")
    with state.store() as store:
        reading: dict[str, Any] = {"as_recorded": as_recorded, "as_of": as_of, "without_rulings": without_rulings}
        for read in tables_asked_for(state, store, table, all_tables, form, session=session, **reading):
            answer = api.score(store, read, deal, lang=state.lang)
            if form == "json":
                print_json(answer)
            else:
                show(score_text(answer, read.fold, state.lang, state.tz, deal=deal))
