"""The command `check`: what a hand record would come to, before it is imported."""

from __future__ import annotations

import sys

import click

from ledger import api
from ledger.cli.language import telling_options
from ledger.cli.output import format_option, print_json, show
from ledger.cli.state import CliState
from ledger.text.imports import FROM_STANDARD_INPUT, check_text


@click.command()
@click.argument("file", type=click.Path(allow_dash=True, exists=True, dir_okay=False))
@format_option
@telling_options
@click.pass_obj
def check(state: CliState, file: str, form: str) -> None:
    """Say what an import of the hand record FILE would record, and what is against the rules, by line and word.

    Nothing is recorded, and no ledger is needed; - reads standard input. The exit status is 1 where there is a finding
    of severity error, and 3 where the file cannot be understood.
    """
    content = sys.stdin.buffer if file == "-" else file
    answer = api.check(content, name=FROM_STANDARD_INPUT if file == "-" else file, lang=state.lang)
    if form == "json":
        print_json(answer)
    else:
        show(check_text(answer, state.lang))
    if any(found.finding.severity == "error" for found in answer.findings):
        sys.exit(1)
