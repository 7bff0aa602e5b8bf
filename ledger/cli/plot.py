"""The command `plot`: a plot by name, filtered, written as a picture, a page or its Vega-Lite specification."""

from __future__ import annotations

from typing import Any

import click
from rich.table import Table

from ledger.cli.filters import check_filters, filter_options, filters_of
from ledger.cli.history_answers import caught_up_history, print_rows_json, rebuild_option
from ledger.cli.output import console, format_option, output_file, say
from ledger.cli.state import CliState


@click.command()
@click.argument("name", required=False)
@click.option("--list", "is_list", is_flag=True, help="The plots that there are, with the filters they take.")
@filter_options
@click.option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False),
    help="File to write, as its end says: .png .svg .html, or .json for Vega-Lite. Default: NAME.svg.",
)
@rebuild_option
@format_option
@click.pass_obj
def plot(
    state: CliState,
    /,
    name: str | None,
    is_list: bool,
    output: str | None,
    rebuild: bool,
    form: str,
    **given: Any,
) -> None:
    """Draw the plot NAME over all deals, or over those that the filters leave.

    JSON is the Vega-Lite specification, printed unless --output says where to write it.

    \b
    trickledger plot cumulative --session opening-night -o evening.svg
    trickledger --lang ja plot contracts --game ombre -o contracts.png
    """
    from ledger.plots.charts import plot_spec
    from ledger.plots.figures import figures, plot_named, plots
    from ledger.plots.writing import form_of, spec_json, written

    if (name is None) != is_list:
        raise click.UsageError(f"Name a plot ({', '.join(plots())}), or say --list.")
    if name is None:
        _print_list(form)
        return
    plot_named(name)  # a wrong name, or a file's, is said before the ledger is read
    is_json = form == "json"
    if not is_json:
        output = output or f"{name}.svg"
        form_of(output)
    filters = filters_of(state, given)
    with caught_up_history(state, rebuild=rebuild) as history:
        shown = figures(history, name, filters, state.names_for(form), state.lang)
        check_filters(history, filters, state.names_for(form))
    if not is_json and not shown.rows:
        say("No deal fits.")
        return
    spec = plot_spec(shown, state.lang)
    if is_json and output is None:
        click.echo(spec_json(spec).encode(), nl=False)
        return
    assert output is not None
    content = spec_json(spec).encode() if is_json else written(spec, output)
    with output_file(output) as file:
        file.write(content)
    say(f"Wrote {output}, as of entry {shown.position:,} of the ledger.", err=is_json)


def _print_list(form: str) -> None:
    from ledger.plots.figures import plots

    if form == "json":
        print_rows_json(
            [
                {"name": name, "sentence": one.sentence, "parameters": list(one.parameters)}
                for name, one in plots().items()
            ]
        )
        return
    shown = Table(box=None, show_header=False, pad_edge=False)
    for name, one in plots().items():
        shown.add_row(name, one.sentence, " ".join(f"--{parameter}" for parameter in one.parameters))
    console().print(shown)
