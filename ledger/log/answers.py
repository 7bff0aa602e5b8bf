"""What the commands about a ledger as a whole answer, as Structs: making, copying, signing, proving, checking."""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType

from ledger.events import Envelope
from ledger.log.rollback_detection import Rollback


class InitAnswer(Struct, frozen=True, kw_only=True):
    """Answer of `init`: the path of the new ledger."""

    ledger: str


class BackupAnswer(Struct, frozen=True, kw_only=True):
    """Answer of `backup`: the copy's path, how many entries it has, and the digest of the last one (hexadecimal)."""

    backup: str
    entries: int
    digest: str


class RestoreAnswer(Struct, frozen=True, kw_only=True):
    """Answer of `restore`: the ledger's path, how many entries it has, and the digest of the last one (hexadecimal)."""

    ledger: str
    entries: int
    digest: str


class KeysAnswer(Struct, frozen=True, kw_only=True):
    """Answer of `checkpoint --make-key`: the two files, and the public key itself.

    `key` is a verifier key of c2sp.org/signed-note: `name+id+base64`.
    """

    private_key: str
    public_key: str
    key: str


class SignedTree(Struct, frozen=True, kw_only=True):
    """What a checkpoint signs: the ledger's name, how many entries it has, the root of their Merkle tree (base64)."""

    origin: str
    entries: int
    root: str


class CheckpointAnswer(Struct, frozen=True, kw_only=True):
    """Answer of `checkpoint`: the file, what it signs, and the public key that checks it.

    `origin`, `entries`, `root`: the ledger's name, how many entries it has, the root of their Merkle tree (base64).
    """

    checkpoint: str
    origin: str
    entries: int
    root: str
    key: str


class CosignAnswer(Struct, frozen=True, kw_only=True):
    """Answer of `checkpoint --cosign`: the file, what it signs, and the public key of the witness.

    `origin`, `entries`, `root`: as in the answer of `checkpoint`. `witness` is a verifier key of
    c2sp.org/tlog-cosignature.
    """

    checkpoint: str
    origin: str
    entries: int
    root: str
    witness: str


class Cosigned(Struct, frozen=True, kw_only=True):
    """That a witness (name and id of the key) has cosigned, and when, by his clock."""

    witness: str
    at: str


class ReceiptAnswer(Struct, frozen=True, kw_only=True):
    """Answer of `receipt`: the file, how many entries it proves, and the checkpoint that it proves them by.

    `later`: how many entries about the same deal the ledger has since, which the receipt does not hold.
    """

    receipt: str
    entries: int
    later: int
    checkpoint: SignedTree


class Continued(Struct, frozen=True, kw_only=True):
    """The earlier checkpoint that a ledger was found to continue: its name, and how many entries it signed."""

    origin: str
    entries: int


class Damage(Struct, frozen=True):
    """The first thing wrong, as a sentence; `position` is null where it is the file and no single entry."""

    position: int | None
    what: str


class VerifyAnswer(Struct, frozen=True, kw_only=True):
    """Answer of `verify`.

    `entries`: how many are sound from the first on; `digest`: that of the last of them, in hexadecimal. `damage`: the
    first thing wrong; null: nothing is. `consistent_with`: only where an earlier checkpoint was given.
    `growth_checked`: whether an earlier state was known that the ledger has to continue. `rollbacks`: those that
    somebody has answered for, left out where there is none. `cosigned`: by which of the witnesses that were asked for.
    """

    undamaged: bool
    entries: int
    digest: str
    damage: Damage | None
    growth_checked: bool
    consistent_with: Continued | UnsetType = UNSET
    rollbacks: tuple[Rollback, ...] | UnsetType = UNSET
    cosigned: list[Cosigned] | UnsetType = UNSET


class VerifyReceiptAnswer(Struct, frozen=True, kw_only=True):
    """Answer of `verify --receipt`; what is proven is named only where the receipt proves it.

    `damage`: the first reason why it proves nothing. `deals`: those that its entries start. `origin`, `size`, `root`:
    the ledger's name, how many entries were signed, the root of their Merkle tree (base64). `key`: the public key.
    `growth_checked`: whether an earlier checkpoint was given that it has to continue. `cosigned`: by which of the
    witnesses that were asked for.
    """

    proven: bool
    damage: Damage | None
    table: str | UnsetType = UNSET
    deals: list[int] | UnsetType = UNSET
    origin: str | UnsetType = UNSET
    size: int | UnsetType = UNSET
    root: str | UnsetType = UNSET
    growth_checked: bool | UnsetType = UNSET
    key: str | UnsetType = UNSET
    entries: list[Envelope] | UnsetType = UNSET
    cosigned: list[Cosigned] | UnsetType = UNSET
