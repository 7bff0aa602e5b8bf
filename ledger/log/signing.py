"""The next checkpoint of a ledger is signed, if the ledger has only grown since the last one."""

from __future__ import annotations

from ledger.log.base import LogStore
from ledger.log.checkpoint import EMPTY_TREE, Checkpoint, TreeHead, check_size, not_continued, tree_hashes
from ledger.log.signed_note import SecretKey, encoded, sign
from ledger.log.stores import check_growth, remember_head


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
    check_growth(store)
    remember_head(store)
    made = Checkpoint(key.name, TreeHead(size, root), sign(f"{key.name}\n{size}\n{encoded(root)}\n", key))
    if last is not None and last.note.text == made.note.text and last.fault(key.public()) is None:
        return last  # with what witnesses have added to it
    return made
