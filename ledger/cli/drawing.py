"""The commands `plot` and `report`."""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import Any, Final

import click
from msgspec import structs

from ledger import api
from ledger.cli.completion import plot_names, session_names
from ledger.cli.errors import wrong_use
from ledger.cli.filters import (
    caught_up_history,
    filter_options,
    filters_of,
    hidden_option,
    lake_option,
    names_and_hidden,
    read_model_options,
)
from ledger.cli.output import check_output, format_from, output_file, overwrite_option, print_utf8, say, show
from ledger.cli.state import CliState, command
from ledger.streams import SESSION
from ledger.text.catalogue import label
from ledger.text.history import json_list, listed_facts, plots_table


@command()
@click.argument("name", required=False, shell_complete=plot_names)
@click.option("--list", "is_list", is_flag=True, help="List the plots and the filters that each takes.")
@filter_options
@click.option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False),
    help="File to write; its ending sets the format: .png .svg .pdf .html, or .json for Vega-Lite. Default: NAME.svg.",
)
@overwrite_option
@hidden_option
@lake_option
@read_model_options
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
    **given: Any,
) -> None:
    """Draw the plot NAME over all deals, or over a selection of them.

    JSON is the Vega-Lite specification; it is printed unless --output names a file.

    \b
    trickledger plot cumulative --session opening-night -o evening.svg
    trickledger --lang ja plot contracts --game ombre -o contracts.png
    trickledger plot year --player Ann --season-from 09-01 -o ann.pdf
    """
    from ledger.plots.charts import why_nothing
    from ledger.plots.export import FORMS
    from ledger.plots.figures import plot_named

    if (name is None) != is_list:
        raise wrong_use("which_plot", known=tuple(api.plot_list()))
    if name is None:
        plots = api.plot_list(state.lang)
        if state.is_json:
            print_utf8(json_list(listed_facts(plots)))
        else:
            show([plots_table(plots)])
        return
    # Reject a wrong name or file before reading the ledger.
    plot_named(name)
    known = {ending: ending.removeprefix(".") for ending in FORMS}
    if state.is_json:
        format_from(output, state.form, known | {"": state.form})
    else:
        output = output or f"{name}.svg"
        format_from(output, None, known)
    if output is not None:
        check_output(output, overwrite=overwrite)
    filters, history = filters_of(state, given), caught_up_history(state, read_model, rebuild=rebuild)
    names, hidden = names_and_hidden(state, state.form, filters.player, with_hidden=with_hidden)
    shown = api.plot(history, name, filters, names=names, hidden=hidden, lang=state.lang)
    if not state.is_json and not shown.rows:
        say(why_nothing(shown, state.lang))
        return
    content = api.picture(shown, f"{name}.json" if state.is_json or output is None else output, state.lang)
    if output is None:
        print_utf8(content.decode(), nl=False)
        return
    with output_file(output, overwrite=overwrite) as file:
        file.write(content)
    say(label(state.lang, "file.written_as_of", path=output, position=f"{shown.position:,}"), err=state.is_json)


_FORMS: Final = {".html": "html", ".htm": "html", ".pdf": "pdf"}


@command()
@click.argument("session", shell_complete=session_names)
@click.option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False),
    help="File to write; its ending sets the format: .html or .pdf. Default: SESSION.html.",
)
@overwrite_option
@hidden_option
@lake_option
@read_model_options
def report(
    state: CliState,
    session: str,
    output: str | None,
    overwrite: bool,
    with_hidden: bool,
    read_model: Path | None,
    rebuild: bool,
) -> None:
    """Write SESSION as one page to print: results, score sheets, notable deals, rulings, plots and the proof.

    JSON is an object with file, session, position and digest. With --lake, the page lacks the digests of the tables; in
    a lake of several clubs, SESSION begins with the name of the club, e.g. kent/opening-night.

    \b
    trickledger report opening-night -o evening.html
    trickledger --lang ja report opening-night -o evening.pdf
    """
    from ledger.reports.facts import ReportAnswer

    slug = SESSION.slug(session)
    if state.lake is not None and "/" in slug:
        club, _, slug = slug.partition("/")
        state = structs.replace(state, lake=api.club_of_lake(state.lake, club))
    output = output or f"{PurePath(slug).name}.html"
    written_as = format_from(output, None, _FORMS)
    check_output(output, overwrite=overwrite)
    names, hidden = names_and_hidden(state, "text", with_hidden=with_hidden)
    history = caught_up_history(state, read_model, rebuild=rebuild)
    if state.lake is None:
        page = api.report(state.ledger, slug, history=history, names=names, hidden=hidden, lang=state.lang)
    else:
        page = api.report_of_lake(history, slug, names=names, hidden=hidden, lang=state.lang)
    with output_file(output, overwrite=overwrite) as file:
        file.write(api.pdf(page.html) if written_as == "pdf" else page.html.encode())
    assert page.digest is not None, "a read model of one's own holds nothing back"
    answer = ReportAnswer(file=output, session=slug, position=page.position, digest=page.digest)
    state.print(answer, [label(state.lang, "file.written_as_of", path=output, position=f"{page.position:,}")])
