"""Proofs of a ledger, checkpoints and receipts, and its backups."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from ledger.log import checkpoint as checkpoints
from ledger.log import proof_files
from ledger.log.backup import Copied, back_up
from ledger.log.base import Head, LogStore
from ledger.log.checkpoint import Checkpoint
from ledger.log.growth import verify_growth
from ledger.log.paths import backup_name
from ledger.log.receipt import DealReceipt, fault_of_receipt
from ledger.log.signed_note import PublicKey, SecretKey, Witness
from ledger.log.stores import file_of
from ledger.log.verify import Damage, Verification


def verify(
    ledger: LogStore | str | Path,
    *,
    consistent_with: Checkpoint | None = None,
    key: PublicKey | None = None,
    head: Head | None = None,
    accept_rollback: str | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Verification:
    """Reads every byte of the ledger again and checks the chain; names the first damaged position.

    The ledger must also continue the checkpoint that it is to be `consistent_with`, and the head that somebody wrote
    down earlier (`head`): only with one of them can be told that its end was cut off, or that it was written anew.
    With the `key` of that checkpoint, two ledgers of one size that it has signed are named, where the other checkpoint
    lies beside the ledger. A ledger that lacks an entry which it had when it was last written to here, or signed by the
    checkpoint beside it, is damaged (`is_rolled_back`), unless it is kept for a reason (`accept_rollback`). Raises
    `UsageError` where there is nothing to accept, `UnreadableError` where there is no ledger to check; one that can be
    read in part, or not at all, is damaged.
    """

    return verify_growth(
        ledger,
        witness=head,
        signed=consistent_with,
        key=key,
        accept_rollback=accept_rollback,
        progress=progress,
    )


def verify_receipt(
    receipt: DealReceipt,
    key: PublicKey,
    *,
    consistent_with: Checkpoint | None = None,
    witness: Sequence[Witness] = (),
    threshold: int | None = None,
) -> Damage | None:
    """What is wrong with a receipt, for which no ledger is needed; None where it proves what it says.

    It must also prove that the ledger continues the checkpoint that it is to be `consistent_with`, and its own must be
    cosigned by so many (`threshold`, all by default) of the witnesses.
    """

    return fault_of_receipt(receipt, key, consistent_with, witness, _required(witness, threshold))


def read_checkpoint(
    file: str | Path, key: PublicKey | None = None, *, witness: Sequence[Witness] = (), threshold: int | None = None
) -> Checkpoint:
    """The checkpoint of a file, or that of a receipt.

    Raises `MalformedError` where it is none, where it was not signed with `key`, and where fewer of the witnesses than
    `threshold` (by default all) have cosigned it: then it proves nothing.
    """

    return proof_files.read_checkpoint(Path(file), key, witness, _required(witness, threshold))


def _required(witnesses: Sequence[Witness], threshold: int | None) -> int:
    return len(witnesses) if threshold is None else threshold


def cosign(store: LogStore, checkpoint: Checkpoint, key: SecretKey, last: Checkpoint | None = None) -> Checkpoint:
    """The checkpoint, cosigned as of now by a witness who holds `key` and has the ledger before him.

    Raises `ConflictError` where it is no tree of this ledger, or does not continue the `last` one that he cosigned, and
    `UnreadableError` where the ledger is damaged.
    """

    return checkpoints.cosign(store, checkpoint, key, last, now=datetime.now(UTC))


def read_witness(file: str | Path) -> Witness:
    """The witness whose public key is in a file; raises `MalformedError` where it is none."""

    return proof_files.read_witness(Path(file))


def receipt(
    store: LogStore, table: str, deal: int, checkpoint: Checkpoint, since: Checkpoint | None = None
) -> DealReceipt:
    """The proof of a deal by a checkpoint; with `since`, that the ledger has only grown since that older one, too.

    Raises `NotFoundError` for a table or deal that the checkpoint does not cover, and `ConflictError` where the ledger
    is not the one that was signed, or did not grow from `since`.
    """
    from ledger.recording.deal_receipts import deal_receipt

    return deal_receipt(store, table, deal, checkpoint, None if since is None else since.tree)


def backup(
    ledger: str | Path,
    target: str | Path | None = None,
    *,
    overwrite: bool = False,
    progress: Callable[[str, int, int], object] | None = None,
) -> Copied:
    """Copies a ledger, which may be in use, and reads the copy back before it gets its name.

    `target`: a file or a folder; by default that of the ledger, where the copy is named by day and time (UTC). Raises
    `ConflictError` where the copy exists, `UnreadableError` where the ledger or its copy is damaged.
    """

    path = file_of(ledger)
    place = path.parent if target is None else Path(target)
    if place.is_dir():
        place /= backup_name(path, datetime.now(UTC))
    return back_up(path, place, overwrite=overwrite, progress=progress)
