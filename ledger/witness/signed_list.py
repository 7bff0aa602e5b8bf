"""The daily list of a witness: a line a club, and a signed checkpoint of the Merkle tree over these lines.

docs/reference/proof-format.md describes the format. A file has all lines, or one of them with its inclusion proof.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from itertools import pairwise
from typing import Final

from msgspec import Struct

from ledger.errors import ConflictError, MalformedError, NotFoundError, in_line
from ledger.i18n import Phrase
from ledger.log.checkpoint import Checkpoint, TreeHead
from ledger.log.merkle import HASH_BYTES, SubtreeHashes, inclusion_ranges, leaf_hash, root_of_inclusion
from ledger.log.signed_note import PublicKey, SecretKey, decoded, encoded, sign
from ledger.witness.catalogue import phrase
from ledger.witness.request import hashes_in

FIRST_LINE: Final = b"trickledger-list@v1"

_LINE: Final = re.compile(r"(?P<origin>\S+) (?P<size>0|[1-9][0-9]{0,18}) (?P<root>\S+)")
_ONE: Final = re.compile("line (0|[1-9][0-9]{0,18})")
_SHOWN: Final = 100


class ListedClub(Struct, frozen=True):
    """A line of a list: the largest tree that the witness cosigned for a club."""

    origin: str
    tree: TreeHead

    def line(self) -> bytes:
        """Return the line without line feed; it is a leaf of the list's tree."""
        return f"{self.origin} {self.tree.size} {encoded(self.tree.root)}".encode()

    @classmethod
    def parse(cls, line: str) -> ListedClub:
        """Return the club of a line. Raise `MalformedError` if it is none."""
        match = _LINE.fullmatch(line)
        root = None if match is None else decoded(match["root"], HASH_BYTES)
        if match is None or root is None:
            raise MalformedError(phrase("form.not_list_line"), phrase("form.list_line"), line[:_SHOWN])
        return cls(match["origin"], TreeHead(int(match["size"]), root))


class SignedList(Struct, frozen=True):
    """The list of a day, or one line of it. `first`: the index of the first of `clubs`; `proof`: that of a single line.

    `checkpoint`: the signed tree over all lines; its origin is the witness's name with `/clubs`, and it has a fourth
    line with the day.
    """

    clubs: tuple[ListedClub, ...]
    checkpoint: Checkpoint
    first: int | None = None
    proof: tuple[bytes, ...] = ()

    @classmethod
    def parse(cls, content: bytes) -> SignedList:
        """Return the list in a file. Raise `MalformedError` naming the line; `fault` verifies it."""
        head, gap, note = content.partition(b"\n\n")
        mark, *lines = head.decode("utf-8", "replace").split("\n")
        if mark.encode() != FIRST_LINE or not gap:
            raise MalformedError(phrase("form.not_list"), phrase("form.list", mark=FIRST_LINE.decode()), mark[:_SHOWN])
        one = _ONE.fullmatch(lines[0]) if len(lines) > 1 else None
        checkpoint = Checkpoint.parse(note)
        if one is not None:
            return cls((ListedClub.parse(lines[1]),), checkpoint, int(one[1]), hashes_in(lines[2:], 4))
        clubs = []
        for number, line in enumerate(lines, 2):
            try:
                clubs.append(ListedClub.parse(line))
            except MalformedError as error:
                raise error.at(in_line(number)) from None
        return cls(tuple(clubs), checkpoint)

    def content(self) -> bytes:
        """Return the list as the content of a file."""
        lines = [FIRST_LINE, *((b"line %d" % self.first,) if self.first is not None else ())]
        lines += [club.line() for club in self.clubs]
        return b"\n".join([*lines, *(encoded(one).encode() for one in self.proof), b"", str(self.checkpoint).encode()])

    @property
    def day(self) -> str:
        """The day of the list, in UTC; empty if the checkpoint names none."""
        day = self.checkpoint.note.text.split("\n")[3]
        return day.removeprefix("day ") if day.startswith("day ") else ""

    def fault(self, key: PublicKey) -> Phrase | None:
        """Return the reason why the witness with this key did not sign the list; None if it did."""
        why = self.checkpoint.note.fault(key)
        if why is not None:
            return why
        if self.checkpoint.origin != origin_of_lists(key.name) or not self.day:
            return phrase("list.other_origin", origin=self.checkpoint.origin, name=key.name)
        if any(one.origin >= other.origin for one, other in pairwise(self.clubs)):
            return phrase("list.not_in_order")
        leaves = [leaf_hash(club.line()) for club in self.clubs]
        tree = self.checkpoint.tree
        if self.first is None:
            is_signed = tree == TreeHead(len(leaves), tree_hash(leaves))
        else:
            is_signed = root_of_inclusion({self.first: leaves[0]}, tree.size, self.proof) == tree.root
        return None if is_signed else phrase("list.other_root")

    def club(self, origin: str) -> ListedClub:
        """Return the line of a club. Raise `NotFoundError` if it has none here."""
        for club in self.clubs:
            if club.origin == origin:
                return club
        raise NotFoundError("not_found", phrase("list.no_such_club", origin=origin, day=self.day))

    def line_of(self, origin: str) -> SignedList:
        """Return one line of a whole list with its inclusion proof. Raise `NotFoundError` as `club`."""
        index = self.clubs.index(self.club(origin))
        ranges = inclusion_ranges([index], len(self.clubs))
        hashes = SubtreeHashes(ranges)
        for club in self.clubs:
            hashes.add(leaf_hash(club.line()))
        return SignedList((self.clubs[index],), self.checkpoint, index, tuple(hashes.hashes[part] for part in ranges))


def origin_of_lists(witness: str) -> str:
    """Return the origin of the lists of a witness."""
    return f"{witness}/clubs"


def tree_hash(leaves: Sequence[bytes]) -> bytes:
    """Return the root of the tree over hashes of leaves."""
    tree = SubtreeHashes([range(len(leaves))])
    for leaf in leaves:
        tree.add(leaf)
    return tree.hashes[range(len(leaves))]


def signed_list(clubs: Sequence[ListedClub], day: date, key: SecretKey, signed: Checkpoint | None = None) -> SignedList:
    """Return the list of a day, signed with the witness's key; the clubs are ordered by origin.

    `signed`: the list that was signed for this day before; raise `ConflictError` if it is another one.
    """
    root = tree_hash([leaf_hash(club.line()) for club in clubs])
    origin = origin_of_lists(key.name)
    text = f"{origin}\n{len(clubs)}\n{encoded(root)}\nday {day.isoformat()}\n"
    if signed is not None and signed.note.text != text:
        raise ConflictError("other_past", phrase("list.signed_differently", day=day.isoformat()))
    made = signed or Checkpoint(origin, TreeHead(len(clubs), root), sign(text, key))
    return SignedList(tuple(clubs), made)
