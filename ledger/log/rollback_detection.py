"""The furthest known state of a ledger, from its file `paths.seen_of` and the checkpoint beside it.

A sound ledger that lacks this entry is an older copy. The file protects against accidents, not against an attacker who
changes it too; against that, keep a checkpoint elsewhere. A missing or unreadable file is no fault; then, or if it
reaches further, the checkpoint beside the ledger shows the number of entries, unless it cannot be read or was not
signed with the public key beside it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from ledger import limits
from ledger.errors import ConflictError, LedgerError
from ledger.log.atomic_files import write_whole
from ledger.log.base import Head
from ledger.log.catalogue import phrase
from ledger.log.checkpoint import Checkpoint
from ledger.log.paths import checkpoint_of, public_key_of, seen_draft_of, seen_of
from ledger.log.signed_note import PublicKey
from ledger.outside import opened, read_file


def sidecar_checkpoint(ledger: Path, *, above: int = 0) -> Checkpoint | None:
    """Return the checkpoint beside the ledger if it has more than `above` entries; without a public key it is not
    verified.
    """
    try:
        checkpoint = Checkpoint.parse(read_file(checkpoint_of(ledger), "receipt", limits.RECEIPT_BYTES))
    except (OSError, LedgerError):
        return None
    return checkpoint if checkpoint.tree.size > above and _is_trusted(checkpoint, public_key_of(ledger)) else None


def _is_trusted(checkpoint: Checkpoint, public: Path) -> bool:
    try:
        key = PublicKey.parse(read_file(public, "key", limits.KEY_BYTES).decode("utf-8", "replace"))
    except (OSError, LedgerError):
        return True
    return checkpoint.fault(key) is None


RollbackKind: TypeAlias = Literal["accepted", "restored", "made"]
"""The cause of an older state: it was accepted, a backup was restored, or a ledger was created anew."""

DigestAt: TypeAlias = Callable[[int], bytes | None]
"""A function that returns the digest of the entry at a position, None if there is none."""

_BYTES_MAX: Final = 10_000_000
_FOR_ALL: Final = 0o644


class Rollback(Struct, frozen=True, kw_only=True):
    """An intended older state: `how`, when (`at`), and why; for a restored ledger, from which backup.

    Before it, the ledger had `entries_before`, the last of them with the digest `digest_before` (hexadecimal; empty if
    known only from a checkpoint); after it, it had `entries`.
    """

    how: RollbackKind
    at: str
    reason: str
    entries_before: int
    digest_before: str
    entries: int


class KnownHead(Struct, frozen=True, omit_defaults=True):
    """The furthest known entry, its digest in hexadecimal, and every recorded rollback."""

    position: Annotated[int, Meta(ge=0)]
    digest: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    rollbacks: tuple[Rollback, ...] = ()


def read_known_head(ledger: Path) -> KnownHead | None:
    """Return the remembered head of a ledger; None if there is none."""
    try:
        with opened(seen_of(ledger)) as file:
            return msgspec.json.decode(file.read(_BYTES_MAX), type=KnownHead)
    except (OSError, LedgerError, msgspec.DecodeError, UnicodeDecodeError):
        return None


def furthest_known_head(ledger: Path) -> KnownHead | None:
    """Return the furthest entry that the ledger must have, by `read_known_head` or the checkpoint beside it.

    The digest of an entry known only from the checkpoint is empty.
    """
    seen = read_known_head(ledger)
    known = seen or KnownHead(0, "")
    signed = unanswered_checkpoint(ledger, known.rollbacks, above=known.position)
    return seen if signed is None else KnownHead(signed.tree.size, "", known.rollbacks)


def unanswered_checkpoint(ledger: Path, rollbacks: tuple[Rollback, ...], *, above: int = 0) -> Checkpoint | None:
    """Return the checkpoint as `sidecar_checkpoint`; None if a recorded rollback gave up its state."""
    signed = sidecar_checkpoint(ledger, above=above)
    is_given_up = signed is not None and any(one.entries_before >= signed.tree.size for one in rollbacks)
    return None if is_given_up else signed


def is_rolled_back(seen: KnownHead, digest_at: DigestAt) -> bool:
    """Return whether the ledger lacks the known entry, or has another one there."""
    if seen.position == 0:
        return False
    digest = digest_at(seen.position)
    return digest is None or (seen.digest != "" and digest.hex() != seen.digest)


def rolled_back(ledger: str, seen: KnownHead, size: int) -> ConflictError:
    """Return the error for a rolled back ledger with that many entries."""
    key = "seen.lacking" if size < seen.position else "seen.another"
    return ConflictError("rolled_back", phrase(key, file=ledger, expected=seen.position, actual=size))


def remember(ledger: Path, head: Head, digest_at: DigestAt) -> None:
    """Save the head of the ledger, unless the ledger lacks the known one.

    Call it while holding the writer's turn. Raise `OSError` if the file cannot be written.
    """
    known = furthest_known_head(ledger)
    if known is not None and is_rolled_back(known, digest_at):
        return
    seen = read_known_head(ledger) or KnownHead(0, "")
    if seen.position < head.position:
        _write(ledger, KnownHead(head.position, head.digest.hex(), seen.rollbacks))


def answer_for(
    ledger: Path, how: RollbackKind, reason: str, head: Head, digest_at: DigestAt, at: str
) -> KnownHead | None:
    """Record that an older state is intended, and return the new known head; None if no known entry is missing.

    Call it while holding the writer's turn. Raise `OSError` if the file cannot be written.
    """
    seen = furthest_known_head(ledger)
    if seen is None or not is_rolled_back(seen, digest_at):
        return None
    rollback = Rollback(
        how=how,
        at=at,
        reason=reason,
        entries_before=seen.position,
        digest_before=seen.digest,
        entries=head.position,
    )
    now = KnownHead(head.position, head.digest.hex(), (*seen.rollbacks, rollback))
    _write(ledger, now)
    return now


def _write(ledger: Path, seen: KnownHead) -> None:
    """Write the file; call it while holding the writer's turn."""
    write_whole(seen_of(ledger), msgspec.json.encode(seen) + b"\n", _FOR_ALL, Path.replace, seen_draft_of(ledger))
