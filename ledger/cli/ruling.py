"""The command `ruling`: decides on a deal."""

from __future__ import annotations

from typing import get_args

import click

from ledger import api
from ledger.cli.completion import rule_ids, table_names
from ledger.cli.language import telling_options
from ledger.cli.output import format_option
from ledger.cli.state import CliState
from ledger.cli.writing import show_added, writing_options
from ledger.events import RulingKind
from ledger.text.changes import ruling_text


@click.command()
@click.argument("table", shell_complete=table_names)
@click.argument("kind", type=click.Choice(get_args(RulingKind)))
@click.argument("text")
@click.option("--deal", type=click.IntRange(min=1), required=True, help="Which deal.")
@click.option("--deltas", metavar="AMOUNTS", help="By name: 'Belinda +10, Baron -10'; or by seat: 10,-10,0.")
@click.option("--pool", type=int, metavar="AMOUNT", help="What goes into the pool (or, negative, out of it).")
@click.option("--award", metavar="FIELDS", help="Couillon's: winner=0,strength=2,circle=true,draw_mark=0.")
@click.option("--rule", metavar="ID", help="The rule that it rests on: OMB-6.5, or 6.5.", shell_complete=rule_ids)
@click.option("--dispute", "dispute_version", type=click.IntRange(min=1), metavar="V", help="The dispute it decides.")
@writing_options
@format_option
@telling_options
@click.pass_obj
def ruling(
    state: CliState,
    table: str,
    kind: RulingKind,
    text: str,
    deal: int,
    deltas: str | None,
    pool: int | None,
    award: str | None,
    rule: str | None,
    dispute_version: int | None,
    recording: api.Recording,
    form: str,
) -> None:
    """Rule on a deal of TABLE; TEXT says what is decided and why.

    \b
    adjust   moves points besides the computed ones     --deltas, --pool
    replace  moves these points instead                 --deltas, --pool
    void     annuls the deal
    accept   scores an unscorable deal from its sheet
    award    gives a Couillon deal to a team            --award
    stands   decides that nothing changes

    \b
    trickledger ruling ombre-revoke adjust "a fine for the revoke" --deal 1 --deltas "Belinda +10, Baron -10"
    """
    with state.store() as store:
        added = api.ruling(
            store,
            table,
            kind,
            text,
            deal=deal,
            rule=rule,
            deltas=deltas,
            pool=pool,
            award=award,
            dispute=dispute_version,
            recording=recording,
            names=state.names_for(form, store),
            lang=state.lang,
        )
    show_added(added, ruling_text, form, state.lang)
