"""Imports a file by its path: lines of events, a hand record, or another ledger, told apart by content (contract 7)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ledger import limits
from ledger.errors import UnreadableError, in_file
from ledger.limits import exceeded
from ledger.log.base import LogStore
from ledger.log.paths import LEDGER_FILE
from ledger.log.stores import open_store
from ledger.log.verify import verify
from ledger.outside import opened
from ledger.recording.hand.record import ToBeAsked
from ledger.recording.importing import BEGIN_BYTES, ImportReport, Progress, import_content, text_of
from ledger.recording.merging import merge
from ledger.recording.words import phrase


def import_path(
    store: LogStore,
    path: Path,
    *,
    recorded_by: str,
    strict: bool = False,
    as_typed: bool = False,
    reason: str | None = None,
    dry_run: bool = False,
    progress: Progress | None = None,
    ask: ToBeAsked | None = None,
    lang: str = "en",
) -> ImportReport:
    """Stores what a file tells, all or nothing; parameters and errors as in `import_content` and `merge`.

    A ledger is verified first; raises `UnreadableError` where it is damaged.
    """
    with opened(path, may_be_pipe=True) as file:
        size = os.fstat(file.fileno()).st_size
        if size > limits.FILE_BYTES:
            raise exceeded("file", size, limits.FILE_BYTES, "bytes", in_file(path))
        if not file.peek(len(LEDGER_FILE)).startswith(LEDGER_FILE):
            return import_content(
                store,
                file,
                str(path),
                recorded_by=recorded_by,
                strict=strict,
                as_typed=as_typed,
                reason=reason,
                dry_run=dry_run,
                progress=progress,
                ask=ask,
                lang=lang,
            )
    with verified_ledger(path, progress) as other:
        return merge(store, other, str(path), strict=strict, dry_run=dry_run, lang=lang)


@contextmanager
def verified_ledger(path: Path, progress: Progress | None) -> Iterator[LogStore]:
    """Open another ledger once every byte of it was checked; raise `UnreadableError` where it is damaged."""
    found = verify(path, progress=None if progress is None else lambda done, _: progress(done))
    if found.damage is not None:
        at = found.damage.position
        key = "damaged_ledger" if at is None else "damaged_ledger_at"
        raise UnreadableError("damaged", phrase(key, file=path, position=at, what=found.damage.what))
    with open_store(path, access="allowed") as other:
        yield other


def hand_record_text(path: Path) -> str:
    """The text of a hand record; raises `MalformedError` where it is too long or no text."""
    with opened(path, may_be_pipe=True) as file:
        content = file.read(BEGIN_BYTES)
    return text_of(content, str(path))
