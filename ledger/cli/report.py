"""The command `report`: a session as one printable page, HTML or PDF."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any, Final

import click

from ledger.cli.errors import wrong_use
from ledger.cli.output import format_option, output_file, print_json, say
from ledger.cli.read_model import caught_up_history, rebuild_option
from ledger.cli.state import CliState
from ledger.text.files import written_as_of

_FORMS: Final = (".html", ".pdf")
_PLOTS: Final = ("cumulative", "standings", "contracts", "pool")
"""What a session's page shows, each where it has anything to show."""


@click.command()
@click.argument("session")
@click.option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False),
    help="File to write, as its end says: .html or .pdf. Default: SESSION.html.",
)
@rebuild_option
@format_option
@click.pass_obj
def report(state: CliState, session: str, output: str | None, rebuild: bool, form: str) -> None:
    """Write SESSION as one page for the printer: results, score sheets, notable deals, rulings, plots, and the proof.

    JSON is an object with file, session, position and digest.

    \b
    trickledger report opening-night -o evening.html
    trickledger --lang ja report opening-night -o evening.pdf
    """
    from ledger.plots.charts import plot_spec
    from ledger.plots.figures import figures
    from ledger.plots.writing import svg
    from ledger.reports.gathering import session_report
    from ledger.text.pages import report_page

    slug = session.removeprefix("session/")
    output = output or f"{PurePath(slug).name}.html"
    suffix = PurePath(output).suffix.lower()
    if suffix not in _FORMS:
        raise wrong_use("no_form", text=output, known=tuple(_FORMS))
    names, filters = state.names_for("text"), {"session": slug}
    with caught_up_history(state, rebuild=rebuild) as history, state.store() as store:
        gathered = session_report(store, history, slug, names, state.lang)
        shown = [figures(history, name, filters, names, state.lang) for name in _PLOTS]
    plots = [svg(plot_spec(one, state.lang)) for one in shown if one.rows]
    page = report_page(gathered, plots, state.lang)
    with output_file(output) as file:
        file.write(_pdf(page) if suffix == ".pdf" else page.encode())
    if form == "json":
        answer: dict[str, Any] = {"file": output, "session": slug}
        print_json(answer | {"position": gathered.position, "digest": gathered.digest})
    else:
        say(written_as_of(output, gathered.position))


def _pdf(page: str) -> bytes:
    from ledger.text.pdf import page_pdf

    return page_pdf(page)
