"""The command `receipt`: writes a small file that proves what the ledger holds of a deal."""

from __future__ import annotations

from pathlib import Path

import click

from ledger import api
from ledger.cli.completion import table_names
from ledger.cli.errors import wrong_use
from ledger.cli.language import telling_options
from ledger.cli.output import (
    check_output,
    format_option,
    is_file_to_be,
    output_file,
    overwrite_option,
    print_json,
    show,
)
from ledger.cli.proofs import A_FILE
from ledger.cli.state import CliState
from ledger.log.answers import ReceiptAnswer
from ledger.log.paths import checkpoint_of, receipt_name
from ledger.log.proof_files import replace_file, write_new
from ledger.recording.receipting import later_entries
from ledger.streams import TABLE
from ledger.text.files import checkpoint_facts, receipt_text


@click.command()
@click.argument("table", shell_complete=table_names)
@click.option("--deal", type=click.IntRange(min=1), required=True, help="Which deal.")
@click.option("--output", "-o", type=A_FILE, help="Where to write; default: TABLE-N.receipt. - is standard output.")
@overwrite_option
@click.option("--checkpoint", "checkpoint_path", type=A_FILE, help="Which one to prove it by; default: the newest.")
@click.option("--since", type=A_FILE, help="Prove as well that the ledger has only grown since this older checkpoint.")
@format_option
@telling_options
@click.pass_obj
def receipt(
    state: CliState,
    table: str,
    deal: int,
    output: Path | None,
    overwrite: bool,
    checkpoint_path: Path | None,
    since: Path | None,
    form: str,
) -> None:
    """Write a receipt of a deal of TABLE: a small file that proves what the ledger holds of it.

    Whoever has it and the public key needs nothing else to check it. It rests on the newest checkpoint.

    \b
    Example:
      trickledger receipt ombre-revoke --deal 1
      trickledger verify --receipt ombre-revoke-1.receipt --key club.pub
    """
    checkpoint_path = checkpoint_path or checkpoint_of(state.ledger_path)
    if not checkpoint_path.exists():
        raise wrong_use("no_checkpoint", file=checkpoint_path)
    output = output or Path(receipt_name(TABLE.slug(table), deal))
    check_output(str(output), overwrite=overwrite)
    signed = api.read_checkpoint(checkpoint_path)
    older = None if since is None else api.read_checkpoint(since)
    with state.store() as store:
        made = api.receipt(store, table, deal, signed, older)
        later = later_entries(store, table, deal, signed.tree.size)
    if is_file_to_be(str(output)):
        (replace_file if overwrite else write_new)(output, made.content())
    else:
        with output_file(str(output), overwrite=overwrite) as file:
            file.write(made.content())
    if str(output) == "-":
        return
    if form == "json":
        proven = len(made.entries)
        facts = checkpoint_facts(signed)
        print_json(ReceiptAnswer(receipt=str(output), entries=proven, later=later, checkpoint=facts))
    else:
        show(receipt_text(output, made, later, state.lang))
