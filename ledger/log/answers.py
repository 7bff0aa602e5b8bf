"""The answers of the commands about a whole ledger, as Structs: creating, copying, signing, proving, verifying."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from ledger.errors import ErrorDetail
from ledger.events import Envelope
from ledger.log.rollback_detection import Rollback


class InitAnswer(Struct, frozen=True, kw_only=True):
    """Answer of `init`: the path of the new ledger."""

    ledger: str


class BackupAnswer(Struct, frozen=True, kw_only=True):
    """Answer of `backup`: the path of the copy, its number of entries, the digest of the last one (hexadecimal).

    `deleted`: the paths of older backups that --keep deleted.
    """

    backup: str
    entries: int
    digest: str
    deleted: tuple[str, ...] | UnsetType = UNSET


class RestoreAnswer(Struct, frozen=True, kw_only=True):
    """Answer of `restore`: the path of the ledger, its number of entries, the digest of the last one (hexadecimal)."""

    ledger: str
    entries: int
    digest: str


class CopyAnswer(Struct, frozen=True, kw_only=True):
    """Answer of `copy`: both addresses, the number of entries of the copy, the digest of the last one (hexadecimal).

    `added`: how many of them are new. `with_people`: whether display names, links and hidden players were copied, too.
    """

    source: str
    target: str
    entries: int
    digest: str
    added: int
    with_people: bool


class CopyLine(Struct, frozen=True, kw_only=True):
    """A line of `copy --follow`: the new state, the entries of the copy and the digest of the last one (hexadecimal).

    `missing`: how many entries it lacks, where known. `error`: why it is interrupted.
    """

    state: Literal["level", "behind", "interrupted", "stopped"]
    entries: int
    digest: str
    missing: int | UnsetType = UNSET
    error: ErrorDetail | UnsetType = UNSET


class KeysAnswer(Struct, frozen=True, kw_only=True):
    """Answer of `checkpoint --make-key`: the two files, and the public key itself.

    `key` is a verifier key of c2sp.org/signed-note: `name+id+base64`.
    """

    private_key: str
    public_key: str
    key: str


class SignedTree(Struct, frozen=True, kw_only=True):
    """The content of a checkpoint: the ledger's name, its number of entries, the root of their Merkle tree (base64)."""

    origin: str
    entries: int
    root: str


class CheckpointAnswer(Struct, frozen=True, kw_only=True):
    """Answer of `checkpoint`: the file, its content, and the public key that verifies it.

    `origin`, `entries`, `root`: the ledger's name, its number of entries, the root of their Merkle tree (base64).
    """

    checkpoint: str
    origin: str
    entries: int
    root: str
    key: str


class CosignAnswer(Struct, frozen=True, kw_only=True):
    """Answer of `checkpoint --cosign`: the file, its content, and the public key of the witness.

    `origin`, `entries`, `root`: as in the answer of `checkpoint`. `witness` is a verifier key of
    c2sp.org/tlog-cosignature.
    """

    checkpoint: str
    origin: str
    entries: int
    root: str
    witness: str


class Cosigned(Struct, frozen=True, kw_only=True):
    """The cosignature of one witness: name and id of the key, and the time by the witness's clock."""

    witness: str
    at: str


class ReceiptAnswer(Struct, frozen=True, kw_only=True):
    """Answer of `receipt`: the file, the number of entries it proves, and the checkpoint that proves them.

    `later`: the number of later entries about the same deal, which the receipt does not include.
    """

    receipt: str
    entries: int
    later: int
    checkpoint: SignedTree


class Continued(Struct, frozen=True, kw_only=True):
    """The earlier checkpoint that the ledger continues: its name, and the number of entries it signed."""

    origin: str
    entries: int


class Damage(Struct, frozen=True):
    """The first problem, as a sentence; `position` is null for a problem of the file as a whole."""

    position: int | None
    what: str


class VerifyAnswer(Struct, frozen=True, kw_only=True):
    """Answer of `verify`.

    `entries`: the number of sound entries from the first on; `digest`: that of the last of them, in hexadecimal.
    `damage`: the first problem, null if there is none. `consistent_with`: only if an earlier checkpoint was given.
    `growth_checked`: whether the ledger was compared with an earlier state. `rollbacks`: the recorded ones, left out if
    there are none. `cosigned`: the cosignatures of the requested witnesses.
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
    """Answer of `verify --receipt`; only the fields that the receipt proves are set.

    `damage`: the first reason why it proves nothing. `deals`: the numbers of the deals that its entries start.
    `origin`, `size`, `root`: the ledger's name, the number of signed entries, the root of their Merkle tree (base64).
    `key`: the public key. `growth_checked`: whether the receipt was compared with an earlier checkpoint. `cosigned`:
    the cosignatures of the requested witnesses.
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
