"""Verification that a sound ledger has only grown since its last write, and the acceptance of an older one."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from ledger import limits
from ledger.errors import MalformedError, UsageError
from ledger.log.base import Head, LogStore
from ledger.log.catalogue import phrase
from ledger.log.checkpoint import Checkpoint, TreeHead, equivocation
from ledger.log.durable import DurableStore
from ledger.log.paths import checkpoint_of
from ledger.log.proof_files import read_checkpoint
from ledger.log.rollback_detection import KnownHead, furthest_known_head, is_rolled_back, unanswered_checkpoint
from ledger.log.signed_note import PublicKey
from ledger.log.sqlite_file import Progress
from ledger.log.stores import open_store, sidecar_base
from ledger.log.verify import Damage, Verification, verify


def verify_growth(
    subject: LogStore | Path | str,
    *,
    witness: Head | None = None,
    signed: Checkpoint | None = None,
    key: PublicKey | None = None,
    accept_rollback: str | None = None,
    progress: Progress | None = None,
) -> Verification:
    """Verify a ledger as `verify` does, and that it still has every remembered entry, unless the rollback is accepted.

    If the checkpoint beside the ledger was signed with the same `key` as the given one (`signed`), the two must not be
    of two ledgers. Raise `UsageError` if there is no rollback to accept, `MalformedError` for an empty or too long
    reason, and `ConflictError` for a locked ledger.
    """
    reason = None if accept_rollback is None else _checked_reason(accept_rollback)
    path = _path_of(subject)
    seen = None if path is None else furthest_known_head(path)  # before the ledger, which may be growing
    sidecar_tree = None if signed is not None else _sidecar_tree(path, seen)
    past = sidecar_tree if signed is None else signed.tree
    verification = verify(subject, witness=witness, signed=past, progress=progress)
    by_checkpoint = None if sidecar_tree is None else _damage_by_checkpoint(sidecar_tree, verification)
    if by_checkpoint is not None:
        # The remembered head says more, and may show a rollback that can be accepted.
        verification = replace(verification, damage=None)
    if path is not None and signed is not None and key is not None:
        verification = _with_equivocation(verification, path, signed, key)
    if path is not None and seen is not None:
        verification = _against(verification, _address_of(subject), seen)
    if verification.damage is None and by_checkpoint is not None:
        verification = replace(verification, damage=by_checkpoint)
    if reason is None or (verification.damage is not None and not verification.is_rolled_back):
        return verification
    return _accepted(verification, None if path is None else _address_of(subject), reason)


def _sidecar_tree(path: Path | None, seen: KnownHead | None) -> TreeHead | None:
    """Return the tree of the checkpoint beside the ledger, if the ledger must continue it."""
    signed = None if path is None else unanswered_checkpoint(path, () if seen is None else seen.rollbacks)
    return None if signed is None else signed.tree


def _damage_by_checkpoint(sidecar_tree: TreeHead, verification: Verification) -> Damage | None:
    """Return the damage if only the checkpoint beside the ledger shows it."""
    lacking = Damage(verification.entries + 1, phrase("damage.cut_off", entries=sidecar_tree.size))
    another = Damage(None, phrase("damage.not_signed", entries=sidecar_tree.size))
    return verification.damage if verification.damage in (lacking, another) else None


def _with_equivocation(verification: Verification, path: Path, signed: Checkpoint, key: PublicKey) -> Verification:
    """Return the verification, with its damage replaced if the sidecar checkpoint proves a key signed two ledgers."""
    try:
        sidecar = read_checkpoint(checkpoint_of(path))
    except (OSError, MalformedError):
        return verification
    what = equivocation(signed, sidecar, key)
    return verification if what is None else replace(verification, damage=Damage(None, what), is_rolled_back=False)


def _path_of(subject: LogStore | Path | str) -> Path | None:
    if isinstance(subject, DurableStore):
        return subject.sidecar_base
    return sidecar_base(subject) if isinstance(subject, Path | str) else None


def _address_of(subject: LogStore | Path | str) -> Path | str:
    """Return the address of a ledger that has files beside it."""
    return subject if isinstance(subject, Path | str) else str(subject.address)


def _checked_reason(text: str) -> str:
    reason = text.strip()
    if not reason:
        raise MalformedError(phrase("seen.no_reason"), phrase("seen.reason"))
    if len(reason) > limits.TEXT_CHARS:
        raise limits.exceeded("reason", len(reason), limits.TEXT_CHARS, "characters")
    return reason


def _against(verification: Verification, ledger: Path | str, seen: KnownHead) -> Verification:
    verification = replace(verification, rollbacks=seen.rollbacks)
    if verification.damage is not None:
        return verification
    verification = replace(verification, is_growth_checked=True)
    if verification.entries < seen.position:
        damage = Damage(verification.entries + 1, phrase("damage.rolled_back", entries=seen.position))
        return replace(verification, damage=damage, is_rolled_back=True)
    with open_store(ledger, access="read") as store:
        if is_rolled_back(seen, store.digest_at):
            return replace(verification, damage=Damage(seen.position, phrase("damage.forked")), is_rolled_back=True)
    return verification


def _accepted(verification: Verification, ledger: Path | str | None, reason: str) -> Verification:
    now = None
    if ledger is not None:
        with open_store(ledger) as store:
            now = store.answer_for_rollback("accepted", reason)
    if now is None:
        raise UsageError("usage", phrase("seen.not_rolled_back"))
    return replace(verification, damage=None, is_rolled_back=False, rollbacks=now.rollbacks)
