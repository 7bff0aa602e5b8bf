"""Whether a sound ledger has only grown since it was last written to, and the word of whoever keeps an older one."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from ledger import limits
from ledger.errors import MalformedError, UsageError
from ledger.log.base import Head, LogStore
from ledger.log.checkpoint import Checkpoint, TreeHead, equivocation
from ledger.log.paths import checkpoint_of
from ledger.log.proof_files import read_checkpoint
from ledger.log.rollback_detection import Seen, is_rolled_back, newest_known, unanswered_checkpoint
from ledger.log.signed_note import PublicKey
from ledger.log.sqlite import SqliteStore
from ledger.log.sqlite_file import Progress
from ledger.log.stores import file_of
from ledger.log.verify import Damage, Verification, verify
from ledger.log.words import phrase


def verify_growth(
    subject: LogStore | Path | str,
    *,
    witness: Head | None = None,
    signed: Checkpoint | None = None,
    key: PublicKey | None = None,
    accept_rollback: str | None = None,
    progress: Progress | None = None,
) -> Verification:
    """As `verify`; the ledger must also have every entry that was seen in it, unless its keeper accepts the rollback.

    Where a checkpoint lies beside it that was signed with the same `key` as the one given (`signed`), the two must not
    be of two ledgers. Raises `UsageError` where there is no rollback to accept, `MalformedError` for a reason that is
    none, and `ConflictError` for a locked ledger.
    """
    reason = None if accept_rollback is None else _checked_reason(accept_rollback)
    path = _path_of(subject)
    seen = None if path is None else newest_known(path)  # before the ledger, which may be growing
    beside = None if signed is not None else _tree_beside(path, seen)
    past = beside if signed is None else signed.tree
    found = verify(subject, witness=witness, signed=past, progress=progress)
    by_checkpoint = None if beside is None else _damage_told_by(beside, found)
    if by_checkpoint is not None:
        found = replace(found, damage=None)  # what was seen tells more, and of a rollback that can be accepted
    if path is not None and signed is not None and key is not None:
        found = _with_equivocation(found, path, signed, key)
    if path is not None and seen is not None:
        found = _against(found, path, seen)
    if found.damage is None and by_checkpoint is not None:
        found = replace(found, damage=by_checkpoint)
    if reason is None or (found.damage is not None and not found.is_rolled_back):
        return found
    return _accepted(found, path, reason)


def _tree_beside(path: Path | None, seen: Seen | None) -> TreeHead | None:
    """The tree of the checkpoint that lies beside the ledger, if the ledger has to continue it."""
    signed = None if path is None else unanswered_checkpoint(path, () if seen is None else seen.rollbacks)
    return None if signed is None else signed.tree


def _damage_told_by(beside: TreeHead, found: Verification) -> Damage | None:
    """The damage found, if only the checkpoint beside the ledger tells of it."""
    lacking = Damage(found.entries + 1, phrase("damage.cut_off", entries=beside.size))
    another = Damage(None, phrase("damage.not_signed", entries=beside.size))
    return found.damage if found.damage in (lacking, another) else None


def _with_equivocation(found: Verification, path: Path, signed: Checkpoint, key: PublicKey) -> Verification:
    """The damage that the key has signed two ledgers, if the checkpoint beside this one shows it."""
    try:
        beside = read_checkpoint(checkpoint_of(path))
    except (OSError, MalformedError):
        return found
    what = equivocation(signed, beside, key)
    return found if what is None else replace(found, damage=Damage(None, what), is_rolled_back=False)


def _path_of(subject: LogStore | Path | str) -> Path | None:
    if isinstance(subject, SqliteStore):
        return subject.path
    return file_of(subject) if isinstance(subject, Path | str) else None


def _checked_reason(told: str) -> str:
    reason = told.strip()
    if not reason:
        raise MalformedError(phrase("seen.no_reason"), phrase("seen.reason"))
    if len(reason) > limits.TEXT_CHARS:
        raise limits.exceeded("reason", len(reason), limits.TEXT_CHARS, "characters")
    return reason


def _against(found: Verification, path: Path, seen: Seen) -> Verification:
    found = replace(found, rollbacks=seen.rollbacks)
    if found.damage is not None:
        return found
    found = replace(found, is_growth_checked=True)
    if found.entries < seen.position:
        damage = Damage(found.entries + 1, phrase("damage.rolled_back", entries=seen.position))
        return replace(found, damage=damage, is_rolled_back=True)
    with SqliteStore(path, access="read") as store:
        if is_rolled_back(seen, store.digest_at):
            return replace(found, damage=Damage(seen.position, phrase("damage.forked")), is_rolled_back=True)
    return found


def _accepted(found: Verification, path: Path | None, reason: str) -> Verification:
    now = None
    if path is not None:
        with SqliteStore(path) as store:
            now = store.answer_for_rollback("accepted", reason)
    if now is None:
        raise UsageError("usage", phrase("seen.not_rolled_back"))
    return replace(found, damage=None, is_rolled_back=False, rollbacks=now.rollbacks)
