"""What `checkpoint`, `receipt` and `verify` share: where the files of proofs lie, and the option of a public key."""

from __future__ import annotations

from pathlib import Path

import click

from ledger.errors import MalformedError
from ledger.log.proof_files import read_public_key
from ledger.log.signed_note import PublicKey

A_FILE = click.Path(path_type=Path, dir_okay=False)


def public_key(context: click.Context, param: click.Parameter, value: str | None) -> PublicKey | None:
    """The value of an option: a public key, or the file that holds it. Where there is a `+`, no file is meant."""
    if value is None or "+" not in value:
        return None if value is None else read_public_key(Path(value))
    try:
        return PublicKey.parse(value)
    except MalformedError as error:
        raise click.BadParameter(str(error), context, param) from None


def secret_key_of(ledger: Path) -> Path:
    """Where the private key lies unless told: beside the ledger."""
    return _beside(ledger, ".key")


def public_key_of(ledger: Path) -> Path:
    return _beside(ledger, ".pub")


def checkpoint_of(ledger: Path) -> Path:
    return _beside(ledger, ".checkpoint")


def _beside(ledger: Path, suffix: str) -> Path:
    """`club.key` of `club.ledger`, but `club.2026.key` of `club.2026`, as there may be a `club.2025`."""
    return ledger.with_name(ledger.name.removesuffix(".ledger") + suffix)
