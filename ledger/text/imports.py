"""What was recorded of the files of an import."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ledger.recording.importing import ImportReport
from ledger.text.layout import counted

_FILES_SHOWN: Final = 8
_SUMMED: Final = ("tables", "deals", "events", "already_recorded", "findings")


def imports_text(reports: Sequence[ImportReport]) -> Iterator[str]:
    """A line for each file, or where there are many, for those with findings and for all together."""
    is_long = len(reports) > _FILES_SHOWN
    for report in reports:
        if report.findings or not is_long:
            yield _recorded(report)
    if is_long:
        sums = {field: sum(getattr(report, field) for report in reports) for field in _SUMMED}
        yield _recorded(ImportReport(source=f"{len(reports)} files", form="in all", **sums))


def _recorded(report: ImportReport) -> str:
    text = (
        f"{report.source} ({report.form}): {counted(report.tables, 'table')}, {counted(report.deals, 'deal')}, "
        f"{counted(report.events, 'event')} recorded"
    )
    if report.already_recorded:
        text += f"; {counted(report.already_recorded, 'event')} recorded before"
    if report.findings:
        text += f"; {counted(report.findings, 'finding')} against the rules, see trickledger audit"
    return text
