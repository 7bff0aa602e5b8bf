"""Texts signed with Ed25519, and their keys, in the formats of c2sp.org/signed-note. No files here.

A key has a name besides its bytes, and an id of four bytes over both, by which signatures name their key. Witnesses
cosign a checkpoint (c2sp.org/tlog-cosignature, cosignature/v1): a witness states that it has seen no larger tree of
this ledger until then, and has seen it only grow.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from collections.abc import Collection, Sequence
from hashlib import sha256
from typing import ClassVar, Final, Self

from msgspec import Struct

from ledger import limits
from ledger.errors import SECRET_KEY_MARK, MalformedError
from ledger.i18n import Phrase
from ledger.limits import exceeded
from ledger.log.catalogue import phrase

_SIGNER: Final = b"\x01"
_COSIGNER: Final = b"\x04"
"""The two uses of an Ed25519 key, signing and cosigning: each has its own id."""
_KEY_BYTES: Final = 32
_ID_BYTES: Final = 4
_DASH: Final = "— "  # U+2014 and a blank begin a line with a signature
_SHOWN: Final = 100


class PublicKey(Struct, frozen=True):
    """The key that verifies signatures, written `NAME+ID+KEY` (id in hex, key in base64; C2SP signed-note)."""

    name: str
    raw: bytes

    kind: ClassVar[bytes] = _SIGNER
    kinds_read: ClassVar[tuple[bytes, ...]] = (_SIGNER,)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the key in a text. Raise `MalformedError` if it is none, or its id does not match its content."""
        parts = text.strip().split("+", 2)
        raw = decoded(parts[-1], 1 + _KEY_BYTES)
        if len(parts) == 3 and raw is not None and raw[:1] in cls.kinds_read:
            name = checked_name(parts[0])
            if _key_id(name, raw).hex() == parts[1]:
                return cls(name, raw[1:])
        raise MalformedError(phrase("form.not_public_key"), phrase("form.public_key"), text[:_SHOWN])

    @property
    def id(self) -> bytes:
        """Four bytes: the beginning of SHA-256 over the name, a line feed, the kind and the key."""
        return _key_id(self.name, self.kind + self.raw)

    @property
    def label(self) -> str:
        """Name and id, enough for a person to recognise the key."""
        return f"{self.name}+{self.id.hex()}"

    def __str__(self) -> str:
        return f"{self.label}+{encoded(self.kind + self.raw)}"


class Witness(PublicKey, frozen=True):
    """The public key that verifies the cosignatures of a witness.

    It is parsed from a verifier key for cosignatures, or from one for signatures, as `checkpoint --make-key` writes it.
    """

    kind: ClassVar[bytes] = _COSIGNER
    kinds_read: ClassVar[tuple[bytes, ...]] = (_COSIGNER, _SIGNER)

    @classmethod
    def of(cls, key: PublicKey) -> Witness:
        """Return the witness with this key."""
        return cls(key.name, key.raw)


def _key_id(name: str, kind_and_raw: bytes) -> bytes:
    return sha256(name.encode() + b"\n" + kind_and_raw).digest()[:_ID_BYTES]


class SecretKey(Struct, frozen=True):
    """The private key; `seed` is that of RFC 8032 (32 bytes). Its text has the format of Go's package `note`."""

    name: str
    seed: bytes

    @classmethod
    def generate(cls, name: str) -> SecretKey:
        """Generate a new key. Raise `MalformedError` for a name that the specification does not allow."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        return cls(checked_name(name), Ed25519PrivateKey.generate().private_bytes_raw())

    @classmethod
    def parse(cls, text: str) -> SecretKey:
        """Return the key in a text. Raise `MalformedError` without quoting the text, which may be most of a secret."""
        parts = text.strip().removeprefix(SECRET_KEY_MARK).split("+", 2)
        raw = decoded(parts[-1], 1 + _KEY_BYTES)
        if text.startswith(SECRET_KEY_MARK) and len(parts) == 3 and raw is not None and raw[:1] == _SIGNER:
            key = cls(checked_name(parts[0]), raw[1:])
            if key.public().id.hex() == parts[1]:
                return key
        raise MalformedError(phrase("form.not_private_key"), phrase("form.private_key"))

    def public(self) -> PublicKey:
        """Return the public key that belongs to it."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        return PublicKey(self.name, Ed25519PrivateKey.from_private_bytes(self.seed).public_key().public_bytes_raw())

    def secret_text(self) -> str:
        """Return the key as one line, without line feed."""
        return f"{SECRET_KEY_MARK}{self.public().label}+{encoded(_SIGNER + self.seed)}"

    def __repr__(self) -> str:
        return f"SecretKey({self.name!r})"


class Signature(Struct, frozen=True):
    """One signature line: the name and id of the key, and the bytes of the signature."""

    name: str
    key_id: bytes
    raw: bytes


class Note(Struct, frozen=True):
    """A text, which ends with a line feed, and its signatures."""

    text: str
    signatures: tuple[Signature, ...]

    @classmethod
    def parse(cls, content: bytes) -> Note:
        """Return the note in a file's content. Raise `MalformedError` naming the violation of the specification."""
        try:
            whole = content.decode()
        except UnicodeDecodeError:
            raise MalformedError(phrase("form.not_note"), "UTF-8") from None
        if any(sign < " " and sign != "\n" for sign in whole):
            raise MalformedError(phrase("form.not_note"), phrase("form.no_controls"))
        text, gap, signed = whole.rpartition("\n\n")
        if not gap or not text or not signed.endswith("\n"):
            raise MalformedError(phrase("form.not_note"), phrase("form.note"))
        signatures = signed[:-1].split("\n")
        if len(signatures) > limits.SIGNATURES:
            raise exceeded("signatures", len(signatures), limits.SIGNATURES, "signed")
        return cls(text + "\n", tuple(map(_signature, signatures)))

    def __str__(self) -> str:
        signed = "".join(f"{_DASH}{one.name} {encoded(one.key_id + one.raw)}\n" for one in self.signatures)
        return f"{self.text}\n{signed}"

    def fault(self, key: PublicKey) -> Phrase | None:
        """Return the reason why this key did not sign the note; None if it did.

        Signatures of other keys are ignored, as the specification requires.
        """
        own = [one for one in self.signatures if (one.name, one.key_id) == (key.name, key.id)]
        if not own:
            others = tuple(f"{one.name}+{one.key_id.hex()}" for one in self.signatures)
            return phrase("proof.other_key", key=key.label, others=others)
        if not all(_fits(one.raw, self.text.encode(), key.raw) for one in own):
            return phrase("proof.signature", key=key.label)
        return None


def sign(text: str, key: SecretKey) -> Note:
    """Return a note of the text, which must end with a line feed, with one signature."""
    return Note(text, (Signature(key.name, key.public().id, _raw_signature(text.encode(), key)),))


def _raw_signature(message: bytes, key: SecretKey) -> bytes:
    """Return the 64 bytes of a signature with this key."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(key.seed).sign(message)


def _fits(signature: bytes, message: bytes, public: bytes) -> bool:
    """Return whether the signature of the message was made with the private key of this public one."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except InvalidSignature:
        return False
    return True


def _signature(line: str) -> Signature:
    name, _, rest = line.removeprefix(_DASH).partition(" ")
    raw = decoded(rest)
    if not line.startswith(_DASH) or not _is_name(name) or raw is None or len(raw) <= _ID_BYTES:
        raise MalformedError(phrase("form.not_signature"), phrase("form.signature"), line[:_SHOWN])
    return Signature(name, raw[:_ID_BYTES], raw[_ID_BYTES:])


def checked_name(name: str) -> str:
    """Return the name of a key. Raise `MalformedError` if it is empty or has a blank, `+` or a control character."""
    if not _is_name(name):
        expected = phrase("form.key_name", example="club.example/ledger")
        raise MalformedError(phrase("form.not_key_name"), expected, name[:_SHOWN])
    return name


def _is_name(name: str) -> bool:
    return bool(name) and not any(sign.isspace() or sign < " " or sign == "+" for sign in name)


def encoded(raw: bytes) -> str:
    """Return the bytes as base64 (RFC 4648, section 4)."""
    return b64encode(raw).decode()


def decoded(text: str, size: int | None = None) -> bytes | None:
    """Return the bytes of base64; None if the text is not base64, not canonical, or not of that size."""
    try:
        raw = b64decode(text.encode("ascii"), validate=True)
    except (Base64Error, UnicodeEncodeError):
        return None
    return raw if encoded(raw) == text and size in (None, len(raw)) else None


# Cosignatures

_TIME_BYTES: Final = 8
_TIME_MAX: Final = (1 << 63) - 1


class Cosignature(Struct, frozen=True):
    """The cosignature of a witness, and its time by the witness's clock: POSIX time, in seconds."""

    witness: Witness
    at: int


def cosigned_note(note: Note, key: SecretKey, at: int) -> Note:
    """Return the note with this witness's cosignature, which replaces an older one; `at` is POSIX time, in seconds."""
    witness = Witness.of(key.public())
    raw = at.to_bytes(_TIME_BYTES) + _raw_signature(_message(note, at), key)
    others = tuple(one for one in note.signatures if (one.name, one.key_id) != (witness.name, witness.id))
    return Note(note.text, (*others, Signature(witness.name, witness.id, raw)))


def cosignatures(note: Note, witnesses: Collection[Witness]) -> list[Cosignature]:
    """Return the valid cosignatures of these witnesses; a key counts once, as the signed message does not include its
    name.
    """
    by_key = {witness.raw: one for witness in witnesses if (one := _cosignature(note, witness)) is not None}
    return list(by_key.values())


def missing_cosignatures(note: Note, witnesses: Sequence[Witness], threshold: int) -> Phrase | None:
    """Return the reason why fewer than `threshold` of the witnesses cosigned the note; None if enough did."""
    count = len(cosignatures(note, witnesses))
    if count >= threshold:
        return None
    return phrase("proof.too_few_witnesses", found=count, all=len(witnesses), threshold=threshold)


def _cosignature(note: Note, witness: Witness) -> Cosignature | None:
    """Return the witness's cosignature; None if one of its lines is forged, as then none can be trusted."""
    own = [one.raw for one in note.signatures if (one.name, one.key_id) == (witness.name, witness.id)]
    times = [int.from_bytes(raw[:_TIME_BYTES]) for raw in own]
    if not own or not all(_is_signed(note, witness, at, raw) for at, raw in zip(times, own, strict=True)):
        return None
    return Cosignature(witness, max(times))


def _is_signed(note: Note, witness: Witness, at: int, raw: bytes) -> bool:
    return at <= _TIME_MAX and _fits(raw[_TIME_BYTES:], _message(note, at), witness.raw)


def _message(note: Note, at: int) -> bytes:
    return f"cosignature/v1\ntime {at}\n{note.text}".encode()
