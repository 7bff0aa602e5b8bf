"""What was written to which file: ledgers, copies of them, keys, checkpoints, receipts, pages and plots."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ledger.log.answers import SignedTree
from ledger.log.backup import Copied, Drill
from ledger.log.checkpoint import Checkpoint
from ledger.log.receipt import DealReceipt
from ledger.log.signed_note import PublicKey, encoded
from ledger.text.layout import counted

if TYPE_CHECKING:
    from ledger.history import ParquetExport


def ledger_made(path: Path) -> str:
    return f"Made {path}. Next: trickledger import FILE"


def written(path: Path | str) -> str:
    return f"Wrote {path}."


def written_as_of(path: Path | str, position: int) -> str:
    """A file that tells of the ledger up to this position."""
    return f"Wrote {path}, as of entry {position:,} of the ledger."


def parquet_text(folder: Path, written: ParquetExport) -> Iterator[str]:
    """The folder with how much is in it, and up to which entry it tells."""
    tables, rows, head = len(written.rows), sum(written.rows.values()), written.head
    yield f"{folder}: {counted(tables, 'table')}, {counted(rows, 'row')}"
    yield f"As of entry {head.position:,} of the ledger, digest {head.digest[:12]}…"


def backup_text(ledger: Path, copied: Copied) -> str:
    return f"Backed up {ledger} to {copied.path}: {_content(copied)}"


def restored_text(backup: Path, copied: Copied) -> str:
    return f"Restored {backup} to {copied.path}: {_content(copied)}"


def drill_text(done: Drill) -> Iterator[str]:
    """What was practised, and that nothing of it is left."""
    yield f"Backed up, restored, and read back: {_content(done)}"
    yield "The backup and the restored ledger were for practice and are gone. Make one that stays: backup TARGET"


def _content(copy: Copied | Drill) -> str:
    return f"{copy.entries:,} entries, head {copy.digest}"


def keys_text(secret: Path, public: Path, key: PublicKey) -> Iterator[str]:
    """The two files of keys, and what is to be done with each."""
    yield f"Made {secret}, which signs: show it to nobody, and keep a copy elsewhere."
    yield f"Made {public}, which checks: give it to everybody.\n{key}"


def checkpoint_text(path: Path, made: Checkpoint, key: PublicKey) -> Iterator[str]:
    """What was signed, with which key, and where it stands."""
    yield f"Signed {made.tree.size:,} entries, root {encoded(made.tree.root)}"
    yield f"with the key {key.label}: {path}"


def checkpoint_facts(signed: Checkpoint) -> SignedTree:
    """What was signed, for programs."""
    return SignedTree(origin=signed.origin, entries=signed.tree.size, root=encoded(signed.tree.root))


def receipt_text(path: Path, made: DealReceipt) -> str:
    size = f"{made.checkpoint.tree.size:,} entries"
    return f"Wrote {path}: {len(made.entries)} entries, proven by the checkpoint of {size}"
