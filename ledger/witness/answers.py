"""The answers of the command `witness`, of the requests of clubs, and of the check of evidence, as Structs."""

from __future__ import annotations

from msgspec import Struct

from ledger.witness.evidence import Verdict


class WitnessKeysAnswer(Struct, frozen=True, kw_only=True):
    """Answer of `witness FOLDER init`: the folder, and the public keys.

    `key` verifies the lists (c2sp.org/signed-note), `witness` the cosignatures (c2sp.org/tlog-cosignature).
    """

    folder: str
    key: str
    witness: str


class WitnessClub(Struct, frozen=True, kw_only=True):
    """A club of a witness: its origin and public key, its number of cosigned entries, and the time of the cosignature.

    Both are null if nothing was cosigned for it yet. `age_days`: the full days since then.
    """

    origin: str
    key: str
    entries: int | None
    cosigned_at: str | None
    age_days: int | None


class WitnessCosignAnswer(Struct, frozen=True, kw_only=True):
    """Answer of `witness FOLDER cosign`: the file with the cosignature, the content of the checkpoint, the witness."""

    cosignature: str
    origin: str
    entries: int
    root: str
    witness: str


class WitnessListAnswer(Struct, frozen=True, kw_only=True):
    """Answer of `witness FOLDER list`: the file, the day (UTC), the number of clubs, the root over their lines."""

    list: str
    day: str
    clubs: int
    root: str


class WitnessRecoverAnswer(Struct, frozen=True, kw_only=True):
    """Answer of `witness FOLDER recover`: the number of added checkpoints, and the clubs of which nothing is known."""

    added: int
    unknown: list[str]


class CheckpointRequestAnswer(Struct, frozen=True, kw_only=True):
    """Answer of `checkpoint --for-witness`: the file, the content of the checkpoint, and the proven number of entries.

    `since`: the number of entries that the witness cosigned last.
    """

    request: str
    origin: str
    entries: int
    root: str
    since: int


class VerifyEvidenceAnswer(Struct, frozen=True, kw_only=True):
    """Answer of `verify --evidence`.

    `proven`: whether the evidence proves that the key signed two ledgers. `verdict`: `equivocation`, `unproven` for a
    proof that fails, or `nothing`. `cosigned`, `other`: the numbers of entries of the two checkpoints.
    """

    proven: bool
    verdict: Verdict
    origin: str
    cosigned: int
    other: int
