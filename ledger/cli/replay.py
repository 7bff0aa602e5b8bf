"""The command `replay`: deals card by card, as a story, step by step, or both readings side by side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from ledger import api
from ledger.cli.completion import player_names
from ledger.cli.errors import wrong_use
from ledger.cli.language import phrase
from ledger.cli.output import print_json, say, show
from ledger.cli.state import CliState, command
from ledger.cli.table_options import table_options, tables_asked_for
from ledger.errors import NotFoundError
from ledger.log.base import LogStore
from ledger.table.fold import TableFold
from ledger.table.repository import TableAsRead, asked_reading, entries_of_tables
from ledger.table.steps import check_named, replay_state, replay_steps, seat_named
from ledger.table.two_readings import TwoReadings, corrected_steps
from ledger.text.catalogue import wording_for
from ledger.text.deal import side_by_side
from ledger.text.events import continued
from ledger.text.replay import state as state_text
from ledger.text.replay import story, walk


@command()
@table_options("Every deal of all tables, or the one of --deal; JSON: one deal a line.")
@click.option("--deal", type=click.IntRange(min=1), help="Which deal; default: the last one.")
@click.option("--step", type=click.IntRange(min=0), help="The state after so many actions.")
@click.option("--all-steps", is_flag=True, help="Every state from before the deal; JSON: one a line.")
@click.option(
    "--seat",
    metavar="SEAT|PLAYER",
    help="Only what this seat, or player, could know.",
    shell_complete=player_names,
)
@click.option("--diff", "is_diff", is_flag=True, help="As first written and as corrected, side by side.")
def replay(
    state: CliState,
    table: str | None,
    all_tables: bool,
    as_recorded: bool,
    as_of: str | None,
    deal: int | None,
    step: int | None,
    all_steps: bool,
    seat: str | None,
    is_diff: bool,
) -> None:
    """Replay a deal of TABLE card by card: hands, tricks, who won and why, what was legal.

    Without --step or --all-steps the text tells the whole deal; JSON gives the last state. With --all, every deal.
    """
    if all_steps and step is not None:
        raise wrong_use("step_or_all")
    if is_diff and (all_steps or as_recorded or (step, seat) != (None, None)):
        raise wrong_use("diff_alone")
    with state.store() as store:
        reading: dict[str, Any] = {"as_recorded": as_recorded, "as_of": as_of}
        asked = tables_asked_for(state, store, table, all_tables, **reading)
        seat = _as_told(state, store, seat)
        if all_tables and (step, seat) != (None, None):
            _look_before_printing(store, {**reading, "names": state.names(store)}, deal, step, seat)
        for read in asked:
            for number in _deals_asked_for(read, deal) if all_tables else [read.deal_or_last(deal)]:
                if is_diff:
                    _print_diff(state, api.readings(store, read, number, lang=state.lang), read.fold)
                elif state.is_json:
                    _print_states(store, read, number, step, all_steps, seat)
                else:
                    _tell_deal(read, number, step, all_steps, seat, state.lang)


def _deals_asked_for(read: TableAsRead, deal: int | None) -> list[int]:
    return [record.number for record in read.fold.deals if deal in (None, record.number)]


def _look_before_printing(
    store: LogStore, reading: Mapping[str, Any], deal: int | None, step: int | None, seat: str | None
) -> None:
    """Names the first deal of all tables that has no such step or seat, while nothing is answered yet."""
    for slug, entries in entries_of_tables(store, asked_reading(store, **reading)):
        try:
            check_named(entries, deal, step, seat)
        except NotFoundError as error:
            raise NotFoundError("not_found", phrase("of_table", table=slug, what=error.said)) from None


def _as_told(state: CliState, store: LogStore, seat: str | None) -> str | None:
    """The name of a player as this form of the answer has it: the one shown, or the one in the record."""
    shown = store.display_names() if seat is not None else {}
    told = {name: player for player, name in shown.items()} if state.is_json else shown
    return seat if seat is None else told.get(seat, seat)


def _print_diff(state: CliState, readings: TwoReadings, fold: TableFold) -> None:
    state.print(readings, map(continued, side_by_side(readings, fold, state.lang)))
    if not state.is_json:
        say("")


def _print_states(
    store: LogStore, read: TableAsRead, number: int, step: int | None, all_steps: bool, seat: str | None
) -> None:
    states = api.replay_all(store, read, number, seat) if all_steps else [api.replay(store, read, number, step, seat)]
    for state in states:
        print_json(state)


def _tell_deal(read: TableAsRead, number: int, step: int | None, all_steps: bool, asked: str | None, lang: str) -> None:
    fold = read.fold
    seat = seat_named(fold.deal(number).players, number, asked)
    if all_steps:
        record, wording = fold.deal(number), wording_for(fold.game, lang, fold.pack)
        states = list(replay_steps(fold, number, seat))
        lines = walk(states, record.players, seat, corrected_steps(fold, record), wording)
    elif step is None:
        lines = story(read.slug, fold, number, seat, lang)
    else:
        lines = state_text(read.slug, fold, number, replay_state(fold, number, step, seat), seat, lang)
    show(map(continued, lines))
    say("")
