"""The command `stats`: a statistic by name, filtered, with the log position that it rests on."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
from msgspec import structs
from rich.table import Table

from ledger.cli.filters import check_filters, filter_options, filters_of
from ledger.cli.history_answers import (
    caught_up_history,
    json_rows,
    json_text,
    print_csv,
    print_rows_json,
    print_table,
    rebuild_option,
)
from ledger.cli.output import console, output_file, output_option, printing_to, say
from ledger.cli.state import CliState
from ledger.history import (
    RULES,
    Answer,
    Statistic,
    StatisticAnswer,
    check_parameters,
    parquet_bytes,
    read_league_rules,
    statistic_named,
    statistics,
)


@click.command()
@click.argument("name", required=False)
@click.option("--list", "is_list", is_flag=True, help="The statistics that there are; so does no name at all.")
@click.option("--explain", is_flag=True, help="What one row of the statistic is, and what each column says.")
@filter_options
@click.option(
    "--rules", type=click.Path(path_type=Path), metavar="FILE", help="The rules of a league, in TOML; for `league`."
)
@rebuild_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "csv", "parquet"]),
    default="text",
    show_default=True,
    help="How to answer; parquet needs --output.",
)
@output_option
@click.pass_obj
def stats(
    state: CliState,
    /,
    name: str | None,
    is_list: bool,
    explain: bool,
    rules: Path | None,
    rebuild: bool,
    form: str,
    output: str,
    **given: Any,
) -> None:
    """The statistic NAME over all deals, or over those that the filters leave; without NAME, which there are.

    JSON is an object with name, position, digest and rows; position and digest name the last log entry it rests on.

    \b
    trickledger stats standings --since 2026-01-01
    trickledger stats league --rules league.toml
    """
    if is_list and (name is not None or explain):
        raise click.UsageError("--list stands alone: trickledger stats --list")
    if explain and name is None:
        raise click.UsageError("Name the statistic to explain: trickledger stats standings --explain")
    if form == "parquet" and (output == "-" or name is None or explain):
        raise click.UsageError("Parquet goes to a file: trickledger stats NAME --format parquet --output FILE")
    if name is None:
        _print_list(form)
        return
    statistic = statistic_named(name)  # a wrong name is said before the ledger is read
    if explain:
        _print_explanation(statistic, form)
        return
    filters = filters_of(state, given)
    check_parameters(statistic, {**filters, RULES: rules})  # before the file is read
    if rules is not None:
        filters[RULES] = read_league_rules(rules)
    with caught_up_history(state, rebuild=rebuild) as history:
        found = history.statistic(name, filters)
        check_filters(history, filters, state.names_for(form))
    with output_file(output) as file:
        if form == "parquet":
            file.write(parquet_bytes(found.answer))
        else:
            with printing_to(file):
                _print_statistic(found, form, state.names_for(form))


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
        say("No deal fits.")
    else:
        print_table(_with_names(found.answer, names))
        say(f"\nAs of entry {found.position:,} of the ledger, digest {found.digest[:12]}…")


def _with_names(answer: Answer, names: Mapping[str, str]) -> Answer:
    """The answer with names to show in its columns of players."""
    is_player = ["player" in column for column in answer.columns]
    rows = [
        tuple(names.get(cell, cell) if shown else cell for cell, shown in zip(row, is_player, strict=True))
        for row in answer.rows
    ]
    return structs.replace(answer, rows=rows)


def _print_explanation(statistic: Statistic, form: str) -> None:
    """What the statistic tells, row by row and column by column."""
    if form == "json":
        click.echo(json_text({"name": statistic.name, **_described(statistic)}).encode())
    elif form == "csv":
        print_csv(["column", "meaning"], list(statistic.columns.items()))
    else:
        say(f"{statistic.sentence}\n{statistic.row}\n")
        shown = Table(box=None, show_header=False, pad_edge=False)
        for column, meaning in statistic.columns.items():
            shown.add_row(column, meaning)
        console().print(shown)
        say(f"\nFilters: {_options(statistic)}")


def _described(statistic: Statistic) -> dict[str, object]:
    return {
        "sentence": statistic.sentence,
        "parameters": list(statistic.parameters),
        "row": statistic.row,
        "columns": [{"name": column, "meaning": meaning} for column, meaning in statistic.columns.items()],
    }


def _options(statistic: Statistic) -> str:
    return " ".join(f"--{parameter}" for parameter in statistic.parameters)


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
            shown.add_row(one.name, one.sentence)
        console().print(shown)
        say("\nMore on one of them, with its filters: trickledger stats NAME --explain")
