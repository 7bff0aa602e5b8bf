"""Signed checkpoints: the size of a ledger and the root of the Merkle tree over its entries (c2sp.org/tlog-checkpoint).

How checkpoints are signed and cosigned, and how two of them prove that a key has signed two ledgers.

A leaf of the tree is an entry in a full export: its line, without line feed (docs/reference/proof-format.md).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from ledger.errors import ConflictError, MalformedError
from ledger.i18n import Phrase
from ledger.log.base import LogStore
from ledger.log.catalogue import phrase
from ledger.log.merkle import EMPTY_ROOT, HASH_BYTES, SubtreeHashes, leaf_hash
from ledger.log.signed_note import Note, PublicKey, SecretKey, cosigned_note, decoded, encoded, sign
from ledger.log.verified_rows import sound_rows

_SIZE: Final = re.compile("0|[1-9][0-9]{0,18}")


class TreeHead(Struct, frozen=True):
    """The Merkle tree over the first `size` entries of a ledger; `root` has 32 bytes."""

    size: int
    root: bytes


EMPTY_TREE: Final = TreeHead(0, EMPTY_ROOT)


class Checkpoint(Struct, frozen=True):
    """A signed tree head; `origin` names the ledger and its key."""

    origin: str
    tree: TreeHead
    note: Note

    @classmethod
    def parse(cls, content: bytes) -> Checkpoint:
        """Return the checkpoint in a file's content. Raise `MalformedError` if it is none; `fault` verifies the
        signature.
        """
        note = Note.parse(content)
        origin, *rest = note.text.split("\n")
        if len(rest) < 3 or not origin or "" in rest[:-1]:
            raise MalformedError(phrase("form.not_checkpoint"), phrase("form.checkpoint"), note.text[:100])
        if _SIZE.fullmatch(rest[0]) is None:
            raise MalformedError(phrase("form.not_size"), phrase("form.number"), rest[0][:100])
        root = decoded(rest[1], HASH_BYTES)
        if root is None:
            raise MalformedError(phrase("form.not_root"), phrase("form.hash"), rest[1][:100])
        return cls(origin, TreeHead(int(rest[0]), root), note)

    def fault(self, key: PublicKey) -> Phrase | None:
        """Return the reason why this key did not sign the checkpoint; None if it did."""
        if self.origin != key.name:
            return phrase("proof.other_origin", origin=self.origin, name=key.name)
        return self.note.fault(key)

    def __str__(self) -> str:
        return str(self.note)


def not_continued(signed: TreeHead) -> ConflictError:
    """Return the error for a ledger that has enough entries, but not the signed ones."""
    return ConflictError("other_past", phrase("other_past", size=signed.size))


def check_size(size: int, signed: TreeHead) -> None:
    """Raise `ConflictError` if a ledger of this size has fewer entries than were signed."""
    if size < signed.size:
        raise ConflictError("rolled_back", phrase("rolled_back", actual=size, expected=signed.size))


def tree_hashes(store: LogStore, size: int, *proofs: Sequence[range]) -> list[list[bytes]]:
    """Return MTH of the ranges of each proof (entries counted from 0), in one pass over the first `size` entries.

    The ranges of one proof must not overlap. Raise `UnreadableError` if the chain of digests is broken.
    """
    trees = [SubtreeHashes(proof) for proof in proofs]
    for row in sound_rows(store.read(until=size, verified=False), size):
        leaf = leaf_hash(row.line())
        for tree in trees:
            tree.add(leaf)
    return [[tree.hashes[part] for part in proof] for tree, proof in zip(trees, proofs, strict=True)]


def next_checkpoint(store: LogStore, key: SecretKey, last: Checkpoint | None = None) -> Checkpoint:
    """Return a checkpoint of the current ledger, which must continue the last signed one and the remembered head.

    Raise `ConflictError` if it does not, `UnreadableError` if the ledger is damaged: neither must be signed.
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
        return last  # with its cosignatures
    return made


def cosign(
    store: LogStore, checkpoint: Checkpoint, key: SecretKey, last: Checkpoint | None = None, *, now: datetime
) -> Checkpoint:
    """Return the checkpoint with the cosignature of `key`, whose holder has the ledger.

    The checkpoint must be a tree of this ledger and continue the `last` one cosigned with this key: raise
    `ConflictError` if it does not, `UnreadableError` if the ledger is damaged. The caller has verified the signature.
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
    for computed, tree in ((root, checkpoint.tree), (old_root, before)):
        if computed != tree.root:
            raise not_continued(tree)
    store.check_growth()
    return replace(checkpoint, note=cosigned_note(checkpoint.note, key, int(now.timestamp())))


def are_two_trees(one: Checkpoint, other: Checkpoint) -> bool:
    """Return whether both are of one ledger and one size, but of different entries."""
    return one.origin == other.origin and one.tree.size == other.tree.size and one.tree.root != other.tree.root


def equivocation(one: Checkpoint, other: Checkpoint, key: PublicKey) -> Phrase | None:
    """Return the message that the key has signed two ledgers, if these two checkpoints prove it; else None."""
    if not are_two_trees(one, other) or one.fault(key) is not None or other.fault(key) is not None:
        return None
    return phrase("proof.equivocation", key=key.label, size=one.tree.size)
