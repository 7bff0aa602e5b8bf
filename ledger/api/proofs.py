"""Proofs of a ledger (checkpoints and receipts) and its backups."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from time import sleep

from ledger.log import checkpoint as checkpoints
from ledger.log import copying, proof_files
from ledger.log.backup import Copied, back_up, delete_older
from ledger.log.base import Head, LogStore
from ledger.log.checkpoint import Checkpoint
from ledger.log.copying import FollowState, LedgerCopy, opened_source
from ledger.log.growth import verify_growth
from ledger.log.paths import backup_name
from ledger.log.receipt import DealReceipt, fault_of_receipt
from ledger.log.signed_note import PublicKey, SecretKey, Witness
from ledger.log.stores import file_of
from ledger.log.verify import Damage, Verification
from ledger.recording.handle_copy import copy_with_handles


def verify(
    ledger: LogStore | str | Path,
    *,
    consistent_with: Checkpoint | None = None,
    key: PublicKey | None = None,
    head: Head | None = None,
    accept_rollback: str | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Verification:
    """Verify every byte of the ledger and its hash chain; name the first damaged position.

    `consistent_with`, `head`: a checkpoint, or a head noted earlier, that the ledger must continue; only with one of
    them can a truncated or rewritten ledger be detected. `key`: the key of that checkpoint; with it, two signed ledgers
    of one size are named if the other checkpoint lies next to the ledger. A ledger without an entry that it had when it
    was last written to here, or that the checkpoint next to it signs, is damaged (`is_rolled_back`) unless it is kept
    for the reason `accept_rollback`.

    Raise `UsageError` if there is nothing to accept, `UnreadableError` if there is no ledger to check; a ledger that
    can be read only in part, or not at all, counts as damaged.
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
    """Verify a receipt without its ledger; return the damage, or None if it proves what it says.

    It must also prove that the ledger continues `consistent_with`, and its checkpoint must be cosigned by `threshold`
    (default: all) of the witnesses.
    """

    return fault_of_receipt(receipt, key, consistent_with, witness, _required(witness, threshold))


def read_checkpoint(
    file: str | Path, key: PublicKey | None = None, *, witness: Sequence[Witness] = (), threshold: int | None = None
) -> Checkpoint:
    """Read the checkpoint of a file, or of a receipt.

    Raise `MalformedError` if the file is no checkpoint, was not signed with `key`, or was cosigned by fewer than
    `threshold` (default: all) of the witnesses.
    """

    return proof_files.read_checkpoint(Path(file), key, witness, _required(witness, threshold))


def _required(witnesses: Sequence[Witness], threshold: int | None) -> int:
    return len(witnesses) if threshold is None else threshold


def cosign(store: LogStore, checkpoint: Checkpoint, key: SecretKey, last: Checkpoint | None = None) -> Checkpoint:
    """Return the checkpoint cosigned as of now with a witness's `key`, after checking it against the ledger.

    Raise `ConflictError` if it is no tree of this ledger or does not continue the `last` one that the witness cosigned,
    and `UnreadableError` if the ledger is damaged.
    """

    return checkpoints.cosign(store, checkpoint, key, last, now=datetime.now(UTC))


def read_witness(file: str | Path) -> Witness:
    """Read a witness's public key from a file; raise `MalformedError` if it is none."""

    return proof_files.read_witness(Path(file))


def receipt(
    store: LogStore, table: str, deal: int, checkpoint: Checkpoint, since: Checkpoint | None = None
) -> DealReceipt:
    """Return the proof of a deal by a checkpoint; with `since`, also that the ledger has only grown since that older
    one.

    Raise `NotFoundError` for a table or deal that the checkpoint does not cover, `ConflictError` if the ledger is not
    the signed one or did not grow from `since`.
    """
    from ledger.recording.deal_receipts import deal_receipt

    return deal_receipt(store, table, deal, checkpoint, None if since is None else since.tree)


def backup(
    ledger: str | Path,
    target: str | Path | None = None,
    *,
    overwrite: bool = False,
    keep_days: int | None = None,
    progress: Callable[[str, int, int], object] | None = None,
) -> Copied:
    """Copy a ledger, which may be in use, and verify the copy before it gets its name.

    `target`: a file or a folder, by default that of the ledger, in which the copy is named by date and time (UTC).
    `keep_days`: then delete the ledger's backups in that folder whose names are older, unless the copy lacks an entry
    of theirs. Raise `ConflictError` if the copy exists, `UnreadableError` if the ledger or its copy is damaged.
    """

    path, now = file_of(ledger), datetime.now(UTC)
    place = path.parent if target is None else Path(target)
    if place.is_dir():
        place /= backup_name(path, now)
    copied = back_up(path, place, overwrite=overwrite, progress=progress)
    return copied if keep_days is None else delete_older(copied, path, now - timedelta(days=keep_days))


def copy(
    source: str | Path,
    target: str | Path,
    *,
    token: str | None = None,
    follow: Callable[[FollowState], object] | None = None,
    progress: Callable[[int, int], object] | None = None,
    handles: bool = False,
) -> LedgerCopy:
    """Copy a ledger, which may be in use, entry by entry into another one with the same ids, positions and digests.

    `source`: an address of a ledger, or that of a service, to which `token` (a director's with the right to see hands)
    is sent. `target`: a new ledger, or an earlier copy, which is continued. `follow`: a function that gets each change
    of state while the copy follows its source until an exception; the source is read once a second. `handles`: make
    another ledger, with other digests, whose entries have handles in place of names; it is not continued.

    Raise `ConflictError` if the target is no beginning of the source, `UnreadableError` if the source cannot be read
    to its end, and `MalformedError` for an entry that does not match its digest; the entries before it are kept.
    """

    opening = partial(opened_source, source, token)
    if handles:
        return copy_with_handles(opening, target, progress=progress)
    if follow is not None:
        for state in copying.follow(opening, target, wait=partial(sleep, copying.POLL_S)):
            follow(state)
    return copying.copy(opening, target, progress=progress)
