"""Commands of a quarrel: `dispute` raises and lists disputes, `ruling` decides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import get_args

import click
import msgspec

from ledger.cases.sheet import sheet_of
from ledger.cli.output import console, format_option, output_file, print_json, say
from ledger.cli.state import CliState
from ledger.cli.writing import writing_options
from ledger.events import RulingGiven, RulingKind
from ledger.recording import directing
from ledger.recording.adding import Added, add_event, addition
from ledger.table.disputes import Dispute, disputes_of
from ledger.table.lookup import ReadAs, fold_table, slug_of
from ledger.text.case import case_text
from ledger.text.change import change_table, change_words, receipt_words
from ledger.text.events import continued
from ledger.text.score import stale_text


@click.command()
@click.argument("table")
@click.argument("text", required=False)
@click.option("--deal", type=click.IntRange(min=1), help="Which deal.")
@click.option("--player", "--seat", "player", metavar="NAME|SEAT", help="Who raises it.")
@click.option("--version", type=click.IntRange(min=1), metavar="V", help="The entry in dispute, by its version.")
@click.option("--step", type=click.IntRange(min=1), help="The entry in dispute, by the step that `replay` shows.")
@click.option("--case-sheet", "case_version", type=click.IntRange(min=1), metavar="V", help="All about dispute V.")
@click.option(
    "--output", "-o", type=click.Path(dir_okay=False, path_type=Path), help="Case sheet's file; .html: a page."
)
@writing_options
@format_option
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
    recorded_by: str,
    id: str | None,
    expected_version: int | None,
    dry_run: bool,
    form: str,
) -> None:
    """Raise a dispute at TABLE about a deal, or about one entry of it; without TEXT list those that there are.

    \b
    trickledger dispute ombre-revoke --deal 1 --step 24 --player Belinda "the Baron had a diamond"
    trickledger dispute ombre-revoke
    trickledger dispute ombre-revoke --case-sheet 39 -o case.html
    """
    if output is not None and case_version is None:
        raise click.UsageError("--output goes with --case-sheet.")
    if case_version is not None:
        if text is not None:
            raise click.UsageError("--case-sheet is about a dispute that was raised: without TEXT.")
        _case_sheet(state, table, case_version, output, form)
        return
    if text is None:
        _list(state, table, deal, form)
        return
    if deal is None:
        raise click.UsageError("Say which deal: --deal N.")
    if version is not None and step is not None:
        raise click.UsageError("--version and --step exclude each other.")
    with state.store() as store:
        added = add_event(
            store,
            table,
            lambda fold: directing.dispute(fold, deal, text, player=player, version=version, step=step),
            recorded_by=recorded_by,
            id=id,
            expected_version=expected_version,
            dry_run=dry_run,
            names=state.names_for(form),
        )
    answer = addition(added, lang=state.lang)
    if form == "json":
        print_json(answer)
        return
    say(receipt_words(answer))
    if not dry_run:
        say(f"A ruling names it with --dispute {answer.version}.")


def _list(state: CliState, table: str, deal: int | None, form: str) -> None:
    with state.store() as store:
        fold = fold_table(store, table, ReadAs(names=state.names_for(form)))
        disputes = [one for one in disputes_of(fold) if deal in (None, one.deal)]
    if form == "json":
        print_json(disputes)
    elif not disputes:
        say(f"{slug_of(table)} has no dispute.")
    else:
        for line in _disputes(disputes):
            say(line)


def _case_sheet(state: CliState, table: str, version: int, output: Path | None, form: str) -> None:
    """Prints the sheet, or writes it: as a page where the file's name ends in .html, else as text or JSON."""
    with state.store() as store:
        sheet = sheet_of(store, table, version, state.lang, state.names_for(form))
    if output is not None and output.suffix.lower() in (".html", ".htm"):
        from ledger.text.pages import case_page

        content = case_page(sheet, state.lang)
    elif form == "json":
        content = msgspec.json.encode(sheet).decode() + "\n"
    else:
        content = "\n".join(case_text(sheet, state.lang)) + "\n"
    if output is None and form == "json":
        print_json(sheet)
    elif output is None:
        say(content, nl=False)
    else:
        with output_file(str(output)) as file:
            file.write(content.encode())
        if str(output) != "-":
            say(f"Wrote {output}.", err=form == "json")


def _disputes(disputes: Sequence[Dispute]) -> Iterator[str]:
    for one in disputes:
        about = "" if one.about is None else f", about entry {one.about}"
        by = "" if one.player is None else f" by {one.player}"
        rulings = f", entry {', '.join(map(str, one.rulings))}" if one.rulings else ""
        stale = stale_text(one.stale)
        yield f"entry {one.version}  deal {one.deal}{about}{by}: {one.state}{rulings}{stale}"
        yield continued(f"  {one.text}")


@click.command()
@click.argument("table")
@click.argument("kind", type=click.Choice(get_args(RulingKind)))
@click.argument("text")
@click.option("--deal", type=click.IntRange(min=1), required=True, help="Which deal.")
@click.option("--deltas", metavar="AMOUNTS", help="By name: 'Belinda +10, Baron -10'; or by seat: 10,-10,0.")
@click.option("--pool", type=int, metavar="AMOUNT", help="What goes into the pool (or, negative, out of it).")
@click.option("--award", metavar="FIELDS", help="Couillon's: winner=0,strength=2,circle=true,draw_mark=0.")
@click.option("--rule", metavar="ID", help="The rule that it rests on: OMB-6.5, or 6.5.")
@click.option("--dispute", "dispute_version", type=click.IntRange(min=1), metavar="V", help="The dispute it decides.")
@writing_options
@format_option
@click.pass_obj
def ruling(
    state: CliState,
    table: str,
    kind: RulingKind,
    text: str,
    deal: int,
    deltas: str | None,
    pool: int | None,
    award: str | None,
    rule: str | None,
    dispute_version: int | None,
    recorded_by: str,
    id: str | None,
    expected_version: int | None,
    dry_run: bool,
    form: str,
) -> None:
    """Rule on a deal of TABLE; TEXT says what is decided and why.

    \b
    adjust   moves points besides the computed ones     --deltas, --pool
    replace  moves these points instead                 --deltas, --pool
    void     annuls the deal
    accept   scores an unscorable deal from its sheet
    award    gives a Couillon deal to a team            --award
    stands   decides that nothing changes

    \b
    trickledger ruling ombre-revoke adjust "a fine for the revoke" --deal 1 --deltas "Belinda +10, Baron -10"
    """
    with state.store() as store:
        added = add_event(
            store,
            table,
            lambda fold: directing.ruling(
                fold, deal, kind, text, rule=rule, deltas=deltas, pool=pool, award=award, dispute=dispute_version
            ),
            recorded_by=recorded_by,
            id=id,
            expected_version=expected_version,
            dry_run=dry_run,
            names=state.names_for(form),
        )
    answer = addition(added, (deal,), state.lang)
    if form == "json":
        print_json(answer)
        return
    console().print(change_table(answer.change, added.after.players, "pool" in added.after.match.state()))
    for line in change_words(answer.change):
        say(line)
    say("\n" + receipt_words(answer))
    for line in (*_without_effect(added), *_left_open(added)):
        say(line)


def _without_effect(added: Added) -> Iterator[str]:
    """That a score sheet was accepted for a deal that had its score already."""
    assert isinstance(added.event, RulingGiven)
    before, after = (fold.deal(added.event.deal) for fold in (added.before, added.after))
    is_same = (before.status, before.settlement) == (after.status, after.settlement)
    if added.event.kind == "accept" and is_same:
        yield f"Deal {before.number} was {before.status} already: accepting its score sheet changed nothing."


def _left_open(added: Added) -> Iterator[str]:
    """The disputes about this deal that the ruling did not name."""
    assert isinstance(added.event, RulingGiven)
    if added.event.dispute is None:
        for one in disputes_of(added.after):
            if one.deal == added.event.deal and one.state == "open":
                yield f"The dispute of entry {one.version} stays open: --dispute {one.version} was not said."
