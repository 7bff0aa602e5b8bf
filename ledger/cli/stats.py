"""The command `stats`: a statistic by name, filtered, with the log position that it rests on."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

import click
from msgspec import structs
from rich.table import Table

from ledger.cli.history_answers import (
    caught_up_history,
    json_rows,
    json_text,
    print_csv,
    print_rows_json,
    print_table,
    rebuild_option,
    rows_format_option,
)
from ledger.cli.output import console
from ledger.cli.state import CliState
from ledger.history import Answer, StatisticAnswer, statistic_named, statistics
from ledger.log.display_names import display_names

_DAY = click.DateTime(formats=["%Y-%m-%d"])


@click.command()
@click.argument("name", required=False)
@click.option("--list", "is_list", is_flag=True, help="The statistics that there are, with the filters they take.")
@click.option("--player", help="Only this player.")
@click.option("--game", help="Only this game.")
@click.option("--since", type=_DAY, metavar="DATE", help="From this day on, as 2026-01-31.")
@click.option("--until", type=_DAY, metavar="DATE", help="To this day, the day included.")
@click.option("--session", help="Only this session.")
@rebuild_option
@rows_format_option
@click.pass_obj
def stats(
    state: CliState,
    name: str | None,
    is_list: bool,
    player: str | None,
    game: str | None,
    since: datetime | None,
    until: datetime | None,
    session: str | None,
    rebuild: bool,
    form: str,
) -> None:
    """The statistic NAME over all deals, or over those that the filters leave.

    JSON is an object with name, position, digest and rows; position and digest name the last log entry it rests on.
    """
    if (name is None) != is_list:
        raise click.UsageError(f"Name a statistic ({', '.join(statistics())}), or say --list.")
    if name is None:
        _print_list(form)
        return
    statistic_named(name)  # a wrong name is said before the ledger is read
    shown = {shown: player for player, shown in display_names(state.ledger_path).items()}
    filters = {
        "player": None if player is None else shown.get(player, player),
        "game": game,
        "since": None if since is None else since.date(),
        "until": None if until is None else until.date(),
        "session": None if session is None else session.removeprefix("session/"),
    }
    statistic_named(name)  # a wrong name is said before the ledger is read
    with caught_up_history(state, rebuild=rebuild) as history:
        _print_statistic(history.statistic(name, filters), form, state.names_for(form))


def _print_statistic(found: StatisticAnswer, form: str, names: Mapping[str, str]) -> None:
    if form == "json":
        answer = {
            "name": found.name,
            "position": found.position,
            "digest": found.digest,
            "rows": json_rows(found.answer),
        }
        click.echo(json_text(answer).encode())
    elif form == "csv":
        print_csv(found.answer.columns, found.answer.rows)
    elif not found.answer.rows:
        click.echo("No deal fits.")
    else:
        print_table(_with_names(found.answer, names))
        click.echo(f"\nAs of entry {found.position:,} of the ledger, digest {found.digest[:12]}…")


def _with_names(answer: Answer, names: Mapping[str, str]) -> Answer:
    """The answer with names to show in its columns of players."""
    is_player = ["player" in column for column in answer.columns]
    rows = [
        tuple(names.get(cell, cell) if shown else cell for cell, shown in zip(row, is_player, strict=True))
        for row in answer.rows
    ]
    return structs.replace(answer, rows=rows)


def _print_list(form: str) -> None:
    known = statistics().values()
    if form == "json":
        rows = [{"name": one.name, "sentence": one.sentence, "parameters": list(one.parameters)} for one in known]
        print_rows_json(rows)
    elif form == "csv":
        print_csv(["name", "sentence", "parameters"], [(o.name, o.sentence, " ".join(o.parameters)) for o in known])
    else:
        shown = Table(box=None, show_header=False, pad_edge=False)
        for one in known:
            shown.add_row(one.name, one.sentence, " ".join(f"--{parameter}" for parameter in one.parameters))
        console().print(shown)
