"""The command `import`."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from ledger import api
from ledger.cli.errors import print_error, wrong_use
from ledger.cli.output import print_json, say, show
from ledger.cli.progress import activity_spinner
from ledger.cli.state import CliState, command
from ledger.cli.table_options import check_slug
from ledger.cli.writing import recorder_option
from ledger.errors import LedgerError
from ledger.i18n.normalisation import narrow
from ledger.log import LogStore
from ledger.recording.hand.record import STOP, AskAboutSlip, SlipAnswer
from ledger.recording.hand.slips import Slip, error_of
from ledger.recording.importing import ImportReport
from ledger.recording.merging import is_of_another_club
from ledger.recording.streaming_import import LineReceipt, LineRefused
from ledger.text.catalogue import label
from ledger.text.imports import FROM_STANDARD_INPUT, imports_text, nothing_recorded


@command("import")
@click.argument("files", nargs=-1, required=True, type=click.Path(allow_dash=True, exists=True, dir_okay=False))
@click.option("--strict", is_flag=True, help="Also reject plays against the rules.")
@click.option("--as-typed", is_flag=True, help="Record a hand record as typed, even if it cannot be right.")
@click.option("--dry-run", is_flag=True, help="Show what would be recorded and what would change; record nothing.")
@click.option("--correct", is_flag=True, help="Record changed lines of a hand record as corrections.")
@click.option("--reason", metavar="TEXT", help="Why the record was wrong, with --correct.")
@click.option("--prefix", metavar="SLUG-", help="Put this before the names of the other club's tables and sessions.")
@click.option(
    "--follow",
    is_flag=True,
    help="Record each line of standard input as it comes, also after a rejected one; answer each with a line of JSON.",
)
@recorder_option
def import_(
    state: CliState,
    files: tuple[str, ...],
    strict: bool,
    as_typed: bool,
    dry_run: bool,
    correct: bool,
    reason: str | None,
    prefix: str | None,
    follow: bool,
    recorded_by: str,
) -> None:
    """Record the events of FILES: hand records (TOML), bare events or an export (NDJSON); - reads standard input.

    A file may also be another ledger, to merge into this one. If both continued a table in different ways, both
    branches are shown and nothing is recorded.

    A file is recorded whole or not at all. Impossible entries are rejected. Plays against the rules are recorded, and
    `audit` finds them. A line of a hand record that cannot be right (a card not held or played before, a trick too
    many) is rejected with suggestions; at a terminal you choose one. --as-typed, or as_typed = true in that deal,
    records it all the same.

    If another club uses the same names, --prefix keeps them apart:

    \b
    trickledger import other-club.ndjson --prefix other-

    After adding to a hand record, import it again: only the new lines are added. Changed lines are shown and rejected,
    unless --correct records them.
    """
    if correct != bool((reason or "").strip()):
        raise wrong_use("correct_with_reason")
    if follow and (files != ("-",) or dry_run or correct):
        raise wrong_use("follow_alone")
    if prefix is not None:
        check_slug("--prefix", prefix)
        if follow or correct:
            raise wrong_use("prefix_alone")
    failed: LedgerError | None = None
    recording, reports = api.Recording(by=recorded_by, dry_run=dry_run), []
    if follow:
        _follow(state, recording, api.ImportOptions(strict=strict, name=FROM_STANDARD_INPUT))
        return
    with state.store() as store:
        for file in files:
            name = FROM_STANDARD_INPUT if file == "-" else file
            try:
                options = api.ImportOptions(
                    strict=strict,
                    as_typed=as_typed,
                    correct=correct,
                    reason=reason,
                    prefix=prefix or "",
                    name=name,
                    ask=None if dry_run or as_typed else _asker_for(file, state),
                )
                reports.append(_import_one(store, file, recording, options, state))
            except LedgerError as error:
                print_error(error, state.lang, as_json=state.is_json, file=name, names=store.display_names)
                if not state.is_json:
                    say(nothing_recorded(name, state.lang), err=True)
                    if prefix is None and is_of_another_club(error):
                        say(label(state.lang, "import.of_another_club", source=name), err=True)
                failed = failed or error
    if state.is_json:
        print_json(reports)
    else:
        for report in reports:
            _say_slips(report)
        show(imports_text(reports, state.lang))
    if failed is not None:
        sys.exit(failed.exit_status)


def _import_one(
    store: LogStore, file: str, recording: api.Recording, options: api.ImportOptions, state: CliState
) -> ImportReport:
    lang, names = state.lang, state.names(store) if recording.dry_run else {}
    with activity_spinner(label(lang, "progress.reading", source=options.name), is_shown=options.ask is None) as report:

        def report_count(count: int) -> None:
            report(label(lang, "progress.read", source=options.name, count=f"{count:,}"))

        content = sys.stdin.buffer if file == "-" else file
        return api.import_file(store, content, recording, options, progress=report_count, names=names, lang=lang)


def _follow(state: CliState, recording: api.Recording, options: api.ImportOptions) -> None:
    """Record each line and answer it once it is on disk; the first rejection decides the exit status."""
    failed: list[LedgerError] = []

    def answer(line: LineReceipt | LineRefused, error: LedgerError | None) -> None:
        if error is not None:
            failed.append(error)
        print_json(line)
        sys.stdout.flush()

    with state.store() as store:
        api.import_file(store, sys.stdin.buffer, recording, options, follow=answer, lang=state.lang)
    if failed:
        sys.exit(failed[0].exit_status)


def _asker_for(file: str, state: CliState) -> AskAboutSlip | None:
    """Return the question to ask at a terminal about a doubtful line; None without a terminal or for JSON."""
    if state.is_json or file == "-" or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return None

    def ask(slip: Slip, answers: Sequence[SlipAnswer]) -> SlipAnswer:
        say(error_of(slip).message(state.lang), err=True)
        by_letter = {label(state.lang, f"slip.letter_{answer}"): answer for answer in answers}
        question = " ".join(label(state.lang, f"slip.{answer}") for answer in answers)
        letter = ""
        while letter not in by_letter:  # click's own message for a wrong answer is English
            try:
                letter = narrow(click.prompt(question, err=True)).strip().casefold()
            except click.Abort:
                return STOP
        return by_letter[letter]

    return ask


def _say_slips(report: ImportReport) -> None:
    """Print on standard error what was recorded although it cannot be right."""
    for slip in report.slips:
        say(slip.message, err=True)
