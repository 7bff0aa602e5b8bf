"""The Merkle tree matches the definitions of RFC 6962, implemented here word for word."""

import tomllib
from base64 import b64decode
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.log.merkle import (
    EMPTY_ROOT,
    SubtreeHashes,
    consistency_ranges,
    inclusion_ranges,
    is_continued,
    leaf_hash,
    node_hash,
    root_of_inclusion,
)

# RFC 6962, section 2.1, word for word


def largest_power_of_two_below(n: int) -> int:
    k = 1
    while k * 2 < n:
        k *= 2
    return k


def mth(d: list[bytes]) -> bytes:
    if not d:
        return sha256(b"").digest()
    if len(d) == 1:
        return sha256(b"\x00" + d[0]).digest()
    k = largest_power_of_two_below(len(d))
    return sha256(b"\x01" + mth(d[:k]) + mth(d[k:])).digest()


def path(m: int, d: list[bytes]) -> list[bytes]:
    if len(d) == 1:
        return []
    k = largest_power_of_two_below(len(d))
    return [*path(m, d[:k]), mth(d[k:])] if m < k else [*path(m - k, d[k:]), mth(d[:k])]


def subproof(m: int, d: list[bytes], b: bool) -> list[bytes]:
    n = len(d)
    if m == n:
        return [] if b else [mth(d)]
    k = largest_power_of_two_below(n)
    if m <= k:
        return [*subproof(m, d[:k], b), mth(d[k:])]
    return [*subproof(m - k, d[k:], False), mth(d[:k])]


# Ours


def leaves_of(size: int) -> list[bytes]:
    return [b"leaf %d" % number for number in range(size)]


def hashes_of(ranges: list[range], data: list[bytes]) -> list[bytes]:
    tree = SubtreeHashes(ranges)
    for leaf in data:
        tree.add(leaf_hash(leaf))
    return [tree.hashes[part] for part in ranges]


def root_of(data: list[bytes]) -> bytes:
    return hashes_of([range(len(data))], data)[0]


KNOWN = tomllib.loads(Path(__file__).with_name("proofs.toml").read_text(encoding="utf-8"))


def test_small_trees_have_the_roots_that_are_known_for_them() -> None:
    leaves = [bytes.fromhex(leaf) for leaf in KNOWN["leaves"]]
    assert [root_of(leaves[:size]).hex() for size in range(1, 9)] == KNOWN["roots"]


def test_a_tree_without_leaves_has_the_hash_of_nothing() -> None:
    assert root_of([]) == EMPTY_ROOT == b64decode("47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=")


def test_a_leaf_cannot_be_taken_for_a_node() -> None:
    left, right = leaf_hash(b"a"), leaf_hash(b"b")
    assert leaf_hash(left + right) != node_hash(left, right)


@given(st.lists(st.binary(max_size=40), max_size=70))
def test_the_root_taken_in_one_pass_is_that_of_the_definition(data: list[bytes]) -> None:
    assert root_of(data) == mth(data)


@pytest.mark.parametrize("size", [*range(1, 10), 16, 17, 31, 33])
def test_the_proofs_for_one_leaf_and_of_growth_are_those_of_the_rfc(size: int) -> None:
    data = leaves_of(size)
    for index in range(size):
        assert hashes_of(inclusion_ranges([index], size), data) == path(index, data)
        assert hashes_of(consistency_ranges(index + 1, size), data) == subproof(index + 1, data, True)


some_leaves = st.integers(1, 200).flatmap(
    lambda size: st.tuples(st.just(size), st.lists(st.integers(0, size - 1), min_size=1, unique=True).map(sorted))
)


@given(some_leaves)
def test_any_leaves_are_proven_together_with_no_more_hashes_than_apart(drawn: tuple[int, list[int]]) -> None:
    size, wanted = drawn
    data = leaves_of(size)
    proof = hashes_of(inclusion_ranges(wanted, size), data)
    assert root_of_inclusion({index: leaf_hash(data[index]) for index in wanted}, size, proof) == mth(data)
    assert len(proof) <= sum(len(path(index, data)) for index in wanted)


@given(some_leaves, st.data())
def test_a_proof_with_any_change_has_another_root_or_none(drawn: tuple[int, list[int]], data: st.DataObject) -> None:
    size, wanted = drawn
    content = leaves_of(size)
    proof = hashes_of(inclusion_ranges(wanted, size), content)
    leaves = {index: leaf_hash(content[index]) for index in wanted}
    kinds = ["another leaf", "one more", "a leaf too many"]
    kinds += ["one less", "changed"] if proof else []
    kinds += ["swapped"] if len(proof) > 1 else []
    match data.draw(st.sampled_from(kinds)):
        case "another leaf":
            leaves[data.draw(st.sampled_from(wanted))] = leaf_hash(b"another")
        case "one more":
            proof = [*proof, leaf_hash(b"")]
        case "a leaf too many":
            leaves[size] = leaf_hash(b"")
        case "one less":
            proof = proof[:-1]
        case "changed":
            proof[data.draw(st.integers(0, len(proof) - 1))] = leaf_hash(b"another")
        case "swapped":
            proof = [proof[-1], *proof[1:-1], proof[0]]
    assert root_of_inclusion(leaves, size, proof) != mth(content)


@pytest.mark.parametrize("leaves", [{}, {-1: b""}, {3: b""}, {0: b"", 3: b""}])
def test_no_leaves_and_leaves_outside_of_the_tree_have_no_root(leaves: dict[int, bytes]) -> None:
    for hashes in range(4):
        assert root_of_inclusion(leaves, 3, [leaf_hash(b"")] * hashes) is None


@given(st.integers(0, 100), st.integers(0, 100))
def test_a_tree_that_only_grew_is_proven_to_continue_the_old_one(old_size: int, added: int) -> None:
    data = leaves_of(old_size + added)
    proof = hashes_of(consistency_ranges(old_size, len(data)), data)
    assert is_continued(old_size, mth(data[:old_size]), len(data), mth(data), proof)


@given(st.integers(1, 100), st.integers(0, 100), st.data())
def test_a_tree_with_another_past_is_not_proven_to_continue(old_size: int, added: int, data: st.DataObject) -> None:
    """Whatever proof is made from the new tree, or from the old one."""
    old = leaves_of(old_size + added)
    new = list(old)
    new[data.draw(st.integers(0, old_size - 1))] = b"another"
    for source in (old, new):
        proof = hashes_of(consistency_ranges(old_size, len(new)), source)
        assert not is_continued(old_size, mth(old[:old_size]), len(new), mth(new), proof)


@pytest.mark.parametrize("sizes", [(3, 7), (4, 7), (7, 7)])
def test_a_proof_of_growth_has_exactly_its_hashes(sizes: tuple[int, int]) -> None:
    old_size, new_size = sizes
    data = leaves_of(new_size)
    proof = hashes_of(consistency_ranges(old_size, new_size), data)
    roots = mth(data[:old_size]), mth(data)
    assert is_continued(old_size, roots[0], new_size, roots[1], proof)
    assert not is_continued(old_size, roots[0], new_size, roots[1], [*proof, leaf_hash(b"")])
    assert not proof or not is_continued(old_size, roots[0], new_size, roots[1], proof[1:])
    assert not is_continued(new_size + 1, roots[0], new_size, roots[1], proof)


def test_proofs_of_the_largest_trees_are_short() -> None:
    size = (1 << 63) - 1
    assert len(inclusion_ranges([size // 2], size)) <= 63
    assert len(consistency_ranges(size // 3, size)) <= 64


def test_each_inner_node_of_a_tree_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[bytes] = []
    monkeypatch.setattr("ledger.log.merkle.node_hash", lambda *halves: made.append(node_hash(*halves)) or made[-1])
    root_of(leaves_of(1_000))
    assert len(made) == len(set(made)) == 999
