"""Hand records and files of events: imported, checked, compared and laid out."""

from __future__ import annotations

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
    lang: str = "en",
) -> ImportReport:
    """Records the events of a file, all or nothing: a hand record, bare events, an export, or another ledger.

    Of a hand record whose table is recorded already, only what is new: where it tells otherwise what stands there, that
    is refused, or with `correct` recorded as corrections with their `reason`. With `recording.dry_run` nothing is
    stored, and the report says in `lang` what would be, corrections included.

    `follow`: lines of an open file are recorded as they come, each for itself; it is told the receipt or the refusal of
    each. `progress` is told how many events have been read.

    Of `recording` only `by` and `dry_run` can be said: raises `MalformedError` for more, and as it stands in
    `import_content`.
    """
    by, dry_run = recording.by, recording.dry_run
    if recording != Recording(by=by, dry_run=dry_run):
        raise MalformedError(phrase("import.only_by"), phrase("import.by_alone"))
    if options.correct and not (options.reason or "").strip():
        raise MalformedError(phrase("changed.no_reason"), phrase("changed.reason"))
    if options.reason is not None and not options.correct:
        raise MalformedError(phrase("changed.reason_alone"), phrase("changed.correct"))
    how = ImportAs(by=by, options=options, dry_run=dry_run, lang=lang, progress=progress)
    if follow is not None:
        if isinstance(file, str | Path) or options.correct or dry_run:
            raise MalformedError(phrase("import.follow_more"), phrase("import.follow_alone"))
        return import_lines(store, file, options.name, how, follow)
    if isinstance(file, str | Path):
        return import_path(store, Path(file), how)
    return import_open(store, file, options.name, how)


def check(file: str | Path | BinaryIO, *, name: str = "standard input", lang: str = "en") -> HandRecordCheck:
    """What an import of a hand record would record, what it scores, and what is against the rules, by line and word.

    `name` is what is told as the name of a file that is open already. Raises `MalformedError` with file and line.
    """
    return check_hand_record(table_from_file(file, str(file) if isinstance(file, str | Path) else name), lang)


def compare(
    first: str | Path, second: str | Path, *, store: LogStore | None = None, lang: str = "en"
) -> TableComparison:
    """Where two records of one table part, deal by deal, and what either comes to by the rules.

    Each is a hand record by the name of its file or, where there is no such file, a table of the ledger, which `store`
    must then be. Raises `NotFoundError` for what is neither, `MalformedError` for a file that cannot be understood.
    """
    return compare_tables(table_from_file_or_ledger(first, store), table_from_file_or_ledger(second, store), lang)


def fmt(file: str | Path | BinaryIO, *, name: str = "standard input") -> LaidOut:
    """A hand record in the one layout: what it tells and all its comments stay.

    `name` as in `check`. Raises `MalformedError` with file and line.
    """
    return lay_out_file(file, str(file) if isinstance(file, str | Path) else name)
