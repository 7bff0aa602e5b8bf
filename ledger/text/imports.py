"""What was recorded of the files of an import."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ledger.recording.importing import ImportReport
from ledger.text.words import Wording, counted, label

FROM_STANDARD_INPUT: Final = "standard input"
"""The source of what was read from no file."""
_FILES_SHOWN: Final = 8
_SUMMED: Final = ("tables", "deals", "events", "already_recorded", "findings")


def imports_text(reports: Sequence[ImportReport], lang: str) -> Iterator[str]:
    """A line for each file, or where there are many, for those with findings and for all together."""
    is_long = len(reports) > _FILES_SHOWN
    for report in reports:
        if report.findings or not is_long:
            yield _recorded(report, lang)
    if is_long:
        sums = {field: sum(getattr(report, field) for report in reports) for field in _SUMMED}
        yield _recorded(ImportReport(source=counted(lang, len(reports), "file"), form="in all", **sums), lang)


def _recorded(report: ImportReport, lang: str) -> str:
    text = label(
        lang,
        "import.recorded",
        source=label(lang, "import.standard_input") if report.source == FROM_STANDARD_INPUT else report.source,
        form=Wording(lang).known("form", report.form),
        tables=counted(lang, report.tables, "table"),
        deals=counted(lang, report.deals, "deal"),
        events=counted(lang, report.events, "event"),
    )
    if report.already_recorded:
        text += label(lang, "import.recorded_before", events=counted(lang, report.already_recorded, "event"))
    if report.findings:
        text += label(lang, "import.findings", findings=counted(lang, report.findings, "finding"))
    return text


def nothing_recorded(source: str, lang: str) -> str:
    """That a file was refused whole."""
    shown = label(lang, "import.standard_input") if source == FROM_STANDARD_INPUT else source
    return label(lang, "import.nothing", source=shown)
