"""The checkpoint that lies beside a ledger under its usual name: an earlier state that the ledger has to continue.

One that cannot be read, or was not signed with the public key that lies there, too, tells nothing and is no fault.
"""

from __future__ import annotations

from pathlib import Path

from ledger import limits
from ledger.errors import LedgerError
from ledger.log.checkpoint import Checkpoint
from ledger.log.companions import checkpoint_of, public_key_of
from ledger.log.signed_note import PublicKey
from ledger.outside import read_file


def checkpoint_beside(ledger: Path, *, above: int = 0) -> Checkpoint | None:
    """The checkpoint, if it was signed for more than so many entries; without a public key it is taken as it is."""
    try:
        found = Checkpoint.parse(read_file(checkpoint_of(ledger), "receipt", limits.RECEIPT_BYTES))
    except (OSError, LedgerError):
        return None
    return found if found.tree.size > above and _is_trusted(found, public_key_of(ledger)) else None


def _is_trusted(checkpoint: Checkpoint, public: Path) -> bool:
    try:
        key = PublicKey.parse(read_file(public, "key", limits.KEY_BYTES).decode("utf-8", "replace"))
    except (OSError, LedgerError):
        return True
    return checkpoint.fault(key) is None
