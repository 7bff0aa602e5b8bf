"""The command `plot`: a plot by name, filtered, written as a picture, a page or its Vega-Lite specification."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ledger import api
from ledger.cli.completion import plot_names
from ledger.cli.errors import wrong_use
from ledger.cli.filters import (
    caught_up_history,
    filter_options,
    filters_of,
    hidden_option,
    names_and_hidden,
    read_model_options,
)
from ledger.cli.language import telling_options
from ledger.cli.output import (
    check_output,
    format_from,
    format_option,
    output_file,
    overwrite_option,
    print_utf8,
    say,
    show,
)
from ledger.cli.state import CliState
from ledger.text.catalogue import label
from ledger.text.history import json_list, listed_facts, plots_table


@click.command()
@click.argument("name", required=False, shell_complete=plot_names)
@click.option("--list", "is_list", is_flag=True, help="The plots that there are, with the filters they take.")
@filter_options
@click.option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False),
    help="File to write, as its end says: .png .svg .pdf .html, or .json for Vega-Lite. Default: NAME.svg.",
)
@overwrite_option
@hidden_option
@read_model_options
@format_option
@telling_options
@click.pass_obj
def plot(
    state: CliState,
    /,
    name: str | None,
    is_list: bool,
    output: str | None,
    overwrite: bool,
    with_hidden: bool,
    read_model: Path | None,
    rebuild: bool,
    form: str,
    **given: Any,
) -> None:
    """Draw the plot NAME over all deals, or over those that the filters leave.

    JSON is the Vega-Lite specification, printed unless --output says where to write it.

    \b
    trickledger plot cumulative --session opening-night -o evening.svg
    trickledger --lang ja plot contracts --game ombre -o contracts.png
    trickledger plot year --player Ann --season-from 09-01 -o ann.pdf
    """
    from ledger.plots.charts import why_nothing
    from ledger.plots.figures import plot_named
    from ledger.plots.writing import FORMS

    if (name is None) != is_list:
        raise wrong_use("which_plot", known=tuple(api.plot_list()))
    if name is None:
        _print_plots(form, state.lang)
        return
    # A wrong name, or a file's, is said before the ledger is read.
    plot_named(name)
    is_json = form == "json"
    known = {ending: ending.removeprefix(".") for ending in FORMS}
    if is_json:
        format_from(output, form, known | {"": form})
    else:
        output = output or f"{name}.svg"
        format_from(output, None, known)
    if output is not None:
        check_output(output, overwrite=overwrite)
    filters, history = filters_of(state, given), caught_up_history(state, read_model, rebuild=rebuild)
    names, hidden = names_and_hidden(state, form, filters.player, with_hidden=with_hidden)
    shown = api.plot(history, name, filters, names=names, hidden=hidden, lang=state.lang)
    if not is_json and not shown.rows:
        say(why_nothing(shown, state.lang))
        return
    content = api.picture(shown, f"{name}.json" if is_json or output is None else output, state.lang)
    if output is None:
        print_utf8(content.decode(), nl=False)
        return
    with output_file(output, overwrite=overwrite) as file:
        file.write(content)
    told = label(state.lang, "file.written_as_of", path=output, position=f"{shown.position:,}")
    say(told, err=is_json)


def _print_plots(form: str, lang: str) -> None:
    known = api.plot_list(lang)
    if form == "json":
        print_utf8(json_list(listed_facts(known)))
    else:
        show([plots_table(known)])
