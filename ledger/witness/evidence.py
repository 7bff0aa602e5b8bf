"""Evidence against a club: two checkpoints signed with its key, and the proof that it gave. Anyone can check it.

Two checkpoints of one size with different roots prove that the club signed two ledgers (equivocation). So do two of
different sizes if the club's own proof shows that the larger tree begins with other entries than the smaller one. A
proof that merely fails proves nothing yet: the club can refute it by a proof that holds.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from msgspec import Struct

from ledger.errors import MalformedError
from ledger.log.checkpoint import Checkpoint, are_two_trees
from ledger.log.merkle import is_continued, old_root_shown
from ledger.log.signed_note import PublicKey, encoded
from ledger.witness.catalogue import phrase
from ledger.witness.request import hashes_in

FIRST_LINE: Final = b"trickledger-evidence@v1"
_NOTES: Final = 4
"""The parts of two signed notes between empty lines: a text and signatures each."""

Verdict: TypeAlias = Literal["equivocation", "unproven", "nothing"]


class Evidence(Struct, frozen=True):
    """The checkpoint that was cosigned, one that contradicts it, and the proof that the club gave for it."""

    cosigned: Checkpoint
    other: Checkpoint
    proof: tuple[bytes, ...] = ()

    @classmethod
    def parse(cls, content: bytes) -> Evidence:
        """Return the evidence in a file. Raise `MalformedError` if it is none; `verdict` verifies it."""
        head, *parts = content.split(b"\n\n")
        first, *proof = head.split(b"\n")
        if first != FIRST_LINE or len(parts) != _NOTES - 1:
            raise MalformedError(phrase("form.not_evidence"), phrase("form.evidence", mark=FIRST_LINE.decode()))
        text, middle, last = parts
        signatures, _, other = middle.partition(b"\n" + _SEPARATOR + b"\n")
        cosigned = Checkpoint.parse(b"%b\n\n%b\n" % (text, signatures))
        hashes = hashes_in([line.decode("ascii", "replace") for line in proof], 2)
        return cls(cosigned, Checkpoint.parse(b"%b\n\n%b" % (other, last)), hashes)

    def content(self) -> bytes:
        """Return the evidence as the content of a file."""
        head = [FIRST_LINE, *(encoded(one).encode() for one in self.proof), b"", b""]
        return b"\n".join(head) + f"{self.cosigned}{_SEPARATOR.decode()}\n{self.other}".encode()

    def verdict(self, key: PublicKey) -> Verdict:
        """Return what the evidence proves against the owner of the key."""
        one, other = self.cosigned, self.other
        if one.fault(key) is not None or other.fault(key) is not None or one.tree.size > other.tree.size:
            return "nothing"
        if are_two_trees(one, other):
            return "equivocation"
        old, new = one.tree, other.tree
        if old == new or old.size == 0 or is_continued(old.size, old.root, new.size, new.root, self.proof):
            return "nothing"
        shown = old_root_shown(old.size, new.size, new.root, self.proof)
        return "unproven" if shown in (None, old.root) else "equivocation"


_SEPARATOR: Final = b"--"
