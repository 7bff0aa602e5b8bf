"""The command `import`: records what files say."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
from rich.progress import Progress, SpinnerColumn, TextColumn

from ledger.cli.output import errors_console, format_option, print_json, say
from ledger.cli.state import CliState
from ledger.cli.writing import recorder_option
from ledger.errors import LedgerError
from ledger.log.sqlite import SqliteStore
from ledger.recording.files import import_path
from ledger.recording.importing import ImportReport, import_content

_FILES_SHOWN = 8
_SUMMED = ("tables", "deals", "events", "already_recorded", "findings")


@click.command("import")
@click.argument("files", nargs=-1, required=True, type=click.Path(allow_dash=True, exists=True, dir_okay=False))
@click.option("--strict", is_flag=True, help="Refuse what is against the rules, too.")
@recorder_option
@format_option
@click.pass_obj
def import_files(state: CliState, files: tuple[str, ...], strict: bool, recorded_by: str, form: str) -> None:
    """Record the events of FILES: hand records (TOML), bare events or an export (NDJSON); - reads standard input.

    A file may also be another ledger, kept apart until now: its tables and sessions are merged into this one. Where
    both ledgers have gone on with a table, each in its own way, both branches are shown and nothing is recorded.

    A file is recorded whole or not at all. What cannot be an entry is refused; what is against the rules is recorded
    as it happened and found by `audit`, unless --strict refuses it.
    """
    failed: LedgerError | None = None
    reports = []
    with state.store() as store:
        for file in files:
            name = "standard input" if file == "-" else file
            try:
                reports.append(_import_one(store, file, name, recorded_by, strict))
            except LedgerError as error:
                say(f"trickledger: {error}", err=True)
                say(f"Nothing of {name} was recorded.", err=True)
                failed = failed or error
    if form == "json":
        print_json(reports)
    else:
        for line in _told_in_all(reports):
            say(line)
    if failed is not None:
        sys.exit(failed.exit_status)


def _import_one(store: SqliteStore, file: str, name: str, recorded_by: str, strict: bool) -> ImportReport:
    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False))
    with Progress(*columns, console=errors_console(), transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task(f"reading {name}")

        def tell(count: int) -> None:
            bar.update(task, description=f"reading {name}: {count:,} events")

        if file == "-":
            content = sys.stdin.buffer
            return import_content(store, content, name, recorded_by=recorded_by, strict=strict, progress=tell)
        return import_path(store, Path(file), recorded_by=recorded_by, strict=strict, progress=tell)


def _told_in_all(reports: Sequence[ImportReport]) -> Iterator[str]:
    """A line for each file, or where there are many, for those with findings and for all together."""
    is_long = len(reports) > _FILES_SHOWN
    for report in reports:
        if report.findings or not is_long:
            yield _told(report)
    if is_long:
        sums = {field: sum(getattr(report, field) for report in reports) for field in _SUMMED}
        yield _told(ImportReport(source=f"{len(reports)} files", form="in all", **sums))


def _told(report: ImportReport) -> str:
    text = (
        f"{report.source} ({report.form}): {_count(report.tables, 'table')}, {_count(report.deals, 'deal')}, "
        f"{_count(report.events, 'event')} recorded"
    )
    if report.already_recorded:
        text += f"; {_count(report.already_recorded, 'event')} recorded before"
    if report.findings:
        text += f"; {_count(report.findings, 'finding')} against the rules, see trickledger audit"
    return text


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")
