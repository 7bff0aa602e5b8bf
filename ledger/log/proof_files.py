"""The small files of a proof: keys and receipts, which are never overwritten, and the newest checkpoint, which is."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, TypeVar

from ledger.errors import ConflictError, MalformedError
from ledger.log.checkpoint import Checkpoint
from ledger.log.receipt import FIRST_LINE, DealReceipt
from ledger.log.signed_note import PublicKey, SecretKey

Content = TypeVar("Content")

_FOR_OWNER: Final = 0o600
_FOR_ALL: Final = 0o644


def make_keys(name: str, secret: Path, public: Path) -> PublicKey:
    """Make a pair of keys in two new files, the secret one readable for its owner alone.

    Raises `ConflictError` where one of the files exists, and `MalformedError` for a name that no key may have.
    """
    key = SecretKey.generate(name)
    if public.exists():
        raise _exists(public)
    write_new(secret, f"{key.secret_text()}\n".encode(), _FOR_OWNER)
    write_new(public, f"{key.public()}\n".encode())
    return key.public()


def read_secret_key(path: Path) -> SecretKey:
    """As the other readers here: raises `MalformedError` naming the file that holds something else, or `OSError`."""
    return _read(path, lambda content: SecretKey.parse(content.decode("utf-8", "replace")))


def read_public_key(path: Path) -> PublicKey:
    return _read(path, lambda content: PublicKey.parse(content.decode("utf-8", "replace")))


def read_receipt(path: Path) -> DealReceipt:
    return _read(path, DealReceipt.parse)


def read_checkpoint(path: Path) -> Checkpoint:
    """The checkpoint of a file of its own, or that of a receipt."""
    return _read(path, _checkpoint)


def _checkpoint(content: bytes) -> Checkpoint:
    is_receipt = content.startswith(FIRST_LINE)
    return DealReceipt.parse(content).checkpoint if is_receipt else Checkpoint.parse(content)


def _read(path: Path, parse: Callable[[bytes], Content]) -> Content:
    try:
        return parse(path.read_bytes())
    except MalformedError as error:
        raise error.at(str(path)) from None


def write_new(path: Path, content: bytes, mode: int = _FOR_ALL) -> None:
    """Write a file that must not exist, and bring it to disk; raises `ConflictError` where it does exist."""
    try:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    except FileExistsError:
        raise _exists(path) from None
    try:
        with os.fdopen(file, "wb") as target:
            target.write(content)
            target.flush()
            os.fsync(target.fileno())
        _sync_folder(path)
    except OSError as error:
        path.unlink()
        error.filename = str(path)
        raise


def replace_file(path: Path, content: bytes) -> None:
    """Write a file or put it in the place of an older one, which stays as it was where that fails."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        write_new(draft, content)
        draft.replace(path)
        _sync_folder(path)
    finally:
        with suppress(FileNotFoundError):
            draft.unlink()


def _sync_folder(path: Path) -> None:
    """Bring the name of the file to disk."""
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _exists(path: Path) -> ConflictError:
    return ConflictError(f"{path} exists already; nothing was overwritten")
