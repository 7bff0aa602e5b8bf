"""How far a ledger had come when it was last written to, as its file `paths.seen_of` and the checkpoint beside it tell.

A sound ledger that lacks this entry is an older copy. The file stops accidents, not whoever changes it, too: against
those helps a checkpoint that somebody else keeps. One that is missing, or is none, tells nothing and is no fault; then,
or where it reaches further, the checkpoint beside the ledger tells how many entries there were, unless it cannot be
read, or was not signed with the public key that lies there, too.
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
    """The checkpoint, if it was signed for more than so many entries; without a public key it is taken as it is."""
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
"""How an older state came to stand: somebody accepted it, a backup was restored over it, or a ledger was made anew."""

DigestAt: TypeAlias = Callable[[int], bytes | None]
"""The digest of the entry at a position of the ledger; None where there is none."""

_BYTES_MAX: Final = 10_000_000
_FOR_ALL: Final = 0o644


class Rollback(Struct, frozen=True, kw_only=True):
    """An older state that was meant to be: `how`, when (`at`), and why; for a restored ledger, from which backup.

    Before it, the ledger had `entries_before`, the last of them with the digest `digest_before` (hexadecimal; empty
    where only a checkpoint tells of them); after it, it had `entries`.
    """

    how: RollbackKind
    at: str
    reason: str
    entries_before: int
    digest_before: str
    entries: int


class KnownHead(Struct, frozen=True, omit_defaults=True):
    """The furthest entry that was seen, its digest in hexadecimal, and every rollback that somebody answered for."""

    position: Annotated[int, Meta(ge=0)]
    digest: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    rollbacks: tuple[Rollback, ...] = ()


def read_known_head(ledger: Path) -> KnownHead | None:
    """What is known of this ledger; None where nothing is."""
    try:
        with opened(seen_of(ledger)) as file:
            return msgspec.json.decode(file.read(_BYTES_MAX), type=KnownHead)
    except (OSError, LedgerError, msgspec.DecodeError, UnicodeDecodeError):
        return None


def furthest_known_head(ledger: Path) -> KnownHead | None:
    """What the ledger must have, by `read_known_head` or, where that reaches further, by the checkpoint beside it.

    Of an entry that only the checkpoint tells of, the digest is not known, and empty here.
    """
    seen = read_known_head(ledger)
    known = seen or KnownHead(0, "")
    signed = unanswered_checkpoint(ledger, known.rollbacks, above=known.position)
    return seen if signed is None else KnownHead(signed.tree.size, "", known.rollbacks)


def unanswered_checkpoint(ledger: Path, rollbacks: tuple[Rollback, ...], *, above: int = 0) -> Checkpoint | None:
    """As `sidecar_checkpoint`; None for one of a state that somebody has answered for giving up."""
    signed = sidecar_checkpoint(ledger, above=above)
    is_given_up = signed is not None and any(one.entries_before >= signed.tree.size for one in rollbacks)
    return None if is_given_up else signed


def is_rolled_back(seen: KnownHead, digest_at: DigestAt) -> bool:
    """Whether the ledger lacks the entry that was seen, or has another one there."""
    if seen.position == 0:
        return False
    digest = digest_at(seen.position)
    return digest is None or (seen.digest != "" and digest.hex() != seen.digest)


def rolled_back(ledger: Path, seen: KnownHead, size: int) -> ConflictError:
    """The refusal of a ledger with that many entries."""
    key = "seen.lacking" if size < seen.position else "seen.another"
    return ConflictError("rolled_back", phrase(key, file=ledger, expected=seen.position, actual=size))


def remember(ledger: Path, head: Head, digest_at: DigestAt) -> None:
    """Write down that the ledger has come so far; what is known stays where the ledger lacks it.

    To be called in a writer's turn. Raises `OSError` where the file cannot be written.
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
    """Write down that an older state is meant to be, and how far it reaches; None where there is no such thing.

    Called and failing as `remember`.
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
    """To be called in a writer's turn."""
    write_whole(seen_of(ledger), msgspec.json.encode(seen) + b"\n", _FOR_ALL, Path.replace, seen_draft_of(ledger))
