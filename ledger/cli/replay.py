"""The command `replay`: deals card by card, as a story, step by step, or both readings side by side."""

from __future__ import annotations

import click

from ledger.cli.errors import wrong_use
from ledger.cli.output import format_option, print_json, say, show
from ledger.cli.state import CliState
from ledger.cli.which_tables import folds_of, reading_asked_for, table_options
from ledger.cli.words import phrase
from ledger.errors import NotFoundError
from ledger.log.base import LogStore
from ledger.table.fold import TableFold
from ledger.table.lookup import ReadAs, read_tables
from ledger.table.steps import check_named, replay_answer, replay_state, replay_steps
from ledger.table.two_readings import TwoReadings, corrected_steps, two_readings
from ledger.text.events import continued
from ledger.text.replay import state as state_text
from ledger.text.replay import story, walk
from ledger.text.two_readings import side_by_side


@click.command()
@table_options("Every deal of all tables, or the one of --deal; JSON: one deal a line.")
@click.option("--deal", type=click.IntRange(min=1), help="Which deal; default: the last one.")
@click.option("--step", type=click.IntRange(min=0), help="The state after so many actions.")
@click.option("--all-steps", is_flag=True, help="Every state from before the deal; JSON: one a line.")
@click.option("--seat", type=click.IntRange(min=0), help="Only what this seat could know.")
@click.option("--diff", "is_diff", is_flag=True, help="As first written and as corrected, side by side.")
@format_option
@click.pass_obj
def replay(
    state: CliState,
    table: str | None,
    all_tables: bool,
    as_recorded: bool,
    as_of: str | None,
    deal: int | None,
    step: int | None,
    all_steps: bool,
    seat: int | None,
    is_diff: bool,
    form: str,
) -> None:
    """Replay a deal of TABLE card by card: hands, tricks, who won and why, what was legal.

    Without --step or --all-steps the text tells the whole deal; JSON gives the last state. With --all, every deal.
    """
    if all_steps and step is not None:
        raise wrong_use("step_or_all")
    if is_diff and (all_steps or as_recorded or (step, seat) != (None, None)):
        raise wrong_use("diff_alone")
    with state.store() as store:
        read_as = reading_asked_for(state, store, table, all_tables, as_recorded, as_of, form)
        if all_tables and (step, seat) != (None, None):
            _look_before_printing(store, read_as, deal, step, seat)
        for slug, fold in folds_of(store, table, read_as):
            numbers = [record.number for record in fold.deals]
            if all_tables:
                shown = [number for number in numbers if deal in (None, number)]
            elif deal is None and not numbers:
                raise NotFoundError("not_found", phrase("no_deal_yet", text=slug))
            else:
                shown = [numbers[-1] if deal is None else deal]
            for number in shown:
                if is_diff:
                    _print_diff(two_readings(slug, fold, number, state.lang), fold, form)
                else:
                    _print_deal(slug, fold, number, step, all_steps, seat, form)


def _look_before_printing(
    store: LogStore, read_as: ReadAs, deal: int | None, step: int | None, seat: int | None
) -> None:
    """Names the first deal of all tables that has no such step or seat, while nothing is answered yet."""
    for slug, entries in read_tables(store, read_as):
        try:
            check_named(entries, deal, step, seat)
        except NotFoundError as error:
            raise NotFoundError("not_found", phrase("of_table", table=slug, what=error.said)) from None


def _print_diff(readings: TwoReadings, fold: TableFold, form: str) -> None:
    if form == "json":
        print_json(readings)
        return
    show(map(continued, side_by_side(readings, fold)))
    say("")


def _print_deal(
    slug: str, fold: TableFold, number: int, step: int | None, all_steps: bool, seat: int | None, form: str
) -> None:
    if form == "json":
        steps = replay_steps(fold, number, seat) if all_steps else [replay_state(fold, number, step, seat)]
        for shown in steps:
            print_json(replay_answer(slug, number, shown))
        return
    if all_steps:
        record = fold.deal(number)
        lines = walk(list(replay_steps(fold, number, seat)), record.players, seat, corrected_steps(fold, record))
    elif step is None:
        lines = story(slug, fold, number, seat)
    else:
        lines = state_text(slug, fold, number, replay_state(fold, number, step, seat), seat)
    show(map(continued, lines))
    say("")
