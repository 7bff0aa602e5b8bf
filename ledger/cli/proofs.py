"""What `checkpoint`, `receipt` and `verify` share: options that name a file or a public key."""

from __future__ import annotations

from pathlib import Path

import click

from ledger.cli.errors import wrong_value
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
        raise wrong_value(max(param.opts, key=len), error.said) from None
