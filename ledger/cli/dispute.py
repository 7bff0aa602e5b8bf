"""The command `dispute`: raises a dispute, lists those that there are, or writes a case sheet."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from ledger import api
from ledger.cli.completion import player_names, table_names
from ledger.cli.errors import wrong_use
from ledger.cli.language import telling_options
from ledger.cli.output import format_option, output_file, overwrite_option, print_json, say, show
from ledger.cli.state import CliState
from ledger.cli.writing import show_added, writing_options
from ledger.table.lookup import ReadAs, TableAsRead, fold_table, slug_of
from ledger.text.additions import dispute_text
from ledger.text.case import case_text
from ledger.text.disputes import disputes_text
from ledger.text.files import written


@click.command()
@click.argument("table", shell_complete=table_names)
@click.argument("text", required=False)
@click.option("--deal", type=click.IntRange(min=1), help="Which deal.")
@click.option("--player", "--seat", "player", metavar="NAME|SEAT", help="Who raises it.", shell_complete=player_names)
@click.option("--version", type=click.IntRange(min=1), metavar="V", help="The entry in dispute, by its version.")
@click.option("--step", type=click.IntRange(min=1), help="The entry in dispute, by the step that `replay` shows.")
@click.option("--case-sheet", "case_version", type=click.IntRange(min=1), metavar="V", help="All about dispute V.")
@click.option(
    "--output", "-o", type=click.Path(dir_okay=False, path_type=Path), help="Case sheet's file; .html: a page."
)
@overwrite_option
@writing_options
@format_option
@telling_options
@click.pass_obj
def dispute(
    state: CliState,
    table: str,
    text: str | None,
    deal: int | None,
    player: str | None,
    version: int | None,
    step: int | None,
    case_version: int | None,
    output: Path | None,
    overwrite: bool,
    recording: api.Recording,
    form: str,
) -> None:
    """Raise a dispute at TABLE about a deal, or about one entry of it; without TEXT list those that there are.

    \b
    trickledger dispute ombre-revoke --deal 1 --step 24 --player Belinda "the Baron had a diamond"
    trickledger dispute ombre-revoke
    trickledger dispute ombre-revoke --case-sheet 39 -o case.html
    """
    if output is not None and case_version is None:
        raise wrong_use("output_of_case")
    if case_version is not None:
        if text is not None:
            raise wrong_use("case_without_text")
        _write_case_sheet(state, table, case_version, output, form, overwrite=overwrite)
        return
    if text is None:
        _print_disputes(state, table, deal, form)
        return
    if deal is None:
        raise wrong_use("which_deal")
    if version is not None and step is not None:
        raise wrong_use("version_or_step")
    with state.store() as store:
        added = api.dispute(
            store,
            table,
            text,
            deal=deal,
            player=player,
            version=version,
            step=step,
            recording=recording,
            names=state.names_for(form, store),
            lang=state.lang,
        )
    show_added(added, dispute_text, form, state.lang)


def _print_disputes(state: CliState, table: str, deal: int | None, form: str) -> None:
    with state.store() as store:
        fold = fold_table(store, table, ReadAs(names=state.names_for(form, store)))
        disputes = api.disputes(store, TableAsRead(slug_of(table), fold), deal)
    if form == "json":
        print_json(disputes)
    else:
        show(disputes_text(slug_of(table), disputes, fold, deal, state.lang, state.tz))


def _write_case_sheet(
    state: CliState, table: str, version: int, output: Path | None, form: str, *, overwrite: bool
) -> None:
    """Prints the sheet, or writes it: as a page where the file's name ends in .html, else as text or JSON."""
    with state.store() as store:
        sheet = api.case_sheet(store, table, version, state.lang, state.names_for(form, store))
    if output is not None and output.suffix.lower() in (".html", ".htm"):
        content = api.case_page(sheet, state.lang, state.tz)
    elif form == "json":
        content = msgspec.json.encode(sheet).decode() + "\n"
    else:
        content = "\n".join(case_text(sheet, state.lang, state.tz)) + "\n"
    if output is None and form == "json":
        print_json(sheet)
    elif output is None:
        say(content, nl=False)
    else:
        with output_file(str(output), overwrite=overwrite) as file:
            file.write(content.encode())
        if str(output) != "-":
            say(written(output, state.lang), err=form == "json")
