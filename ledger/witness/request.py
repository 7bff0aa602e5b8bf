"""The request of a club to a witness, and its answer (c2sp.org/tlog-witness, add-checkpoint). No files here."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from ledger.errors import MalformedError, in_line
from ledger.log.base import LogStore
from ledger.log.checkpoint import Checkpoint, TreeHead, check_size, not_continued, tree_hashes
from ledger.log.merkle import HASH_BYTES, consistency_ranges
from ledger.log.signed_note import Note, Witness, cosignatures, decoded, encoded
from ledger.witness.catalogue import phrase

HASHES_MOST: Final = 63
"""The most hashes of a proof (tlog-witness)."""

_OLD: Final = re.compile("old (0|[1-9][0-9]{0,18})")
_SHOWN: Final = 100


class CheckpointRequest(Struct, frozen=True):
    """A checkpoint to be cosigned, and the proof that it continues the tree of the first `old_size` entries."""

    old_size: int
    proof: tuple[bytes, ...]
    checkpoint: Checkpoint

    @classmethod
    def parse(cls, content: bytes) -> CheckpointRequest:
        """Return the request in a file or body. Raise `MalformedError` naming the line; no signature is verified."""
        head, gap, note = content.partition(b"\n\n")
        first, *rest = head.decode("utf-8", "replace").split("\n")
        old = _OLD.fullmatch(first)
        if old is None or not gap:
            raise MalformedError(phrase("form.not_request"), phrase("form.request"), first[:_SHOWN])
        request = cls(int(old[1]), hashes_in(rest, 2), Checkpoint.parse(note))
        if len(request.proof) > HASHES_MOST:
            raise MalformedError(phrase("form.too_many_hashes"), phrase("form.hashes", most=HASHES_MOST))
        if request.old_size > request.checkpoint.tree.size:
            raise MalformedError(phrase("form.old_too_large"), phrase("form.old_size"), first)
        return request

    def content(self) -> bytes:
        """Return the request as the content of a file or body."""
        lines = [f"old {self.old_size}", *map(encoded, self.proof), "", str(self.checkpoint)]
        return "\n".join(lines).encode()


def hashes_in(lines: Sequence[str], first: int) -> tuple[bytes, ...]:
    """Return the hashes of these lines in base64; `first` is the number of the first line, for messages."""
    hashes = []
    for number, line in enumerate(lines, first):
        raw = decoded(line, HASH_BYTES)
        if raw is None:
            raise MalformedError(phrase("form.not_hash"), phrase("form.hash"), line[:_SHOWN], in_line(number))
        hashes.append(raw)
    return tuple(hashes)


def checkpoint_request(
    store: LogStore, checkpoint: Checkpoint, old_size: int, old: TreeHead | None = None
) -> CheckpointRequest:
    """Return the request for a checkpoint of this ledger to a witness that last cosigned `old_size` entries.

    `old`: the tree that the witness cosigned, if it is known; the ledger must continue it. Raise `ConflictError` if the
    ledger is not the signed one or the checkpoint is smaller than `old_size`, `UnreadableError` if it is damaged.
    """
    tree = checkpoint.tree
    check_size(store.head().position, tree)
    check_size(tree.size, TreeHead(old_size, tree.root))
    ranges = consistency_ranges(old_size, tree.size)
    (root,), (old_root,), hashes = tree_hashes(store, tree.size, [range(tree.size)], [range(old_size)], ranges)
    if root != tree.root:
        raise not_continued(tree)
    if old is not None and old_root != old.root:
        raise not_continued(old)
    return CheckpointRequest(old_size, tuple(hashes), checkpoint)


def with_cosignatures(checkpoint: Checkpoint, answer: bytes, witnesses: Sequence[Witness]) -> Checkpoint:
    """Return the checkpoint with the cosignatures of these witnesses in an answer of add-checkpoint.

    Lines of other keys are ignored, as the specification requires. Raise `MalformedError` if none is valid.
    """
    answered = Note.parse(f"{checkpoint.note.text}\n".encode() + answer)
    valid = {(one.witness.name, one.witness.id) for one in cosignatures(answered, witnesses)}
    if not valid:
        labels = tuple(witness.label for witness in witnesses)
        raise MalformedError(phrase("answer.no_cosignature", keys=labels))
    new = tuple(one for one in answered.signatures if (one.name, one.key_id) in valid)
    others = tuple(one for one in checkpoint.note.signatures if (one.name, one.key_id) not in valid)
    return replace(checkpoint, note=Note(checkpoint.note.text, (*others, *new)))


def cosignature_lines(note: Note, witness: Witness) -> bytes:
    """Return the lines of this witness's cosignatures, the answer of add-checkpoint."""
    own = tuple(one for one in note.signatures if (one.name, one.key_id) == (witness.name, witness.id))
    return str(Note("", own)).encode().removeprefix(b"\n")
