"""Signed checkpoints: the size of a ledger and the root of the Merkle tree over its entries (c2sp.org/tlog-checkpoint).

How they are signed and cosigned, and what shows that a key has signed two ledgers.

A leaf of the tree is an entry as it stands in a whole export: its line, without line feed (docs/proof.md).
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
    """A tree head that somebody has signed; `origin` names the ledger, and is the name of its key."""

    origin: str
    tree: TreeHead
    note: Note

    @classmethod
    def parse(cls, content: bytes) -> Checkpoint:
        """Raises `MalformedError` where it is none; whether it was signed by whom one trusts, says `fault`."""
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
        """Why the checkpoint cannot be taken for one that was signed with this key; None where it was."""
        if self.origin != key.name:
            return phrase("proof.other_origin", origin=self.origin, name=key.name)
        return self.note.fault(key)

    def __str__(self) -> str:
        return str(self.note)


def not_continued(signed: TreeHead) -> ConflictError:
    """The ledger has as many entries as were signed, and others among them."""
    return ConflictError("other_past", phrase("other_past", size=signed.size))


def check_size(size: int, signed: TreeHead) -> None:
    """Raises `ConflictError` where the ledger, of that size, is smaller than what was signed of it."""
    if size < signed.size:
        raise ConflictError("rolled_back", phrase("rolled_back", actual=size, expected=signed.size))


def tree_hashes(store: LogStore, size: int, *proofs: Sequence[range]) -> list[list[bytes]]:
    """MTH of the ranges of each proof (entries counted from 0), all in one pass over the first `size` entries.

    The ranges of one proof must not overlap. Raises `UnreadableError` where the chain of digests is broken.
    """
    trees = [SubtreeHashes(proof) for proof in proofs]
    for row in sound_rows(store.read(until=size, verified=False), size):
        leaf = leaf_hash(row.line())
        for tree in trees:
            tree.add(leaf)
    return [[tree.hashes[part] for part in proof] for tree, proof in zip(trees, proofs, strict=True)]


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
    for computed, tree in ((root, checkpoint.tree), (old_root, before)):
        if computed != tree.root:
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
