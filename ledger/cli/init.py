"""The command `init`: makes a new, empty ledger."""

from __future__ import annotations

import click

from ledger import api
from ledger.cli.language import telling_options
from ledger.cli.output import format_option, print_json, say
from ledger.cli.state import CliState
from ledger.log.answers import InitAnswer
from ledger.text.files import ledger_made


@click.command()
@format_option
@telling_options
@click.pass_obj
def init(state: CliState, form: str) -> None:
    """Make a new, empty ledger."""
    with api.create(state.ledger_path):
        pass
    if form == "json":
        print_json(InitAnswer(ledger=str(state.ledger_path)))
    else:
        say(ledger_made(state.ledger_path, state.lang))
