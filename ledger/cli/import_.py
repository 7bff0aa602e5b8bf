"""Commands that keep a ledger: `init`, `import`, `export`, `tables`."""

from __future__ import annotations

import getpass
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
from msgspec import Struct
from rich.progress import Progress, SpinnerColumn, TextColumn
from rich.table import Table

from ledger.cli.output import (
    console,
    errors_console,
    format_option,
    output_file,
    output_option,
    print_json,
    say,
    told_progress,
)
from ledger.cli.state import CliState
from ledger.errors import LedgerError, MalformedError
from ledger.log import LogStore, create_store
from ledger.names import readable_name
from ledger.recording.exporting import export_lines
from ledger.recording.files import import_path
from ledger.recording.importing import ImportReport, import_content
from ledger.table.lookup import ReadAs, fold_tables
from ledger.text.cards import amount_text

_FILES_SHOWN = 8
_TOLD_EVERY = 10_000
_SUMMED = ("tables", "deals", "events", "already_recorded", "findings")


@click.command()
@format_option
@click.pass_obj
def init(state: CliState, form: str) -> None:
    """Make a new, empty ledger."""
    with create_store(state.ledger_path):
        pass
    if form == "json":
        print_json({"ledger": str(state.ledger_path)})
    else:
        say(f"Made {state.ledger_path}. Next: trickledger import FILE")


def default_recorder() -> str:
    """The login name, under which is recorded unless another is told."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "recorder"


def _recorder(context: click.Context, param: click.Parameter, value: str) -> str:
    """Who records, if the name can be read."""
    try:
        return readable_name("not a recorder's name", value)
    except MalformedError as error:
        raise click.BadParameter(str(error), context, param) from None


recorder_option = click.option(
    "--by", "--recorded-by", "recorded_by", metavar="NAME", callback=_recorder,
    default=default_recorder, show_default="your login name", help="Who records.",
)  # fmt: skip


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


def _import_one(store: LogStore, file: str, name: str, recorded_by: str, strict: bool) -> ImportReport:
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


@click.command()
@output_option
@click.option("--bare", is_flag=True, help="Only stream and event a line, to add them to another ledger.")
@click.option("--anonymous", is_flag=True, help="Bare, and without names, free text and dates.")
@click.option("--table", "slugs", multiple=True, help="With --bare or --anonymous: only this table (again for more).")
@click.option(
    "--parquet", type=click.Path(path_type=Path), metavar="FOLDER", help="The tables of query --list, instead."
)
@click.pass_obj
def export(
    state: CliState, output: str, bare: bool, anonymous: bool, slugs: tuple[str, ...], parquet: Path | None
) -> None:
    """Write the ledger as NDJSON, one entry a line, oldest first; `import` reads it again with the same digests.

    With --anonymous players, clubs, places, sessions and tables have numbers, and moments keep their distances alone:
    every statistic stays. Example: trickledger export --anonymous -o research.ndjson

    Every digest is computed again. Where one does not fit, the export stops, and leaves no file; with --table, only the
    entries of these tables must fit.

    With --parquet the whole history goes into a new folder, as files that DuckDB, Polars, Spark and the like read.
    """
    if parquet is not None:
        if bare or anonymous or slugs or output != "-":
            raise click.UsageError("--parquet writes every table into a folder of its own, and takes no other option.")
        _export_parquet(state, parquet)
        return
    if slugs and not (bare or anonymous):
        raise click.UsageError(
            "--table goes with --bare or --anonymous: a whole export holds every entry, or its chain would break."
        )
    with state.store() as store, output_file(output) as file, told_progress(is_shown=not file.isatty()) as tell:
        size = store.head().position
        for done, line in enumerate(export_lines(store, bare=bare, tables=slugs, anonymous=anonymous), start=1):
            file.write(line + b"\n")
            if done % _TOLD_EVERY == 0:
                tell("exporting", done, size)


def _export_parquet(state: CliState, folder: Path) -> None:
    from ledger.cli.history_answers import caught_up
    from ledger.history import export_parquet

    read_model = caught_up(state, rebuild=False)
    with told_progress() as tell:
        written = export_parquet(read_model, folder, progress=lambda done, total: tell("exporting", done, total))
    tables, rows, head = len(written.rows), sum(written.rows.values()), written.head
    say(f"{folder}: {_count(tables, 'table')}, {_count(rows, 'row')}")
    say(f"As of entry {head.position:,} of the ledger, digest {head.digest[:12]}…")


class TableRow(Struct, frozen=True, kw_only=True):
    """One table in the list."""

    table: str
    game: str
    session: str | None
    players: list[str]
    deals: int
    closed: bool
    totals: list[int]


@click.command()
@format_option
@click.pass_obj
def tables(state: CliState, form: str) -> None:
    """List the tables with their players, deals and totals."""
    with state.store() as store:
        rows = [
            TableRow(
                table=slug,
                game=fold.game.name,
                session=fold.opened.session,
                players=fold.players,
                deals=len(fold.deals),
                closed=fold.is_closed,
                totals=fold.match.totals,
            )
            for slug, fold in fold_tables(store, ReadAs(names=state.names_for(form)))
        ]
    if form == "json":
        print_json(rows)
        return
    if not rows:
        say("No table yet. Record one: trickledger import FILE")
        return
    shown = Table("table", "game", "session", "players and totals", "deals", "", box=None, pad_edge=False)
    for row in rows:
        players = ", ".join(f"{name} {amount_text(total)}" for name, total in zip(row.players, row.totals, strict=True))
        state_of = "closed" if row.closed else "open"
        shown.add_row(row.table, row.game, row.session or "–", players, str(row.deals), state_of)
    console().print(shown)
