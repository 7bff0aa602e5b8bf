"""The small files of proofs: keys and receipts, which are never overwritten, and checkpoints, which are replaced."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from ledger import limits
from ledger.errors import ConflictError, MalformedError, in_file
from ledger.log.atomic_files import publish, write_whole
from ledger.log.catalogue import phrase
from ledger.log.checkpoint import Checkpoint
from ledger.log.receipt import FIRST_LINE, DealReceipt
from ledger.log.signed_note import PublicKey, SecretKey, Witness, missing_cosignatures
from ledger.outside import read_file

Content = TypeVar("Content")

_FOR_OWNER: Final = 0o600
_FOR_ALL: Final = 0o644


def make_keys(name: str, secret: Path, public: Path) -> PublicKey:
    """Create a pair of keys in two new files, the private one readable only for its owner.

    If only the private key of an earlier call exists, the public one is added. Raise `ConflictError` if one of the
    files exists otherwise, and `MalformedError` for an invalid name of a key.
    """
    key = SecretKey.generate(name)
    if public.exists():
        raise _exists(public)
    if secret.exists() and (begun := read_secret_key(secret)).name == name:
        key = begun
    else:
        write_new(secret, f"{key.secret_text()}\n".encode(), _FOR_OWNER)
    write_new(public, f"{key.public()}\n".encode())
    return key.public()


def read_secret_key(path: Path) -> SecretKey:
    """Return the private key in a file. Raise `MalformedError` naming the file if it has another content, or as
    `outside.read_file`.
    """
    return _read_key(path, SecretKey.parse)


def read_public_key(path: Path) -> PublicKey:
    """Return the public key in a file. Raise as `read_secret_key`."""
    return _read_key(path, PublicKey.parse)


def read_witness(path: Path) -> Witness:
    """Return the public key of a witness in a file. Raise as `read_secret_key`."""
    return _read_key(path, Witness.parse)


def read_receipt(path: Path) -> DealReceipt:
    """Return the receipt in a file, unverified. Raise as `read_secret_key`."""
    return read_proof(path, "receipt", limits.RECEIPT_BYTES, DealReceipt.parse)


def read_checkpoint(
    path: Path, key: PublicKey | None = None, witnesses: Sequence[Witness] = (), threshold: int = 0
) -> Checkpoint:
    """Return the checkpoint in a file of its own or in a receipt. Raise as `read_secret_key`.

    It must be signed with the `key`, and cosigned by at least `threshold` of the witnesses, else raise
    `MalformedError`.
    """
    parse = partial(_checkpoint, key=key, witnesses=witnesses, threshold=threshold)
    return read_proof(path, "receipt", limits.RECEIPT_BYTES, parse)


def _checkpoint(content: bytes, key: PublicKey | None, witnesses: Sequence[Witness], threshold: int) -> Checkpoint:
    is_receipt = content.startswith(FIRST_LINE)
    checkpoint = DealReceipt.parse(content).checkpoint if is_receipt else Checkpoint.parse(content)
    why = None if key is None else checkpoint.fault(key)
    why = why or missing_cosignatures(checkpoint.note, witnesses, threshold)
    if why is not None:
        raise MalformedError(phrase("form.unreliable", why=why))
    return checkpoint


def _read_key(path: Path, parse: Callable[[str], Content]) -> Content:
    return read_proof(path, "key", limits.KEY_BYTES, lambda content: parse(content.decode("utf-8", "replace")))


def read_proof(path: Path, what: str, most: int, parse: Callable[[bytes], Content]) -> Content:
    """Return what `parse` makes of a file of at most `most` bytes. Raise as `read_secret_key`."""
    content = read_file(path, what, most)
    try:
        return parse(content)
    except MalformedError as error:
        raise error.at(in_file(path)) from None


def write_new(path: Path, content: bytes, mode: int = _FOR_ALL) -> None:
    """Write a new file to disk. Raise `ConflictError` if it exists."""
    try:
        write_whole(path, content, mode, publish)
    except FileExistsError:
        raise _exists(path) from None


def replace_file(path: Path, content: bytes) -> None:
    """Write or replace a file; if that fails, an older one stays unchanged."""
    write_whole(path, content, _FOR_ALL, Path.replace)


def _exists(path: Path) -> ConflictError:
    return ConflictError("exists", phrase("exists", file=path))
