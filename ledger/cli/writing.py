"""What the commands have in common that add to a table: who records, retries, expected versions, trying it out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from ledger.cli.import_ import recorder_option

Command = TypeVar("Command", bound=Callable[..., Any])


def writing_options(command: Command) -> Command:
    """`--by`, `--id`, `--expected-version`, `--dry-run`; the command gets them as keywords."""
    for option in (
        click.option("--dry-run", is_flag=True, help="Show what would change; record nothing."),
        click.option("--expected-version", type=click.IntRange(min=1), metavar="V", help="The table's last entry."),
        click.option("--id", metavar="UUID", help="The same id again records nothing twice."),
        recorder_option,
    ):
        command = option(command)
    return command
