"""Run `checkpoint` and `receipt`: sign the ledger as it is, and prove what it holds of a deal."""

from __future__ import annotations

from pathlib import Path

import click
from msgspec.structs import asdict

from ledger import api
from ledger.cli.completion import table_names
from ledger.cli.errors import wrong_use
from ledger.cli.language import phrase
from ledger.cli.output import (
    A_FILE,
    check_output,
    is_file_to_be,
    output_file,
    overwrite_option,
)
from ledger.cli.proofs import key_beside
from ledger.cli.state import CliState, command
from ledger.errors import ConflictError
from ledger.log.answers import CheckpointAnswer, CosignAnswer, KeysAnswer, ReceiptAnswer
from ledger.log.paths import checkpoint_of, cosigned_of, public_key_to, receipt_name, secret_key_of
from ledger.log.proof_files import replace_file, write_new
from ledger.log.signed_note import Witness
from ledger.recording.receipting import later_entries
from ledger.streams import TABLE
from ledger.text.files import checkpoint_facts, checkpoint_text, cosigned_text, keys_text, receipt_text


@command()
@click.option("--make-key", "name", metavar="NAME", help="Make the keys, once: NAME is one word for this ledger.")
@click.option("--key", "key_path", type=A_FILE, help="The private key; default: club.key beside club.ledger.")
@click.option(
    "--cosign",
    "witness_path",
    type=A_FILE,
    metavar="KEY",
    help="As a witness with this private key, cosign the checkpoint that is there already, once the ledger holds it.",
)
@click.option("--output", "-o", type=A_FILE, help="Where to write; default: club.checkpoint beside club.ledger.")
def checkpoint(
    state: CliState,
    name: str | None,
    key_path: Path | None,
    witness_path: Path | None,
    output: Path | None,
) -> None:
    """Sign the ledger as it stands: how many entries it has, and the root of a hash tree over all of them.

    Whoever keeps a copy can tell later whether anything of it was changed. A checkpoint that is there already is
    replaced only where the ledger continues it.

    \b
    Example:
      trickledger checkpoint --make-key club.example/ledger
      trickledger checkpoint
      trickledger checkpoint --cosign ann.key
    """
    if witness_path is not None:
        if name is not None or key_path is not None:
            raise wrong_use("cosign_alone")
        _cosign(state, witness_path, output or checkpoint_of(state.ledger_path))
        return
    key_path = key_path or secret_key_of(state.ledger_path)
    if name is not None:
        if output is not None:
            raise wrong_use("make_key_alone")
        _make_keys(state, name, key_path)
        return
    if not key_path.exists():
        raise wrong_use("no_key", file=key_path)
    output = output or checkpoint_of(state.ledger_path)
    check_output(str(output), overwrite=True, but=(checkpoint_of,))
    key = api.read_secret_key(key_path)
    last = _last_checkpoint(output, key.public())
    with state.store() as store:
        made = api.checkpoint(store, key, last)
    replace_file(output, str(made).encode())
    answer = CheckpointAnswer(checkpoint=str(output), **asdict(checkpoint_facts(made)), key=str(key.public()))
    state.print(answer, checkpoint_text(output, made, key.public(), state.lang))


def _cosign(state: CliState, key_path: Path, path: Path) -> None:
    signed = api.read_checkpoint(path, key_beside(state.ledger_path))
    key = api.read_secret_key(key_path)
    remembered = cosigned_of(key_path)
    last = api.read_checkpoint(remembered) if remembered.exists() else None
    with state.store() as store:
        made = api.cosign(store, signed, key, last)
    replace_file(remembered, str(made).encode())  # first: what is not remembered must not be given away
    replace_file(path, str(made).encode())
    witness = Witness.of(key.public())
    answer = CosignAnswer(checkpoint=str(path), **asdict(checkpoint_facts(made)), witness=str(witness))
    state.print(answer, cosigned_text(path, made, witness, state.lang))


def _make_keys(state: CliState, name: str, secret: Path) -> None:
    if not secret.exists():
        check_output(str(secret), overwrite=True, but=(secret_key_of,))
    public = public_key_to(secret)
    key = api.make_keys(name, secret, public)
    answer = KeysAnswer(private_key=str(secret), public_key=str(public), key=str(key))
    state.print(answer, keys_text(secret, public, key, state.lang))


def _last_checkpoint(path: Path, key: api.PublicKey) -> api.Checkpoint | None:
    """What was signed before; raises `ConflictError` where the file is none of ours, which must not be replaced."""
    if not path.exists():
        return None
    last = api.read_checkpoint(path)
    what = last.fault(key)
    if what is not None:
        raise ConflictError("exists", phrase("another_checkpoint", file=path, what=what))
    return last


@command()
@click.argument("table", shell_complete=table_names)
@click.option("--deal", type=click.IntRange(min=1), required=True, help="Which deal.")
@click.option("--output", "-o", type=A_FILE, help="Where to write; default: TABLE-N.receipt. - is standard output.")
@overwrite_option
@click.option("--checkpoint", "checkpoint_path", type=A_FILE, help="Which one to prove it by; default: the newest.")
@click.option("--since", type=A_FILE, help="Prove as well that the ledger has only grown since this older checkpoint.")
def receipt(
    state: CliState,
    table: str,
    deal: int,
    output: Path | None,
    overwrite: bool,
    checkpoint_path: Path | None,
    since: Path | None,
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
    facts = checkpoint_facts(signed)
    answer = ReceiptAnswer(receipt=str(output), entries=len(made.entries), later=later, checkpoint=facts)
    state.print(answer, receipt_text(output, made, later, state.lang))
