"""The small files of a proof: keys and receipts, which are never overwritten, and the newest checkpoint, which is."""

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
    """Make a pair of keys in two new files, the secret one readable for its owner alone.

    A making that was interrupted between the two is brought to its end. Raises `ConflictError` where one of the files
    exists otherwise, and `MalformedError` for a name that no key may have.
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
    """The private key of a file.

    As the other readers here: raises `MalformedError` naming the file that holds something else, or as
    `outside.read_file`.
    """
    return _read_key(path, SecretKey.parse)


def read_public_key(path: Path) -> PublicKey:
    return _read_key(path, PublicKey.parse)


def read_witness(path: Path) -> Witness:
    return _read_key(path, Witness.parse)


def read_receipt(path: Path) -> DealReceipt:
    """The receipt of a file, whatever it proves; errors as in `read_secret_key`."""
    return _read(path, "receipt", limits.RECEIPT_BYTES, DealReceipt.parse)


def read_checkpoint(
    path: Path, key: PublicKey | None = None, witnesses: Sequence[Witness] = (), threshold: int = 0
) -> Checkpoint:
    """The checkpoint of a file of its own, or that of a receipt.

    It must be signed with the `key`, and cosigned by so many of the witnesses.
    """
    parse = partial(_checkpoint, key=key, witnesses=witnesses, threshold=threshold)
    return _read(path, "receipt", limits.RECEIPT_BYTES, parse)


def _checkpoint(content: bytes, key: PublicKey | None, witnesses: Sequence[Witness], threshold: int) -> Checkpoint:
    is_receipt = content.startswith(FIRST_LINE)
    checkpoint = DealReceipt.parse(content).checkpoint if is_receipt else Checkpoint.parse(content)
    why = None if key is None else checkpoint.fault(key)
    why = why or missing_cosignatures(checkpoint.note, witnesses, threshold)
    if why is not None:
        raise MalformedError(phrase("form.unreliable", why=why))
    return checkpoint


def _read_key(path: Path, parse: Callable[[str], Content]) -> Content:
    return _read(path, "key", limits.KEY_BYTES, lambda content: parse(content.decode("utf-8", "replace")))


def _read(path: Path, what: str, most: int, parse: Callable[[bytes], Content]) -> Content:
    content = read_file(path, what, most)
    try:
        return parse(content)
    except MalformedError as error:
        raise error.at(in_file(path)) from None


def write_new(path: Path, content: bytes, mode: int = _FOR_ALL) -> None:
    """Write a file that must not exist, and bring it to disk; raises `ConflictError` where it does exist."""
    try:
        write_whole(path, content, mode, publish)
    except FileExistsError:
        raise _exists(path) from None


def replace_file(path: Path, content: bytes) -> None:
    """Write a file or put it in the place of an older one, which stays as it was where that fails."""
    write_whole(path, content, _FOR_ALL, Path.replace)


def _exists(path: Path) -> ConflictError:
    return ConflictError("exists", phrase("exists", file=path))
