"""The command `report`: a session as one printable page, HTML or PDF."""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import Final

import click

from ledger import api
from ledger.cli.completion import session_names
from ledger.cli.filters import caught_up_history, hidden_option, names_and_hidden, read_model_options
from ledger.cli.language import telling_options
from ledger.cli.output import check_output, format_from, format_option, output_file, overwrite_option, print_json, say
from ledger.cli.state import CliState
from ledger.streams import SESSION
from ledger.text.catalogue import label

_FORMS: Final = {".html": "html", ".htm": "html", ".pdf": "pdf"}


@click.command()
@click.argument("session", shell_complete=session_names)
@click.option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False),
    help="File to write, as its end says: .html or .pdf. Default: SESSION.html.",
)
@overwrite_option
@hidden_option
@read_model_options
@format_option
@telling_options
@click.pass_obj
def report(
    state: CliState,
    session: str,
    output: str | None,
    overwrite: bool,
    with_hidden: bool,
    read_model: Path | None,
    rebuild: bool,
    form: str,
) -> None:
    """Write SESSION as one page for the printer: results, score sheets, notable deals, rulings, plots, and the proof.

    JSON is an object with file, session, position and digest.

    \b
    trickledger report opening-night -o evening.html
    trickledger --lang ja report opening-night -o evening.pdf
    """
    from ledger.reports.facts import ReportAnswer

    slug = SESSION.slug(session)
    output = output or f"{PurePath(slug).name}.html"
    written_as = format_from(output, None, _FORMS)
    check_output(output, overwrite=overwrite)
    names, hidden = names_and_hidden(state, "text", with_hidden=with_hidden)
    history = caught_up_history(state, read_model, rebuild=rebuild)
    page = api.report(state.ledger_path, slug, history=history, names=names, hidden=hidden, lang=state.lang)
    with output_file(output, overwrite=overwrite) as file:
        file.write(api.pdf(page.html) if written_as == "pdf" else page.html.encode())
    if form == "json":
        assert page.digest is not None, "a read model of one's own holds nothing back"
        print_json(ReportAnswer(file=output, session=slug, position=page.position, digest=page.digest))
    else:
        say(label(state.lang, "file.written_as_of", path=output, position=f"{page.position:,}"))
