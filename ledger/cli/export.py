"""The command `export`: the ledger as lines, a table as a hand record, or the history as Parquet files."""

from __future__ import annotations

from pathlib import Path

import click

from ledger import api
from ledger.cli.completion import table_names
from ledger.cli.errors import wrong_use
from ledger.cli.filters import caught_up_history, history_option
from ledger.cli.numbers import WholeNumber
from ledger.cli.output import (
    HAND_RECORD_FORMS,
    LINE_FORMS,
    check_output,
    format_from,
    output_file,
    output_option,
    say,
    show,
)
from ledger.cli.progress import progress_bar
from ledger.cli.state import CliState, command
from ledger.text.files import left_out_text, parquet_text

_REPORT_EVERY = 10_000


@command(has_format=False)
@click.argument("table", required=False, shell_complete=table_names)
@click.option(
    "--as", "form", type=click.Choice(["hand-record"]), help="Write TABLE as a file that people can read and edit."
)
@output_option
@click.option("--bare", is_flag=True, help="Write only stream and event on each line, to add to another ledger.")
@click.option("--anonymous", is_flag=True, help="Like --bare, but without names, free text and dates.")
@click.option(
    "--table",
    "slugs",
    multiple=True,
    help="With --bare or --anonymous: only this table; repeatable.",
    shell_complete=table_names,
)
@click.option("--deal", type=WholeNumber(1), help="With --as: only this deal.")
@click.option("--after", type=WholeNumber(0), default=0, metavar="POSITION", help="Only the entries after this one.")
@click.option("--until", type=WholeNumber(0), metavar="POSITION", help="Only the entries up to this one.")
@click.option(
    "--parquet",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Write the tables of `query --list` into this new folder instead.",
)
@history_option
def export(
    state: CliState,
    table: str | None,
    form: str | None,
    output: str,
    overwrite: bool,
    bare: bool,
    anonymous: bool,
    slugs: tuple[str, ...],
    deal: int | None,
    after: int,
    until: int | None,
    parquet: Path | None,
    read_model: Path | None,
) -> None:
    """Write the ledger as NDJSON, one entry per line, oldest first; `import` restores it with the same digests.

    --anonymous numbers players, clubs, places, sessions and tables, and keeps only distances between dates: every
    statistic stays the same. Example: trickledger export --anonymous -o research.ndjson

    If a digest does not match, no file is left; with --table, only those of these tables count. `import` adds a part
    (--after, --until) to a ledger that ends right before it.

    `import` makes the same table from --as hand-record. What that cannot express is listed on standard error.
    """
    if (table is None) != (form is None):
        raise wrong_use("as_with_table")
    if deal is not None and form is None:
        raise wrong_use("deal_with_as")
    is_part = bool(slugs or after or until is not None)
    if form is not None and (bare or anonymous or is_part or parquet is not None or read_model is not None):
        raise wrong_use("as_alone")
    check_output(output, overwrite=overwrite)
    format_from(output, None, LINE_FORMS if table is None else HAND_RECORD_FORMS)
    if table is not None:
        _export_hand_record(state, table, deal, output, overwrite)
        return
    if parquet is not None:
        if bare or anonymous or is_part or output != "-" or overwrite:
            raise wrong_use("parquet_alone")
        check_output(str(parquet), overwrite=True)
        _export_parquet(state, parquet, read_model)
        return
    if read_model is not None:
        raise wrong_use("history_with_parquet")
    if slugs and not (bare or anonymous):
        raise wrong_use("whole_export")
    with (
        state.store() as store,
        output_file(output, overwrite=overwrite) as file,
        progress_bar(state.lang, is_shown=not file.isatty()) as report,
    ):
        size = (store.head().position if until is None else until) - after
        lines = api.export(store, bare=bare, tables=slugs, anonymous=anonymous, after=after, until=until)
        for done, line in enumerate(lines, start=1):
            file.write(line + b"\n")
            if done % _REPORT_EVERY == 0:
                report("exporting", done, size)


def _export_hand_record(state: CliState, table: str, deal: int | None, output: str, overwrite: bool) -> None:
    with state.store() as store, output_file(output, overwrite=overwrite) as file:
        record = api.export_hand_record(store, table, deal)
        file.write(record.text.encode())
    for line in left_out_text(record, state.lang):
        say(line, err=True)


def _export_parquet(state: CliState, folder: Path, read_model: Path | None) -> None:
    with caught_up_history(state, read_model, rebuild=False):
        pass  # its progress was shown before, separately
    with progress_bar(state.lang) as report:
        written = api.export_parquet(
            state.ledger,
            folder,
            history=read_model,
            progress=lambda done, total: report("exporting", done, total),
            tz=state.tz,
        )
    show(parquet_text(folder, written, state.lang))
