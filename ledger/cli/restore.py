"""The command `restore`: makes a ledger of a backup."""

from __future__ import annotations

from pathlib import Path

import click

from ledger import api
from ledger.cli.language import telling_options
from ledger.cli.output import format_option, print_json, say
from ledger.cli.progress import told_progress
from ledger.cli.proofs import A_FILE
from ledger.cli.state import CliState
from ledger.log.answers import RestoreAnswer
from ledger.text.files import restored_text


@click.command()
@click.argument("backup", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("target", required=False, type=A_FILE)
@click.option("--overwrite", is_flag=True, help="Replace the ledger where there is one already.")
@format_option
@telling_options
@click.pass_obj
def restore(state: CliState, backup: Path, target: Path | None, overwrite: bool, form: str) -> None:
    """Make a ledger of BACKUP, and read it back; BACKUP stays as it is.

    TARGET is where the ledger is to be; default: the ledger's path (--ledger). Where there is a ledger already, nothing
    is done without --overwrite.

    Example: trickledger --ledger restored.ledger restore /media/stick/club-2026-01-05-183000.ledger
    """
    with told_progress(state.lang) as tell:
        copied = api.restore(backup, target or state.ledger_path, overwrite=overwrite, progress=tell)
    if form == "json":
        print_json(RestoreAnswer(ledger=str(copied.path), entries=copied.entries, digest=copied.digest))
    else:
        say(restored_text(backup, copied, state.lang))
