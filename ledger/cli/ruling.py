"""The command `ruling`: decides on a deal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

import click

from ledger.cli.output import console, format_option, print_json, say
from ledger.cli.state import CliState
from ledger.cli.writing import writing_options
from ledger.events import RulingGiven, RulingKind
from ledger.recording import directing
from ledger.recording.adding import Added, add_event, addition
from ledger.table.disputes import disputes_of
from ledger.text.change import change_table, change_words, receipt_words


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
