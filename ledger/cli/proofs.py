"""What `checkpoint`, `receipt` and `verify` share: options that name a file or a public key, and the key beside."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import click

from ledger.cli.errors import wrong_use, wrong_value
from ledger.errors import MalformedError
from ledger.log.paths import public_key_of
from ledger.log.proof_files import read_public_key, read_witness
from ledger.log.signed_note import PublicKey, Witness

Key = TypeVar("Key")


def public_key(context: click.Context, param: click.Parameter, value: str | None) -> PublicKey | None:
    """The value of an option: a public key, or the file that holds it. Where there is a `+`, no file is meant."""
    return None if value is None else _of_text_or_file(param, value, PublicKey.parse, read_public_key)


def public_keys_of_witnesses(
    context: click.Context, param: click.Parameter, values: tuple[str, ...]
) -> tuple[Witness, ...]:
    """The values of an option: the public keys of witnesses, or their files."""
    return tuple(_of_text_or_file(param, value, Witness.parse, read_witness) for value in values)


def _of_text_or_file(
    param: click.Parameter, value: str, parse: Callable[[str], Key], read: Callable[[Path], Key]
) -> Key:
    if "+" not in value:
        return read(Path(value))
    try:
        return parse(value)
    except MalformedError as error:
        raise wrong_value(max(param.opts, key=len), error.said) from None


def key_beside(ledger: Path) -> PublicKey:
    """The public key beside the ledger, by which its checkpoints are checked unless told."""
    path = public_key_of(ledger)
    if not path.exists():
        raise wrong_use("no_public_key", file=path)
    return read_public_key(path)
