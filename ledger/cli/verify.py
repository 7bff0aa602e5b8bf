"""The command `verify`: a ledger, a receipt, or a ledger against what was signed of it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NamedTuple

import click

from ledger import api
from ledger.cli.errors import wrong_use, wrong_value
from ledger.cli.language import phrase
from ledger.cli.output import A_FILE
from ledger.cli.progress import told_activity, told_if_slow
from ledger.cli.proofs import key_beside, public_key, public_keys_of_witnesses
from ledger.cli.state import CliState, command
from ledger.log.signed_note import PublicKey, Witness, cosignatures
from ledger.text.catalogue import label
from ledger.text.verification import proof_facts, proof_text, verification_facts, verification_text


@command()
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
@click.option(
    "--witness",
    "witnesses",
    multiple=True,
    callback=public_keys_of_witnesses,
    metavar="PUBKEY",
    help="Who must have cosigned the checkpoint: the public key of a witness, or its file; again for more.",
)
@click.option(
    "--threshold", type=click.IntRange(min=1), metavar="N", help="How many of the witnesses must; default: all."
)
@click.option(
    "--accept-rollback",
    "reason",
    metavar="REASON",
    help="Keep a ledger that lacks entries it had before, and say why: it is recorded beside the ledger and shown.",
)
def verify(
    state: CliState,
    receipt_path: Path | None,
    old_path: Path | None,
    key: PublicKey | None,
    history: bool,
    witnesses: tuple[Witness, ...],
    threshold: int | None,
    reason: str | None,
) -> None:
    """Read every byte of the ledger again and check the chain; names the first damaged position.

    The exit status is 1 where the ledger is damaged, be it that nothing in it can be read.

    A ledger that lacks an entry which it had when it was last written to is an older copy: that is damage, too, and
    nothing is recorded in it until the newer one is back, or somebody keeps it with --accept-rollback.

    With --consistent-with, the ledger must also continue what was signed of it. With --receipt, a receipt is checked,
    and no ledger is needed. With --witness, its checkpoint, or the one that the ledger must continue, must also be
    cosigned by witnesses.

    With --history, the read model is checked, and the ledger taken as it is; the exit status is 1 where they differ.

    \b
    Example:
      trickledger verify
      trickledger verify --consistent-with january.checkpoint
      trickledger verify --receipt ombre-revoke-1.receipt --key club.pub
      trickledger verify --consistent-with january.checkpoint --witness ann.pub --witness ben.pub --threshold 1
    """
    if history:
        if any((receipt_path, old_path, key, witnesses, threshold, reason)):
            raise wrong_use("history_alone")
        sys.exit(0 if _is_history_sound(state) else 1)
    if reason is not None and not (receipt_path is None and old_path is None):
        raise wrong_use("rollback_of_ledger")
    if witnesses and receipt_path is None and old_path is None:
        raise wrong_use("witness_goes_with")
    asked = _Asked(witnesses, len(witnesses) if threshold is None else threshold)
    if asked.threshold > len({one.raw for one in witnesses}):
        raise wrong_value("--threshold", phrase("usage.too_few_witnesses", all=len(witnesses)))
    if receipt_path is not None:
        if key is None:
            raise wrong_use("receipt_needs_key")
        old = None if old_path is None else api.read_checkpoint(old_path, key)
        damage = _verify_receipt(receipt_path, old, key, asked, state)
    elif old_path is not None:
        key = key or key_beside(state.ledger_path)
        old = api.read_checkpoint(old_path, key, witness=witnesses, threshold=threshold)
        damage = _verify_ledger(state, old, key, asked, None)
    elif key is not None:
        raise wrong_use("key_goes_with")
    else:
        damage = _verify_ledger(state, None, None, asked, reason)
    if damage is not None:
        sys.exit(1)


class _Asked(NamedTuple):
    """The witnesses, and how many of them must have cosigned."""

    witnesses: tuple[Witness, ...]
    threshold: int


def _verify_receipt(
    path: Path, old: api.Checkpoint | None, key: PublicKey, asked: _Asked, state: CliState
) -> api.Damage | None:
    receipt = api.read_receipt(path)
    damage = api.verify_receipt(receipt, key, consistent_with=old, witness=asked.witnesses, threshold=asked.threshold)
    cosigned = cosignatures(receipt.checkpoint.note, asked.witnesses)
    facts = proof_facts(receipt, key, damage, old, cosigned, state.lang)
    state.print(facts, proof_text(receipt, key, damage, old, cosigned, state.lang, state.tz))
    return damage


def _is_history_sound(state: CliState) -> bool:
    from ledger.history import usable_cores
    from ledger.text.history import history_facts, history_text

    with told_if_slow(label(state.lang, "progress.reading_ledger")) as tell:
        found = api.verify_history(state.ledger_path, progress=tell, workers=usable_cores())
    state.print(history_facts(found, state.lang), history_text(found, state.lang))
    return found.difference is None


def _verify_ledger(
    state: CliState,
    old: api.Checkpoint | None,
    key: PublicKey | None,
    asked: _Asked,
    reason: str | None,
) -> api.Damage | None:
    lang = state.lang
    with told_activity(label(lang, "progress.verifying")) as tell:
        found = api.verify(
            state.ledger_path,
            consistent_with=old,
            key=key,
            accept_rollback=reason,
            progress=lambda done, size: tell(label(lang, "progress.verified", done=f"{done:,}", size=f"{size:,}")),
        )
    cosigned = [] if old is None else cosignatures(old.note, asked.witnesses)
    facts = verification_facts(found, old, cosigned, lang)
    state.print(facts, verification_text(found, old, cosigned, lang, state.tz))
    return found.damage
