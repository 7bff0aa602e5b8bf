"""The command `import`: records what files say."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ledger.cli.errors import tell
from ledger.cli.output import format_option, print_json, say, show
from ledger.cli.progress import told_activity
from ledger.cli.state import CliState
from ledger.cli.words import phrase
from ledger.cli.writing import recorder_option
from ledger.errors import LedgerError
from ledger.log import LogStore
from ledger.recording.files import import_path
from ledger.recording.importing import ImportReport, import_content
from ledger.text.imports import imports_text


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
                tell(error, state.lang, as_json=form == "json", file=name)
                if form != "json":
                    say(phrase("nothing_recorded", file=name).in_words(state.lang), err=True)
                failed = failed or error
    if form == "json":
        print_json(reports)
    else:
        show(imports_text(reports))
    if failed is not None:
        sys.exit(failed.exit_status)


def _import_one(store: LogStore, file: str, name: str, recorded_by: str, strict: bool) -> ImportReport:
    with told_activity(f"reading {name}") as tell:

        def tell_count(count: int) -> None:
            tell(f"reading {name}: {count:,} events")

        if file == "-":
            content = sys.stdin.buffer
            return import_content(store, content, name, recorded_by=recorded_by, strict=strict, progress=tell_count)
        return import_path(store, Path(file), recorded_by=recorded_by, strict=strict, progress=tell_count)
