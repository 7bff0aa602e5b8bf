"""The command `verify`: a ledger, a receipt, or a ledger against what was signed of it."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ledger import api
from ledger.cli.errors import wrong_use
from ledger.cli.language import telling_options
from ledger.cli.output import format_option, print_json, show
from ledger.cli.progress import told_activity, told_if_slow
from ledger.cli.proofs import A_FILE, public_key
from ledger.cli.state import CliState
from ledger.log.companions import public_key_of
from ledger.log.proof_files import read_public_key
from ledger.log.signed_note import PublicKey
from ledger.text.verification import proof_facts, proof_text, verification_facts, verification_text
from ledger.text.words import label


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
@click.option("--history", is_flag=True, help="Compare every table of the read model with one that is made anew.")
@format_option
@telling_options
@click.pass_obj
def verify(
    state: CliState,
    receipt_path: Path | None,
    old_path: Path | None,
    key: PublicKey | None,
    history: bool,
    form: str,
) -> None:
    """Read every byte of the ledger again and check the chain; names the first damaged position.

    The exit status is 1 where the ledger is damaged, be it that nothing in it can be read.

    With --consistent-with, the ledger must also continue what was signed of it. With --receipt, a receipt is checked,
    and no ledger is needed. With --history, the read model is checked, and the ledger taken as it is; the exit status
    is 1 where the two differ.

    \b
    Example:
      trickledger verify
      trickledger verify --consistent-with january.checkpoint
      trickledger verify --receipt ombre-revoke-1.receipt --key club.pub
    """
    if history:
        if any((receipt_path, old_path, key)):
            raise wrong_use("history_alone")
        sys.exit(0 if _is_history_sound(state.ledger_path, form, state.lang) else 1)
    if receipt_path is not None:
        if key is None:
            raise wrong_use("receipt_needs_key")
        old = None if old_path is None else api.read_checkpoint(old_path, key)
        damage = _verify_receipt(receipt_path, old, key, form, state)
    elif old_path is not None:
        old = api.read_checkpoint(old_path, key or _key_beside(state.ledger_path))
        damage = _verify_ledger(state.ledger_path, old, form, state.lang)
    elif key is not None:
        raise wrong_use("key_goes_with")
    else:
        damage = _verify_ledger(state.ledger_path, None, form, state.lang)
    if damage is not None:
        sys.exit(1)


def _key_beside(ledger: Path) -> PublicKey:
    path = public_key_of(ledger)
    if not path.exists():
        raise wrong_use("no_public_key", file=path)
    return read_public_key(path)


def _verify_receipt(
    path: Path, old: api.Checkpoint | None, key: PublicKey, form: str, state: CliState
) -> api.Damage | None:
    receipt = api.read_receipt(path)
    damage = api.verify_receipt(receipt, key, consistent_with=old)
    if form == "json":
        print_json(proof_facts(receipt, key, damage, state.lang))
    else:
        show(proof_text(receipt, key, damage, old, state.lang, state.tz))
    return damage


def _is_history_sound(path: Path, form: str, lang: str) -> bool:
    from ledger.history import usable_cores
    from ledger.text.verification_of_history import history_facts, history_text

    with told_if_slow(label(lang, "progress.reading_ledger")) as tell:
        found = api.verify_history(path, progress=tell, workers=usable_cores())
    if form == "json":
        print_json(history_facts(found, lang))
    else:
        show(history_text(found, lang))
    return found.difference is None


def _verify_ledger(path: Path, old: api.Checkpoint | None, form: str, lang: str) -> api.Damage | None:
    with told_activity(label(lang, "progress.verifying")) as tell:
        found = api.verify(
            path,
            consistent_with=old,
            progress=lambda done, size: tell(label(lang, "progress.verified", done=f"{done:,}", size=f"{size:,}")),
        )
    if form == "json":
        print_json(verification_facts(found, old, lang))
    else:
        show(verification_text(found, old, lang))
    return found.damage
