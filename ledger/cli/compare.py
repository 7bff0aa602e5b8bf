"""The command `compare`: two scribes of one table."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import click

from ledger import api
from ledger.cli.language import telling_options
from ledger.cli.output import format_option, print_json, show
from ledger.cli.state import CliState
from ledger.text.imports import comparison_text


@click.command()
@click.argument("first")
@click.argument("second")
@format_option
@telling_options
@click.pass_obj
def compare(state: CliState, first: str, second: str, form: str) -> None:
    """Compare two records of one table, each a hand record (its file) or a table of the ledger (its name).

    For each deal that differs: where FIRST and SECOND part, by line and word, and what either comes to by the rules.
    What one of them does not know contradicts nothing that the other knows.
    """
    needs_ledger = not (Path(first).is_file() and Path(second).is_file())
    with state.store() if needs_ledger else nullcontext() as store:
        answer = api.compare(first, second, store=store, lang=state.lang)
    if form == "json":
        print_json(answer)
    else:
        show(comparison_text(answer, state.lang))
