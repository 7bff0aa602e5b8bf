"""The command `verify`: a ledger, a receipt, or a ledger against what was signed of it."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ledger.cli.errors import wrong_use
from ledger.cli.output import format_option, print_json, show
from ledger.cli.progress import told_activity
from ledger.cli.proofs import A_FILE, public_key
from ledger.cli.state import CliState
from ledger.errors import MalformedError, in_file
from ledger.log.checkpoint import Checkpoint
from ledger.log.companions import public_key_of
from ledger.log.proof_files import read_checkpoint, read_public_key, read_receipt
from ledger.log.signed_note import PublicKey
from ledger.log.verify import Damage
from ledger.log.verify import verify as verify_ledger
from ledger.text.verification import proof_facts, proof_text, verification_facts, verification_text


@click.command()
@click.option("--receipt", "receipt_path", type=A_FILE, help="Check this receipt; no ledger is needed.")
@click.option(
    "--consistent-with",
    "old_path",
    type=A_FILE,
    metavar="OLD_CHECKPOINT",
    help="Check that the ledger has only grown since this checkpoint (or the one in a receipt) was signed.",
)
@click.option(
    "--key",
    callback=public_key,
    metavar="KEY",
    help="The public key, or its file; default for --consistent-with: club.pub beside club.ledger.",
)
@format_option
@click.pass_obj
def verify(state: CliState, receipt_path: Path | None, old_path: Path | None, key: PublicKey | None, form: str) -> None:
    """Read every byte of the ledger again and check the chain; names the first damaged position.

    The exit status is 1 where the ledger is damaged, be it that nothing in it can be read.

    With --consistent-with, the ledger must also continue what was signed of it. With --receipt, a receipt is checked,
    and no ledger is needed.

    \b
    Example:
      trickledger verify
      trickledger verify --consistent-with january.checkpoint
      trickledger verify --receipt ombre-revoke-1.receipt --key club.pub
    """
    if receipt_path is not None:
        if key is None:
            raise wrong_use("receipt_needs_key")
        damage = _verify_receipt(receipt_path, _older_checkpoint(old_path, key), key, form)
    elif old_path is not None:
        damage = _verify_ledger(
            state.ledger_path, _older_checkpoint(old_path, key or _key_beside(state.ledger_path)), form
        )
    elif key is not None:
        raise wrong_use("key_goes_with")
    else:
        damage = _verify_ledger(state.ledger_path, None, form)
    if damage is not None:
        sys.exit(1)


def _key_beside(ledger: Path) -> PublicKey:
    path = public_key_of(ledger)
    if not path.exists():
        raise wrong_use("no_public_key", file=path)
    return read_public_key(path)


def _older_checkpoint(path: Path | None, key: PublicKey) -> Checkpoint | None:
    """The older checkpoint; one that was not signed with the key says nothing about the ledger and is refused."""
    if path is None:
        return None
    old = read_checkpoint(path)
    what = old.fault(key)
    if what is not None:
        raise MalformedError(f"the checkpoint cannot be relied on: {what}", where=in_file(path))
    return old


def _verify_receipt(path: Path, old: Checkpoint | None, key: PublicKey, form: str) -> Damage | None:
    receipt = read_receipt(path)
    damage = receipt.fault(key, None if old is None else old.tree)
    if form == "json":
        print_json(proof_facts(receipt, key, damage))
    else:
        show(proof_text(receipt, key, damage, old))
    return damage


def _verify_ledger(path: Path, old: Checkpoint | None, form: str) -> Damage | None:
    with told_activity("verifying") as tell:
        found = verify_ledger(
            path,
            signed=None if old is None else old.tree,
            progress=lambda done, size: tell(f"verifying: {done:,} of {size:,} entries"),
        )
    if form == "json":
        print_json(verification_facts(found, old))
    else:
        show(verification_text(found, old))
    return found.damage
