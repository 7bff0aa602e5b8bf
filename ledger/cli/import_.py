"""The command `import`: records what files say."""

from __future__ import annotations

import sys

import click

from ledger import api
from ledger.cli.errors import tell
from ledger.cli.language import telling_options
from ledger.cli.output import format_option, print_json, say, show
from ledger.cli.progress import told_activity
from ledger.cli.slips import asking, say_slips
from ledger.cli.state import CliState
from ledger.cli.writing import recorder_option
from ledger.errors import LedgerError
from ledger.log import LogStore
from ledger.recording.importing import ImportReport
from ledger.recording.slips import ToBeAsked
from ledger.text.imports import FROM_STANDARD_INPUT, imports_text, nothing_recorded
from ledger.text.words import label


@click.command("import")
@click.argument("files", nargs=-1, required=True, type=click.Path(allow_dash=True, exists=True, dir_okay=False))
@click.option("--strict", is_flag=True, help="Refuse what is against the rules, too.")
@recorder_option
@format_option
@telling_options
@click.pass_obj
def import_(state: CliState, files: tuple[str, ...], strict: bool, recorded_by: str, form: str) -> None:
    """Record the events of FILES: hand records (TOML), bare events or an export (NDJSON); - reads standard input.

    A file may also be another ledger, kept apart until now: its tables and sessions are merged into this one. Where
    both ledgers have gone on with a table, each in its own way, both branches are shown and nothing is recorded.

    A file is recorded whole or not at all. What cannot be an entry is refused; what is against the rules is recorded
    as it happened and found by `audit`, unless --strict refuses it. Where a line of a hand record cannot be as it was
    typed (a card that was played before, a trick too few), that is said first, with what would make the rest fit; at a
    terminal it is asked whether that was meant.
    """
    failed: LedgerError | None = None
    recording, reports = api.Recording(by=recorded_by), []
    with state.store() as store:
        for file in files:
            name = FROM_STANDARD_INPUT if file == "-" else file
            try:
                ask = asking(file, form, state.lang)
                reports.append(_import_one(store, file, name, recording, strict, ask, state.lang))
            except LedgerError as error:
                tell(error, state.lang, as_json=form == "json", file=name)
                if form != "json":
                    say(nothing_recorded(name, state.lang), err=True)
                failed = failed or error
    if form == "json":
        print_json(reports)
    else:
        for report in reports:
            say_slips(report)
        show(imports_text(reports, state.lang))
    if failed is not None:
        sys.exit(failed.exit_status)


def _import_one(
    store: LogStore,
    file: str,
    name: str,
    recording: api.Recording,
    strict: bool,
    ask: ToBeAsked | None,
    lang: str,
) -> ImportReport:
    with told_activity(label(lang, "progress.reading", source=name), is_shown=ask is None) as tell:

        def tell_count(count: int) -> None:
            tell(label(lang, "progress.read", source=name, count=f"{count:,}"))

        content = sys.stdin.buffer if file == "-" else file
        return api.import_file(
            store, content, recording, strict=strict, name=name, progress=tell_count, ask=ask, lang=lang
        )
