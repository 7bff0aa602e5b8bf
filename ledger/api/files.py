"""Hand records and files of events: import, check, compare, format."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO

from ledger.errors import MalformedError
from ledger.log.base import LogStore
from ledger.recording.adding import Recording
from ledger.recording.catalogue import phrase
from ledger.recording.files import import_open, import_path
from ledger.recording.hand.checking import (
    HandRecordCheck,
    check_hand_record,
    table_from_file,
    table_from_file_or_ledger,
)
from ledger.recording.hand.comparison import TableComparison, compare_tables
from ledger.recording.hand.layout import LaidOut, lay_out_file
from ledger.recording.importing import BY_DEFAULT, ImportAs, ImportOptions, ImportReport, Progress
from ledger.recording.streaming_import import AnswerCallback, import_lines


def import_file(
    store: LogStore,
    file: str | Path | BinaryIO,
    recording: Recording,
    options: ImportOptions = BY_DEFAULT,
    *,
    follow: AnswerCallback | None = None,
    progress: Progress | None = None,
    names: Mapping[str, str] | None = None,
    lang: str = "en",
) -> ImportReport:
    """Record the events of a file, all or nothing: a hand record, bare events, an export, or another ledger.

    From a hand record whose table exists already, only what is new is recorded; differences are rejected, or with
    `correct` recorded as corrections with their `reason`. With `recording.dry_run` nothing is stored, and the report
    shows in `lang` what would be, with the display `names` of players by their recorded names.

    `follow`: record the lines of an open file separately as they come; the function receives the receipt or error of
    each. `progress` receives the number of events read so far.

    Raise `MalformedError` if `recording` has more than `by` and `dry_run`, and as `import_content`.
    """
    by, dry_run = recording.by, recording.dry_run
    if recording != Recording(by=by, dry_run=dry_run):
        raise MalformedError(phrase("import.only_by"), phrase("import.by_alone"))
    if options.correct and not (options.reason or "").strip():
        raise MalformedError(phrase("changed.no_reason"), phrase("changed.reason"))
    if options.reason is not None and not options.correct:
        raise MalformedError(phrase("changed.reason_alone"), phrase("changed.correct"))
    how = ImportAs(by=by, options=options, dry_run=dry_run, lang=lang, names=names or {}, progress=progress)
    if follow is not None:
        if isinstance(file, str | Path) or options.correct or dry_run:
            raise MalformedError(phrase("import.follow_more"), phrase("import.follow_alone"))
        return import_lines(store, file, options.name, how, follow)
    if isinstance(file, str | Path):
        return import_path(store, Path(file), how)
    return import_open(store, file, options.name, how)


def check(file: str | Path | BinaryIO, *, name: str = "standard input", lang: str = "en") -> HandRecordCheck:
    """Check a hand record: what an import would record, how it scores, and which rules were broken, by line and word.

    `name`: the name to show for an open file. Raise `MalformedError` with file and line.
    """
    return check_hand_record(table_from_file(file, str(file) if isinstance(file, str | Path) else name), lang)


def compare(
    first: str | Path,
    second: str | Path,
    *,
    store: LogStore | None = None,
    names: Mapping[str, str] | None = None,
    lang: str = "en",
) -> TableComparison:
    """Compare two records of one table: where they part, deal by deal, and how each scores by the rules.

    Each is the file of a hand record or, if there is no such file, a table of the ledger `store`. `names`: the display
    names of players by their handles. Raise `NotFoundError` if it is neither, `MalformedError` for a file that cannot
    be understood.
    """
    one, other = (table_from_file_or_ledger(named, store, names or {}) for named in (first, second))
    return compare_tables(one, other, lang)


def fmt(file: str | Path | BinaryIO, *, name: str = "standard input") -> LaidOut:
    """Format a hand record; content and comments stay the same.

    `name` as in `check`. Raise `MalformedError` with file and line.
    """
    return lay_out_file(file, str(file) if isinstance(file, str | Path) else name)
