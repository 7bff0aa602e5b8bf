"""The command `examples`: copy the example hand records into a folder."""

from __future__ import annotations

from pathlib import Path

import click

from ledger import api
from ledger.cli.state import CliState, command
from ledger.text.files import examples_text


@command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), default=Path("examples"))
def examples(state: CliState, folder: Path) -> None:
    """Copy the example hand records to FOLDER: every worked example of the rulebooks, and evenings of a club.

    FOLDER is new or empty; by default it is `examples` in the current folder.

    \b
    Example:
      trickledger examples
      trickledger init
      trickledger import examples/ombre/*.toml
    """
    done = api.examples(folder)
    state.print(done, examples_text(done, state.lang))
