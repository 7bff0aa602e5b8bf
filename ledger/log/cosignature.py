"""Cosignatures of witnesses under a checkpoint: c2sp.org/tlog-cosignature, cosignature/v1, Ed25519. No files in here.

A witness says by it that no larger tree of this ledger was shown to him by then, and that he saw it only grow.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from msgspec import Struct

from ledger.i18n import Phrase
from ledger.log.signed_note import (
    COSIGNER,
    SIGNER,
    Note,
    PublicKey,
    SecretKey,
    Signature,
    encoded,
    fits,
    key_id,
    parsed_public_key,
    raw_signature,
)
from ledger.log.words import phrase

_TIME_BYTES: Final = 8
_TIME_MAX: Final = (1 << 63) - 1


class Witness(Struct, frozen=True):
    """What a witness is known by; as text `name+id in hex+base64`, with 0x04 before the bytes of the key."""

    name: str
    raw: bytes

    @classmethod
    def parse(cls, text: str) -> Witness:
        """The witness of a verifier key for cosignatures, or of one for signatures, as `checkpoint --make-key` writes.

        Raises `MalformedError` where it is neither.
        """
        return cls(*parsed_public_key(text, COSIGNER, SIGNER))

    @classmethod
    def of(cls, key: PublicKey) -> Witness:
        return cls(key.name, key.raw)

    @property
    def id(self) -> bytes:
        """Four bytes, another id than the same key has where it signs."""
        return key_id(self.name, COSIGNER, self.raw)

    @property
    def label(self) -> str:
        """Name and id, enough for a person to tell which one it is."""
        return f"{self.name}+{self.id.hex()}"

    def __str__(self) -> str:
        return f"{self.label}+{encoded(COSIGNER + self.raw)}"


class Cosignature(Struct, frozen=True):
    """That a witness has cosigned, and when by his clock: POSIX time, in seconds."""

    witness: Witness
    at: int


def cosigned_note(note: Note, key: SecretKey, at: int) -> Note:
    """The note with this witness's cosignature, in the place of an older one of his; `at` is POSIX time, in seconds."""
    witness = Witness.of(key.public())
    raw = at.to_bytes(_TIME_BYTES) + raw_signature(_message(note, at), key)
    others = tuple(one for one in note.signatures if (one.name, one.key_id) != (witness.name, witness.id))
    return Note(note.text, (*others, Signature(witness.name, witness.id, raw)))


def cosignatures(note: Note, witnesses: Collection[Witness]) -> list[Cosignature]:
    """Those of these witnesses; a key counts once, whatever names it goes by, for what is signed does not name it."""
    found = {witness.raw: one for witness in witnesses if (one := _cosignature(note, witness)) is not None}
    return list(found.values())


def missing_cosignatures(note: Note, witnesses: Sequence[Witness], threshold: int) -> Phrase | None:
    """Why the note is not cosigned by as many of the witnesses as it must be; None where it is."""
    found = len(cosignatures(note, witnesses))
    if found >= threshold:
        return None
    return phrase("proof.too_few_witnesses", found=found, all=len(witnesses), threshold=threshold)


def _cosignature(note: Note, witness: Witness) -> Cosignature | None:
    """Each line of his must fit: a forged one beside it is no reason to trust the other."""
    own = [one.raw for one in note.signatures if (one.name, one.key_id) == (witness.name, witness.id)]
    times = [int.from_bytes(raw[:_TIME_BYTES]) for raw in own]
    if not own or not all(_is_signed(note, witness, at, raw) for at, raw in zip(times, own, strict=True)):
        return None
    return Cosignature(witness, max(times))


def _is_signed(note: Note, witness: Witness, at: int, raw: bytes) -> bool:
    return at <= _TIME_MAX and fits(raw[_TIME_BYTES:], _message(note, at), witness.raw)


def _message(note: Note, at: int) -> bytes:
    return f"cosignature/v1\ntime {at}\n{note.text}".encode()
