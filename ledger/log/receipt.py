"""Receipts: entries of a table with the proof that a signed ledger contains them, verified with a public key alone.

docs/reference/proof-format.md describes the format. `recording.deal_receipts` chooses the entries of a deal's receipt.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import msgspec
from msgspec import Struct

from ledger.errors import MalformedError, in_line
from ledger.events import Envelope
from ledger.i18n.library_errors import localised
from ledger.log.base import EMPTY
from ledger.log.catalogue import phrase
from ledger.log.chain import digest_after
from ledger.log.checkpoint import Checkpoint, TreeHead, equivocation
from ledger.log.merkle import HASH_BYTES, is_continued, leaf_hash, root_of_inclusion
from ledger.log.signed_note import PublicKey, Witness, decoded, encoded, missing_cosignatures
from ledger.log.verify import Damage

FIRST_LINE: Final = b"trickledger-receipt@v1"

_SINCE: Final = re.compile(rb"since (0|[1-9][0-9]{0,18})")
_DIGEST_BYTES: Final = len(',"digest":"') + 64 + len('"}')
_SHOWN: Final = 100


class ProvenEntry(Struct, frozen=True):
    """One entry: its line in an export, without line feed, and its envelope."""

    line: bytes
    envelope: Envelope

    @classmethod
    def parse(cls, line: bytes) -> ProvenEntry:
        """Return the entry in a line. Raise `MalformedError` if it is none, or is not in the canonical form."""
        try:
            envelope = msgspec.json.decode(line, type=Envelope)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            what = phrase("form.not_entry", why=localised(error))
            raise MalformedError(what, phrase("form.export_line"), _shown(line)) from None
        if msgspec.json.encode(envelope) != line:
            raise MalformedError(phrase("form.not_canonical"), phrase("form.export_line"), _shown(line))
        return cls(line, envelope)

    @property
    def digest(self) -> bytes:
        """The digest of the entry (32 bytes)."""
        return bytes.fromhex(self.envelope.digest)

    def follows(self, digest: bytes) -> bool:
        """Return whether the entry's digest fits its content and the digest of the entry before."""
        return self.digest == digest_after(digest, self.line[:-_DIGEST_BYTES] + b"}")


class Growth(Struct, frozen=True):
    """The proof that the ledger continues one of `old_size` entries: PROOF(m, D[n]) of RFC 6962."""

    old_size: int
    proof: tuple[bytes, ...]


class DealReceipt(Struct, frozen=True):
    """Entries of one table, the proof that they are in the tree of a checkpoint, and the checkpoint."""

    entries: tuple[ProvenEntry, ...]
    proof: tuple[bytes, ...]
    growth: Growth | None
    checkpoint: Checkpoint

    @classmethod
    def parse(cls, content: bytes) -> DealReceipt:
        """Return the receipt in a file. Raise `MalformedError` naming the line; `fault` verifies the proof."""
        body, gap, note = content.partition(b"\n\n")
        first, *rest = body.split(b"\n")
        if first != FIRST_LINE:
            expected = phrase("form.first_line", mark=FIRST_LINE.decode())
            raise MalformedError(phrase("form.not_receipt"), expected, _shown(first))
        if not gap:
            raise MalformedError(phrase("form.receipt_cut_off"), phrase("form.checkpoint_after"))
        entries: list[ProvenEntry] = []
        proof: list[bytes] = []
        growth: tuple[int, list[bytes]] | None = None
        for number, line in enumerate(rest, 2):
            try:
                if line.startswith(b"{") and not proof and growth is None:
                    entries.append(ProvenEntry.parse(line))
                elif growth is None and (match := _SINCE.fullmatch(line)) is not None:
                    growth = int(match[1]), []
                else:
                    (proof if growth is None else growth[1]).append(_hash(line))
            except MalformedError as error:
                raise error.at(in_line(number)) from None
        _check_order(entries)
        grown = None if growth is None else Growth(growth[0], tuple(growth[1]))
        return cls(tuple(entries), tuple(proof), grown, Checkpoint.parse(note))

    def content(self) -> bytes:
        """Return the receipt as the content of a file."""
        lines = [FIRST_LINE, *(entry.line for entry in self.entries), *map(_base64, self.proof)]
        if self.growth is not None:
            lines += [b"since %d" % self.growth.old_size, *map(_base64, self.growth.proof)]
        return b"\n".join([*lines, b"", str(self.checkpoint).encode()])

    def fault(self, key: PublicKey, old: TreeHead | None = None) -> Damage | None:
        """Return the first reason why the receipt does not prove its entries; None if it does.

        With `old` it must also prove that the ledger has only grown since that tree.
        """
        why = self.checkpoint.fault(key)
        if why is not None:
            return Damage(None, phrase("proof.checkpoint", why=why))
        return self._fault_of_chain() or self._fault_of_tree() or (None if old is None else self._fault_since(old))

    def _fault_of_chain(self) -> Damage | None:
        """Return the first adjacent entry whose digest does not match; the tree shows no position."""
        last = EMPTY.position, EMPTY.digest
        for entry in self.entries:
            position = entry.envelope.position
            if position == last[0] + 1 and not entry.follows(last[1]):
                return Damage(position, phrase("proof.unfit"))
            last = position, entry.digest
        return None

    def _fault_of_tree(self) -> Damage | None:
        tree = self.checkpoint.tree
        leaves = {entry.envelope.position - 1: leaf_hash(entry.line) for entry in self.entries}
        if root_of_inclusion(leaves, tree.size, self.proof) == tree.root:
            return None
        return Damage(None, phrase("proof.not_held"))

    def _fault_since(self, old: TreeHead) -> Damage | None:
        new, growth = self.checkpoint.tree, self.growth
        if old == new:
            return None
        if growth is None:
            return Damage(None, phrase("proof.no_growth", size=old.size))
        if growth.old_size != old.size:
            return Damage(None, phrase("proof.other_growth", proven=growth.old_size, size=old.size))
        if is_continued(old.size, old.root, new.size, new.root, growth.proof):
            return None
        return Damage(None, phrase("proof.not_continued", size=old.size))


def fault_of_receipt(
    receipt: DealReceipt, key: PublicKey, old: Checkpoint | None, witnesses: Sequence[Witness], threshold: int
) -> Damage | None:
    """Return the first reason why the receipt does not prove its entries; None if it does.

    Its checkpoint must be cosigned by `threshold` witnesses and not contradict the tree of `old`.
    """
    if old is not None and (what := equivocation(receipt.checkpoint, old, key)) is not None:
        return Damage(None, what)
    fault = receipt.fault(key, None if old is None else old.tree)
    if fault is None and (why := missing_cosignatures(receipt.checkpoint.note, witnesses, threshold)) is not None:
        return Damage(None, phrase("proof.checkpoint", why=why))
    return fault


def _check_order(entries: Sequence[ProvenEntry]) -> None:
    if not entries:
        raise MalformedError(phrase("form.not_receipt"), phrase("form.entries_after"))
    for number, (one, other) in enumerate(pairwise(entry.envelope for entry in entries), 3):
        if one.stream != other.stream:
            raise MalformedError(phrase("form.other_table"), one.stream, other.stream, in_line(number))
        if one.position >= other.position or one.version >= other.version:
            raise MalformedError(phrase("form.not_in_order"), phrase("form.rising"), None, in_line(number))


def _hash(line: bytes) -> bytes:
    raw = decoded(line.decode("ascii", "replace"), HASH_BYTES)
    if raw is None:
        raise MalformedError(phrase("form.not_hash"), phrase("form.hash"), _shown(line))
    return raw


def _base64(raw: bytes) -> bytes:
    return encoded(raw).encode()


def _shown(line: bytes) -> str:
    return line[:_SHOWN].decode("utf-8", "replace")
