"""Written files: ledgers, copies of them, keys, checkpoints, receipts, pages and plots."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ledger.i18n import in_words
from ledger.log.answers import SignedTree
from ledger.log.backup import Copied, Drill
from ledger.log.base import Head
from ledger.log.checkpoint import Checkpoint
from ledger.log.copying import FollowState, LedgerCopy
from ledger.log.receipt import DealReceipt
from ledger.log.signed_note import PublicKey, Witness, encoded
from ledger.recording.examples import Examples
from ledger.recording.hand.record_writer import WrittenRecord
from ledger.text.catalogue import counted, label

if TYPE_CHECKING:
    from ledger.history import LakeManifest, ParquetExport

_DIGEST_SHOWN: Final = 12


def as_of(position: int, digest: str | None, lang: str) -> str:
    """Return the last ledger entry of the data, without a digest if a service hides that."""
    if digest is None:
        return label(lang, "as_of_position", position=f"{position:,}")
    return label(lang, "as_of_entry", position=f"{position:,}", digest=digest[:_DIGEST_SHOWN])


def parquet_text(folder: Path, written: ParquetExport, lang: str) -> Iterator[str]:
    """Yield the folder of an export with its contents, and the last ledger entry of the data."""
    tables, rows, head = len(written.rows), sum(written.rows.values()), written.head
    counts = {"tables": counted(lang, tables, "file_table"), "rows": counted(lang, rows, "row")}
    yield label(lang, "file.parquet", folder=folder, **counts)
    yield as_of(head.position, head.digest, lang)


def lake_text(folder: str, manifest: LakeManifest, lang: str) -> Iterator[str]:
    """Yield the folder of a lake with the contents of the new snapshot, and the last ledger entry in it."""
    counts = {
        "partitions": counted(lang, manifest.partitions, "partition"),
        "rows": counted(lang, manifest.rows, "row"),
        "size": f"{manifest.size_bytes / 1e6:,.1f} MB",
    }
    yield label(lang, "file.lake", folder=folder, **counts)
    yield as_of(manifest.position, manifest.digest, lang)


def examples_text(copied: Examples, lang: str) -> Iterator[str]:
    """Yield the number of example hand records by folder, and the commands that read them."""
    folders = Counter(Path(file).parent.name for file in copied.files)
    yield label(
        lang,
        "file.examples",
        files=counted(lang, len(copied.files), "file"),
        folder=copied.folder,
        folders=label(lang, "list").join(f"{name} {count}" for name, count in folders.items()),
    )
    yield label(lang, "file.examples_next")
    for words in ("init", f"import {shlex.quote(copied.folder)}/ombre/*.toml", "replay rape-of-the-lock --deal 1"):
        yield f"  trickledger {words}"


def left_out_text(record: WrittenRecord, lang: str) -> Iterator[str]:
    """Yield a line for each fact of a table that its hand record does not contain."""
    for item in record.left_out:
        yield label(lang, "file.left_out", what=in_words(item.what, lang))


def backup_text(ledger: Path, copied: Copied, lang: str) -> Iterator[str]:
    """Yield the files of a backup and their contents, then the older backups that were deleted."""
    yield label(lang, "file.backed_up", ledger=ledger, path=copied.path, content=_content(copied, lang))
    if copied.deleted:
        files = label(lang, "list").join(path.name for path in copied.deleted)
        yield label(lang, "file.backups_deleted", files=files)


def restored_text(backup: Path, copied: Copied, lang: str) -> str:
    """Return the files of a restored ledger and its contents."""
    return label(lang, "file.restored", backup=backup, path=copied.path, content=_content(copied, lang))


def copied_text(source: str, target: str, copied: LedgerCopy, lang: str) -> Iterator[str]:
    """Yield both addresses, what the copy has now and what it lacks."""
    content, added = _of_head(copied.head, lang), f"{copied.added:,}"
    yield label(lang, "file.copied", source=source, path=target, added=added, content=content)
    if not copied.with_people:
        yield label(lang, "file.no_people")


def follow_text(state: FollowState, source: str, lang: str) -> str:
    """Return a change of state of a copy that follows its source."""
    match state.kind:
        case "level":
            return label(lang, "file.level", source=source, content=_of_head(state.head, lang))
        case "behind":
            return label(lang, "file.behind", source=source, missing=f"{state.missing:,}")
    why = "" if state.why is None else state.why.message(lang)
    return label(lang, "file.interrupted", why=why, entries=f"{state.head.position:,}")


def stopped_text(head: Head, lang: str) -> str:
    """Return the end of following."""
    return label(lang, "file.stopped", content=_of_head(head, lang))


def _of_head(head: Head, lang: str) -> str:
    return label(lang, "file.content", entries=f"{head.position:,}", digest=head.digest.hex())


def drill_text(done: Drill, lang: str) -> Iterator[str]:
    """Yield the result of a practised restoration, and a note that its files are deleted."""
    yield label(lang, "file.practised", content=_content(done, lang))
    yield label(lang, "file.practice_is_gone")


def _content(copy: Copied | Drill, lang: str) -> str:
    return label(lang, "file.content", entries=f"{copy.entries:,}", digest=copy.digest)


def keys_text(secret: Path, public: Path, key: PublicKey, lang: str) -> Iterator[str]:
    """Yield the two key files, and how to keep each."""
    yield label(lang, "file.secret_key", path=secret)
    yield label(lang, "file.public_key", path=public) + f"\n{key}"


def checkpoint_text(path: Path, made: Checkpoint, key: PublicKey, lang: str) -> Iterator[str]:
    """Yield what was signed with which key, and the file."""
    yield label(lang, "file.signed", entries=f"{made.tree.size:,}", root=encoded(made.tree.root))
    yield label(lang, "file.signed_with", key=key.label, path=path)


def cosigned_text(path: Path, made: Checkpoint, witness: Witness, lang: str) -> Iterator[str]:
    """Yield what was cosigned by whom, and the file."""
    yield label(lang, "file.cosigned", entries=f"{made.tree.size:,}", root=encoded(made.tree.root))
    yield label(lang, "file.cosigned_by", witness=witness, path=path)


def checkpoint_facts(signed: Checkpoint) -> SignedTree:
    """Return a signed tree for programs."""
    return SignedTree(origin=signed.origin, entries=signed.tree.size, root=encoded(signed.tree.root))


def receipt_text(path: Path, made: DealReceipt, later: int, lang: str) -> Iterator[str]:
    """Yield what a receipt proves, and the number of later entries about the same deal."""
    size = f"{made.checkpoint.tree.size:,}"
    yield label(lang, "file.receipt", path=path, entries=len(made.entries), size=size)
    if later:
        yield label(lang, "file.later", events=counted(lang, later, "event"))
