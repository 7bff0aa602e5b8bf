"""The commands `tables`, `replay`, `score` and `audit`."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any, get_args

import click

from ledger import api
from ledger.cli.completion import game_names, player_names, session_names
from ledger.cli.errors import wrong_use
from ledger.cli.language import phrase
from ledger.cli.numbers import WholeNumber
from ledger.cli.output import print_json, say, show
from ledger.cli.state import CliState, command
from ledger.cli.table_options import (
    A_TABLE_A_LINE,
    check_game,
    chosen_tables,
    session_option,
    single_option,
    table_options,
)
from ledger.errors import NotFoundError, UnreadableError
from ledger.log.base import LogStore
from ledger.recording.hands import hidden_deals
from ledger.table.fold import TableFold
from ledger.table.listing import TableFilter, TableRow, TableState, table_rows
from ledger.table.repository import ReadAs, TableAsRead, entries_of_tables, requested_reading
from ledger.table.steps import check_named, replay_state, replay_steps, seat_named
from ledger.table.two_readings import TwoReadings, corrected_steps
from ledger.text.audit import audit_text
from ledger.text.catalogue import wording_for
from ledger.text.deal import side_by_side
from ledger.text.events import continued
from ledger.text.lists import hidden_deals_text, tables_text
from ledger.text.replay import state as state_text
from ledger.text.replay import story, walk
from ledger.text.score import score_text


@command()
@single_option("--session", help="Only tables of this session.", shell_complete=session_names)
@single_option("--player", help="Only tables at which this player sat.", shell_complete=player_names)
@single_option("--game", help="Only tables of this game.", shell_complete=game_names)
@single_option(
    "--state",
    "table_state",
    type=click.Choice(get_args(TableState)),
    help="Only tables that are open, whose match is over, or that are closed.",
)
def tables(
    state: CliState,
    session: str | None,
    player: str | None,
    game: str | None,
    table_state: TableState | None,
) -> None:
    """List the tables with their players, deals and totals.

    A substitute has the points of the deals that they played; the totals by seat are listed, too. Damaged tables are
    named in an error after the list; the exit status is then 5.

    \b
    trickledger tables --session friday --state open
    trickledger tables --player Belinda --game ombre
    """
    if game is not None:
        check_game(game)
    wanted = TableFilter(session=session, player=player, game=game, state=table_state)
    is_filtered = wanted != TableFilter()
    rows: list[TableRow] = []
    with state.store() as store:
        try:
            for row in table_rows(store, ReadAs(names=state.names(store)), wanted):
                rows.append(row)
        except UnreadableError:
            if rows:
                state.print(rows, tables_text(rows, state.lang, is_filtered=is_filtered))
            raise
        waiting = [] if state.is_json or is_filtered else list(hidden_deals(store))
    state.print(rows, tables_text(rows, state.lang, is_filtered=is_filtered))
    if waiting:
        say(hidden_deals_text(waiting, state.lang))


@command()
@table_options("Every deal of all tables, or only --deal; JSON: one deal per line.")
@click.option("--deal", type=WholeNumber(1), help="The number of the deal; default: the last one.")
@click.option("--step", type=WholeNumber(0), help="Only the state after this many actions.")
@click.option("--all-steps", is_flag=True, help="Every state from before the deal on; JSON: one per line.")
@click.option(
    "--seat",
    metavar="SEAT|PLAYER",
    help="Only what this seat or player could know.",
    shell_complete=player_names,
)
@click.option("--diff", "is_diff", is_flag=True, help="Show the deal as first written and as corrected, side by side.")
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
    """Replay a deal of TABLE card by card: hands, tricks, who won and why, and what was legal.

    Text shows the whole deal unless --step or --all-steps is given; JSON shows the last state. With --all, every deal.
    """
    if all_steps and step is not None:
        raise wrong_use("step_or_all")
    if is_diff and (all_steps or as_recorded or (step, seat) != (None, None)):
        raise wrong_use("diff_alone")
    with state.store() as store:
        reading: dict[str, Any] = {"as_recorded": as_recorded, "as_of": as_of}
        read_tables = chosen_tables(state, store, table, all_tables, **reading)
        seat = _seat_name(state, store, seat)
        if all_tables and (step, seat) != (None, None):
            _look_before_printing(store, {**reading, "names": state.names(store)}, deal, step, seat)
        for read in read_tables:
            for number in _chosen_deals(read, deal) if all_tables else [read.deal_or_last(deal)]:
                if is_diff:
                    _print_diff(state, api.readings(store, read, number, lang=state.lang), read.fold)
                elif state.is_json:
                    _print_states(store, read, number, step, all_steps, seat)
                else:
                    _print_deal(read, number, step, all_steps, seat, state.lang)


def _chosen_deals(read: TableAsRead, deal: int | None) -> list[int]:
    return [record.number for record in read.fold.deals if deal in (None, record.number)]


def _look_before_printing(
    store: LogStore, reading: Mapping[str, Any], deal: int | None, step: int | None, seat: str | None
) -> None:
    """Raise an error for the first deal that lacks the step or seat, before anything is printed."""
    for slug, entries in entries_of_tables(store, requested_reading(store, **reading)):
        try:
            check_named(entries, deal, step, seat)
        except NotFoundError as error:
            raise NotFoundError("not_found", phrase("of_table", table=slug, what=error.said)) from None


def _seat_name(state: CliState, store: LogStore, seat: str | None) -> str | None:
    """Return a player's name as this format shows it: the displayed one, or the recorded one for JSON."""
    shown = store.display_names() if seat is not None else {}
    spellings = {name: player for player, name in shown.items()} if state.is_json else shown
    return seat if seat is None else spellings.get(seat, seat)


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


def _print_deal(
    read: TableAsRead, number: int, step: int | None, all_steps: bool, player: str | None, lang: str
) -> None:
    fold = read.fold
    seat = seat_named(fold.deal(number).players, number, player)
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


@command()
@table_options(A_TABLE_A_LINE)
@session_option
@click.option("--deal", type=WholeNumber(1), help="Only this deal.")
@click.option("--without-rulings", is_flag=True, help="Score by the rules alone, without the director's rulings.")
def score(
    state: CliState,
    table: str | None,
    deal: int | None,
    session: str | None,
    all_tables: bool,
    as_recorded: bool,
    as_of: str | None,
    without_rulings: bool,
) -> None:
    """Show the score sheet of TABLE: every payment with its rule.

    \b
    trickledger score ombre-revoke --deal 1
    """
    if deal is not None and table is None:
        raise wrong_use("deal_of_table")
    with state.store() as store:
        reading: dict[str, Any] = {"as_recorded": as_recorded, "as_of": as_of, "without_rulings": without_rulings}
        for read in chosen_tables(state, store, table, all_tables, session=session, **reading):
            answer = api.score(store, read, deal, lang=state.lang)
            state.print(answer, score_text(answer, read.fold, state.lang, state.tz, deal=deal))


@command()
@table_options(A_TABLE_A_LINE)
@session_option
def audit(
    state: CliState,
    table: str | None,
    session: str | None,
    all_tables: bool,
    as_recorded: bool,
    as_of: str | None,
) -> None:
    """Audit TABLE: list what broke the rules, each finding with the text of its rule.

    \b
    trickledger audit ombre-revoke
    trickledger audit --session opening-night

    The exit status is 1 if there is a finding of severity error.
    """
    has_error = False
    reading: dict[str, Any] = {"as_recorded": as_recorded, "as_of": as_of}
    with state.store() as store:
        for read in chosen_tables(state, store, table, all_tables, session=session, **reading):
            answer = api.audit(store, read, lang=state.lang)
            has_error = has_error or any(finding.severity == "error" for finding in answer.findings)
            state.print(answer, map(continued, audit_text(answer, read.fold, state.lang, state.tz)))
    if has_error:
        sys.exit(1)
