"""Signed checkpoints: the size of a ledger and the root of the Merkle tree over its entries (c2sp.org/tlog-checkpoint).

A leaf of the tree is an entry as it stands in a whole export: its line, without line feed (docs/proof.md).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from ledger.errors import ConflictError, MalformedError
from ledger.i18n import Phrase
from ledger.log.base import LogStore
from ledger.log.merkle import EMPTY_ROOT, HASH_BYTES, SubtreeHashes, leaf_hash
from ledger.log.signed_note import Note, PublicKey, decoded
from ledger.log.verified_rows import sound_rows
from ledger.log.words import phrase

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
    return [[tree.found[part] for part in proof] for tree, proof in zip(trees, proofs, strict=True)]
