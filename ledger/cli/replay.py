"""Commands that answer for tables: `replay`, `score`, `audit`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any, Final, TypeVar

import click

from ledger.cli.output import console, format_option, print_json, say
from ledger.cli.state import CliState
from ledger.errors import NotFoundError
from ledger.log.base import LogStore
from ledger.table.answers import ScoreAnswer
from ledger.table.audit import audit_answer
from ledger.table.fold import TableFold
from ledger.table.fold import without_rulings as by_rules_alone
from ledger.table.lookup import ReadAs, fold_table, fold_tables, position_at, read_tables, slug_of
from ledger.table.score import score_answer
from ledger.table.steps import check_named, replay_answer, replay_state, replay_steps
from ledger.table.two_readings import TwoReadings, corrected_steps, two_readings
from ledger.text.audit import audit_text
from ledger.text.events import continued
from ledger.text.replay import state as state_text
from ledger.text.replay import story, walk
from ledger.text.score import closing_words, explanation, sheet
from ledger.text.two_readings import side_by_side

Command = TypeVar("Command", bound=Callable[..., Any])


def _table_options(of_all: str) -> Callable[[Command], Command]:
    """A table or all of them, and which reading of the record; `of_all` is the help of `--all`."""

    def with_options(command: Command) -> Command:
        for option in (
            click.option("--as-of", metavar="POSITION|TIME", help="The record as it stood then."),
            click.option("--as-recorded", is_flag=True, help="The record as first written, without corrections."),
            click.option("--all", "all_tables", is_flag=True, help=of_all),
            click.argument("table", required=False),
        ):
            command = option(command)
        return command

    return with_options


_A_TABLE_A_LINE: Final = "All tables; JSON: one table a line."


def _read_as(
    state: CliState,
    store: LogStore,
    table: str | None,
    all_tables: bool,
    as_recorded: bool,
    as_of: str | None,
    form: str,
    unruled: bool = False,
) -> ReadAs:
    if (table is None) != all_tables:
        raise click.UsageError("Name a table, or say --all for all of them.")
    until = None if as_of is None else position_at(store, as_of)
    return ReadAs(as_recorded, until, state.names_for(form), unruled)


def _folds(store: LogStore, table: str | None, read_as: ReadAs) -> Iterator[tuple[str, TableFold]]:
    if table is None:
        yield from fold_tables(store, read_as)
    else:
        yield slug_of(table), fold_table(store, table, read_as)


@click.command()
@_table_options(_A_TABLE_A_LINE)
@click.option("--without-rulings", is_flag=True, help="By the rules alone, as if the director had decided nothing.")
@format_option
@click.pass_obj
def score(
    state: CliState,
    table: str | None,
    all_tables: bool,
    as_recorded: bool,
    as_of: str | None,
    without_rulings: bool,
    form: str,
) -> None:
    """The score sheet of TABLE: every payment with the rule that orders it."""
    with state.store() as store:
        read_as = _read_as(state, store, table, all_tables, as_recorded, as_of, form, without_rulings)
        for slug, fold in _folds(store, table, read_as):
            answer = score_answer(slug, fold, state.lang)
            if form == "json":
                print_json(answer)
            else:
                _print_score(answer, fold)


def _print_score(answer: ScoreAnswer, fold: TableFold) -> None:
    say(f"{answer.table} · {fold.game.title} · {', '.join(answer.players)}\n")
    seated = [record.players for record in fold.deals]
    for line in explanation(answer, seated):
        say(continued(line))
    has_rulings = any(deal.rulings for deal in answer.deals)
    console().print(sheet(answer, seated, by_rules_alone(fold).match.totals if has_rulings else None))
    say("\n" + closing_words(answer) + "\n")


@click.command()
@_table_options(_A_TABLE_A_LINE)
@format_option
@click.pass_obj
def audit(
    state: CliState, table: str | None, all_tables: bool, as_recorded: bool, as_of: str | None, form: str
) -> None:
    """What in TABLE was against the rules, each finding with the rule's text.

    The exit status is 1 where there is a finding of severity error.
    """
    has_error = False
    with state.store() as store:
        read_as = _read_as(state, store, table, all_tables, as_recorded, as_of, form)
        for slug, fold in _folds(store, table, read_as):
            answer = audit_answer(slug, fold, state.lang)
            has_error = has_error or any(finding.severity == "error" for finding in answer.findings)
            if form == "json":
                print_json(answer)
            else:
                for line in audit_text(answer, fold, state.lang):
                    say(continued(line))
    if has_error:
        sys.exit(1)


@click.command()
@_table_options("Every deal of all tables, or the one of --deal; JSON: one deal a line.")
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
        raise click.UsageError("--step and --all-steps exclude each other.")
    if is_diff and (all_steps or as_recorded or (step, seat) != (None, None)):
        raise click.UsageError("--diff shows both readings of the whole deal: without --step, --seat, --as-recorded.")
    with state.store() as store:
        read_as = _read_as(state, store, table, all_tables, as_recorded, as_of, form)
        if all_tables and (step, seat) != (None, None):
            _look_before_printing(store, read_as, deal, step, seat)
        for slug, fold in _folds(store, table, read_as):
            numbers = [record.number for record in fold.deals]
            if all_tables:
                shown = [number for number in numbers if deal in (None, number)]
            elif deal is None and not numbers:
                raise NotFoundError(f"the table {slug} has no deal yet")
            else:
                shown = [numbers[-1] if deal is None else deal]
            for number in shown:
                if is_diff:
                    _print_diff(two_readings(slug, fold, number, state.lang), fold, form)
                else:
                    _replay_deal(slug, fold, number, step, all_steps, seat, form)


def _look_before_printing(
    store: LogStore, read_as: ReadAs, deal: int | None, step: int | None, seat: int | None
) -> None:
    """Names the first deal of all tables that has no such step or seat, while nothing is answered yet."""
    for slug, entries in read_tables(store, read_as):
        try:
            check_named(entries, deal, step, seat)
        except NotFoundError as error:
            raise NotFoundError(f"{slug}: {error}") from None


def _print_diff(readings: TwoReadings, fold: TableFold, form: str) -> None:
    if form == "json":
        print_json(readings)
        return
    for line in side_by_side(readings, fold):
        say(continued(line))
    say("")


def _replay_deal(
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
    for line in lines:
        say(continued(line))
    say("")
