"""Signing and cosigning of checkpoints, and what shows that a key has signed two ledgers."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from msgspec.structs import replace

from ledger.errors import ConflictError
from ledger.i18n import Phrase
from ledger.log.base import LogStore
from ledger.log.checkpoint import EMPTY_TREE, Checkpoint, TreeHead, check_size, not_continued, tree_hashes
from ledger.log.receipt import DealReceipt
from ledger.log.signed_note import PublicKey, SecretKey, Witness, cosigned_note, encoded, missing_cosignatures, sign
from ledger.log.verify import Damage
from ledger.log.words import phrase


def next_checkpoint(store: LogStore, key: SecretKey, last: Checkpoint | None = None) -> Checkpoint:
    """A checkpoint of the ledger as it stands, which must continue the last one that was signed, and what was seen.

    Raises `ConflictError` where it does not, `UnreadableError` where the ledger is damaged: neither must be signed.
    """
    size = store.head().position
    before = EMPTY_TREE if last is None else last.tree
    check_size(size, before)
    (old_root,), (root,) = tree_hashes(store, size, [range(before.size)], [range(size)])
    if old_root != before.root:
        raise not_continued(before)
    store.check_growth()
    store.remember_head()
    made = Checkpoint(key.name, TreeHead(size, root), sign(f"{key.name}\n{size}\n{encoded(root)}\n", key))
    if last is not None and last.note.text == made.note.text and last.fault(key.public()) is None:
        return last  # with what witnesses have added to it
    return made


def cosign(
    store: LogStore, checkpoint: Checkpoint, key: SecretKey, last: Checkpoint | None = None, *, now: datetime
) -> Checkpoint:
    """The checkpoint, cosigned by the holder of `key`, who has the ledger before him.

    It must be a tree of this ledger, and continue the `last` one that he has cosigned: raises `ConflictError` where it
    is not, `UnreadableError` where the ledger is damaged. Who signed it must have been checked.
    """
    before = EMPTY_TREE if last is None else last.tree
    if last is not None and last.origin != checkpoint.origin:
        raise ConflictError("exists", phrase("cosign.another_ledger", last=last.origin, origin=checkpoint.origin))
    if last is not None and are_two_trees(last, checkpoint):
        raise ConflictError("other_past", phrase("cosign.two_trees", size=checkpoint.tree.size))
    if checkpoint.tree.size < before.size:
        sizes = {"actual": checkpoint.tree.size, "expected": before.size}
        raise ConflictError("rolled_back", phrase("cosign.smaller", **sizes))
    check_size(store.head().position, checkpoint.tree)
    size = checkpoint.tree.size
    (old_root,), (root,) = tree_hashes(store, size, [range(before.size)], [range(size)])
    for found, tree in ((root, checkpoint.tree), (old_root, before)):
        if found != tree.root:
            raise not_continued(tree)
    store.check_growth()
    return replace(checkpoint, note=cosigned_note(checkpoint.note, key, int(now.timestamp())))


def are_two_trees(one: Checkpoint, other: Checkpoint) -> bool:
    """Whether they are of one ledger and one size, and not of the same entries."""
    return one.origin == other.origin and one.tree.size == other.tree.size and one.tree.root != other.tree.root


def equivocation(one: Checkpoint, other: Checkpoint, key: PublicKey) -> Phrase | None:
    """That the key has signed two ledgers, as these two checkpoints prove; None where they do not."""
    if not are_two_trees(one, other) or one.fault(key) is not None or other.fault(key) is not None:
        return None
    return phrase("proof.equivocation", key=key.label, size=one.tree.size)


def fault_of_receipt(
    receipt: DealReceipt, key: PublicKey, old: Checkpoint | None, witnesses: Sequence[Witness], threshold: int
) -> Damage | None:
    """As the receipt's own `fault`; its checkpoint must also be cosigned, and no other tree of one size than `old`."""
    if old is not None and (what := equivocation(receipt.checkpoint, old, key)) is not None:
        return Damage(None, what)
    fault = receipt.fault(key, None if old is None else old.tree)
    if fault is None and (why := missing_cosignatures(receipt.checkpoint.note, witnesses, threshold)) is not None:
        return Damage(None, phrase("proof.checkpoint", why=why))
    return fault
