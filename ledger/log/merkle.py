"""The Merkle tree of RFC 6962 (section 2.1), its proofs and their verification. Leaves are counted from 0.

`MTH(D[a:b])` is the RFC's name for the hash of the tree over the leaves a to b-1. A proof is a list of such hashes; all
are computed in one pass over the leaves, in memory logarithmic in their number. No storage here.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Final

EMPTY_ROOT: Final = sha256().digest()
"""The hash of a tree without leaves."""

HASH_BYTES: Final = 32


def leaf_hash(data: bytes) -> bytes:
    """Return the hash (32 bytes) of one leaf."""
    return sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash (32 bytes) of an inner node."""
    return sha256(b"\x01" + left + right).digest()


class SubtreeHashes:
    """MTH of ranges of leaves that do not overlap: `add` the hash of every leaf in order, then read `hashes`."""

    def __init__(self, ranges: Iterable[range]) -> None:
        parts = sorted(ranges, key=lambda part: part.start, reverse=True)
        self.hashes: dict[range, bytes] = {part: EMPTY_ROOT for part in parts if not part}
        self._ahead = [part for part in parts if part]
        self._perfect: list[bytes] = []
        self._index = 0

    def add(self, leaf: bytes) -> None:
        """Add the hash of the next leaf."""
        index = self._index
        self._index = index + 1
        if not self._ahead or index < self._ahead[-1].start:
            return
        part = self._ahead[-1]
        perfect = self._perfect  # the perfect trees that the range consists of so far, the largest first
        perfect.append(leaf)
        count = index - part.start + 1
        while not count & 1:  # two perfect trees of one size make one of twice the size
            right = perfect.pop()
            perfect[-1] = node_hash(perfect[-1], right)
            count >>= 1
        if index + 1 == part.stop:
            self.hashes[self._ahead.pop()] = _joined(perfect)
            perfect.clear()


def _joined(perfect: Sequence[bytes]) -> bytes:
    """Return the root of the tree over adjacent perfect trees, the largest first."""
    *others, root = perfect
    for tree in reversed(others):
        root = node_hash(tree, root)
    return root


def _halves(part: range) -> tuple[range, range]:
    """Return the parts of a tree of two leaves or more, divided at the largest power of two below its size (RFC)."""
    middle = part.start + (1 << (len(part) - 1).bit_length() - 1)
    return range(part.start, middle), range(middle, part.stop)


def _hash_from(known: Mapping[range, bytes], part: range) -> bytes:
    """Return MTH of the range, computed from the known ranges that it consists of."""
    if part in known:
        return known[part]
    left, right = _halves(part)
    return node_hash(_hash_from(known, left), _hash_from(known, right))


# Inclusion proofs


def inclusion_ranges(leaves: Sequence[int], size: int) -> list[range]:
    """Return the ranges whose MTH prove that these leaves (ascending, at least one) are in a tree of that size.

    They are the largest subtrees without any of the leaves. Order: of the two halves of a subtree, the one with leaves
    comes before the one without. For a single leaf that is PATH(m, D[n]) of RFC 6962, section 2.1.1.
    """

    def walk(part: range) -> Iterator[range]:
        if len(part) == 1:
            return
        halves = _halves(part)
        free = [half for half in halves if bisect_left(leaves, half.start) == bisect_left(leaves, half.stop)]
        for half in halves:
            if half not in free:
                yield from walk(half)
        yield from free

    return list(walk(range(size)))


def root_of_inclusion(leaves: Mapping[int, bytes], size: int, proof: Sequence[bytes]) -> bytes | None:
    """Return the root that the proof gives for a tree of that size with these leaves (hashes by index).

    None if the proof has the wrong number of hashes, or a leaf would be outside the tree.
    """
    indexes = sorted(leaves)
    if not indexes or indexes[0] < 0 or indexes[-1] >= size:
        return None
    ranges = inclusion_ranges(indexes, size)
    if len(ranges) != len(proof):
        return None
    known = {range(index, index + 1): leaf for index, leaf in leaves.items()}
    return _hash_from(known | dict(zip(ranges, proof, strict=True)), range(size))


# Consistency proofs


def consistency_ranges(old_size: int, new_size: int) -> list[range]:
    """Return the ranges whose MTH prove that a tree continues one of `old_size` leaves: PROOF(m, D[n]) of RFC 6962,
    2.1.2.
    """

    def walk(part: range) -> Iterator[range]:
        if part.stop == old_size:
            if part.start > 0:  # otherwise it is the old tree, whose root is known
                yield part
            return
        left, right = _halves(part)
        if old_size <= left.stop:
            yield from walk(left)
            yield right
        else:
            yield from walk(right)
            yield left

    return list(walk(range(new_size))) if 0 < old_size < new_size else []


def is_continued(old_size: int, old_root: bytes, new_size: int, new_root: bytes, proof: Sequence[bytes]) -> bool:
    """Return whether the proof shows that the first `old_size` leaves of the new tree are those of the old one."""
    ranges = consistency_ranges(old_size, new_size)
    if old_size > new_size or len(ranges) != len(proof):
        return False
    if old_size == 0:
        return old_root == EMPTY_ROOT
    known = dict(zip(ranges, proof, strict=True))
    if all(part.start > 0 for part in ranges):  # the old tree is a subtree of the new one
        known[range(old_size)] = old_root
    return _hash_from(known, range(old_size)) == old_root and _hash_from(known, range(new_size)) == new_root


def old_root_shown(old_size: int, new_size: int, new_root: bytes, proof: Sequence[bytes]) -> bytes | None:
    """Return the root of the first `old_size` leaves that the proof shows to be in the new tree.

    None if it shows none: it does not give the root of the new tree, or the old tree is one of its subtrees, whose root
    a proof does not contain.
    """
    ranges = consistency_ranges(old_size, new_size)
    if not ranges or len(ranges) != len(proof) or all(part.start > 0 for part in ranges):
        return None
    known = dict(zip(ranges, proof, strict=True))
    return _hash_from(known, range(old_size)) if _hash_from(known, range(new_size)) == new_root else None
