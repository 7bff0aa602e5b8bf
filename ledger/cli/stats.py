"""The command `stats`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import replace

from ledger import api
from ledger.cli.completion import compared_words, statistic_names
from ledger.cli.errors import wrong_use
from ledger.cli.filters import (
    caught_up_history,
    compared_filters_of,
    filter_options,
    filters_of,
    hidden_option,
    lake_option,
    names_and_hidden,
    read_model_options,
)
from ledger.cli.numbers import WholeNumber
from ledger.cli.output import (
    ROW_FORMS,
    check_output,
    format_from,
    output_file,
    output_option,
    print_utf8,
    printing_to,
    show,
)
from ledger.cli.state import CliState, command
from ledger.cli.table_options import single_option
from ledger.events import MAX_SEATS
from ledger.text.history import (
    csv_text,
    explanation_facts,
    explanation_text,
    json_list,
    json_text,
    listed_facts,
    statistic_facts,
    statistic_text,
    statistics_text,
)

if TYPE_CHECKING:
    from ledger.history import Statistic, StatisticAnswer


@command(has_format=False)
@click.argument("name", required=False, shell_complete=statistic_names)
@click.option("--list", "is_list", is_flag=True, help="List the statistics (as without NAME).")
@click.option("--explain", is_flag=True, help="Explain the rows and columns of the statistic.")
@filter_options
@single_option(
    "--seat",
    type=WholeNumber(0, MAX_SEATS - 1),
    metavar="N",
    help="Only deals in which the player of a row sat at this seat, as recorded (0, 1, …).",
)
@single_option(
    "--group-by",
    type=click.Choice(["season", "place", "weekday", "seat"]),
    help="Compute the statistic for each value of this filter; the value is in the column `group`.",
)
@click.option(
    "--compare",
    multiple=True,
    metavar="FILTER=VALUE",
    shell_complete=compared_words,
    help="Compare with a second selection in which this filter has another value, e.g. season=2025; repeatable.",
)
@single_option(
    "--min-deals", type=WholeNumber(1), metavar="N", help="Only players and pairs with at least this many deals."
)
@single_option(
    "--by",
    type=click.Choice(["table"]),
    help="Compute intervals with whole tables as units, since the deals of a table depend on each other.",
)
@single_option(
    "--rules",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The rules of a league (TOML), for the statistic `league`.",
)
@hidden_option
@lake_option
@read_model_options
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "csv", "parquet"]),
    help="The format of the answer; default: by the ending of --output, else text.",
)
@output_option
@click.pass_context
def stats(
    context: click.Context,
    state: CliState,
    /,
    name: str | None,
    is_list: bool,
    explain: bool,
    with_hidden: bool,
    read_model: Path | None,
    rebuild: bool,
    form: str | None,
    output: str,
    overwrite: bool,
    **given: Any,
) -> None:
    """Show the statistic NAME over all deals, or over a selection of them; without NAME, list the statistics.

    JSON is an object with name, position, digest and rows; position and digest identify the last log entry included.

    \b
    trickledger stats standings --since 2026-01-01
    trickledger stats roles --player Anna --group-by season
    trickledger stats standings --player Anna --season 2026 --compare season=2025
    trickledger stats league --rules league.toml
    """
    from ledger.history import parquet_bytes, statistic_named

    if is_list and (name is not None or explain):
        raise wrong_use("list_alone")
    if explain and name is None:
        raise wrong_use("explain_what")
    check_output(output, overwrite=overwrite)
    form = format_from(output, form, ROW_FORMS)
    if form == "parquet" and (output == "-" or name is None or explain):
        raise wrong_use("parquet_to_file")
    if name is None:
        _print_statistics(api.statistics(state.lang), form, state.lang)
        return
    statistic = statistic_named(name, state.lang)  # reject a wrong name before reading the ledger
    if explain:
        _print_explanation(statistic, form, state.lang)
        return
    filters = filters_of(state, given)
    compared = compared_filters_of(state, context, given["compare"])
    history = caught_up_history(state, read_model, rebuild=rebuild)
    names, hidden = names_and_hidden(state, form, filters.player, compared.get("player"), with_hidden=with_hidden)
    statistic_answer = api.stats(history, name, replace(filters, compare=compared), names=names, hidden=hidden)
    with output_file(output, overwrite=overwrite) as file:
        if form == "parquet":
            file.write(parquet_bytes(statistic_answer.answer))
        else:
            with printing_to(file):
                _print_statistic(statistic_answer, form, names, state.lang)


def _print_statistic(statistic: StatisticAnswer, form: str, names: Mapping[str, str], lang: str) -> None:
    if form == "json":
        print_utf8(json_text(statistic_facts(statistic)))
    elif form == "csv":
        print_utf8(csv_text(statistic.answer.columns, statistic.answer.rows), nl=False)
    else:
        show(statistic_text(statistic, names, lang))


def _print_explanation(statistic: Statistic, form: str, lang: str) -> None:
    if form == "json":
        print_utf8(json_text(explanation_facts(statistic)))
    elif form == "csv":
        print_utf8(csv_text(["column", "meaning"], list(statistic.columns.items())), nl=False)
    else:
        show(explanation_text(statistic, lang))


def _print_statistics(known: Mapping[str, Statistic], form: str, lang: str) -> None:
    if form == "json":
        print_utf8(json_list(listed_facts(known)))
    elif form == "csv":
        rows = [(one.name, one.sentence, " ".join(one.parameters)) for one in known.values()]
        print_utf8(csv_text(["name", "sentence", "parameters"], rows), nl=False)
    else:
        show(statistics_text(known.values(), lang))
