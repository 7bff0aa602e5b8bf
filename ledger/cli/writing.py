"""Options of commands that record: the recorder, ids for retries, and dry runs."""

from __future__ import annotations

import getpass
from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from ledger import api
from ledger.cli.errors import wrong_value
from ledger.cli.numbers import WholeNumber
from ledger.errors import MalformedError
from ledger.log.catalogue import phrase
from ledger.names import readable_name


def default_recorder() -> str:
    """Return the login name, or `recorder` if it has none."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "recorder"


def _recorder(context: click.Context, param: click.Parameter, value: str) -> str:
    """Return the name of the recorder if it is legible; raise `UsageError` otherwise."""
    try:
        return readable_name(phrase("form.not_recorder"), value)
    except MalformedError as error:
        raise wrong_value(max(param.opts, key=len), error.said) from None


recorder_option = click.option(
    "--by", "--recorded-by", "recorded_by", metavar="NAME", callback=_recorder,
    default=default_recorder, show_default="your login name", help="The name of the person who records.",
)  # fmt: skip


def writing_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options `--by`, `--id`, `--expected-version` and `--dry-run`; the command receives them as one
    `Recording`.
    """

    @wraps(command)
    def with_recording(
        *args: Any, recorded_by: str, id: str | None, expected_version: int | None, dry_run: bool, **given: Any
    ) -> Any:
        how = api.Recording(by=recorded_by, id=id, expected_version=expected_version, dry_run=dry_run)
        return command(*args, recording=how, **given)

    for option in (
        click.option("--dry-run", is_flag=True, help="Show what would change; record nothing."),
        click.option(
            "--expected-version",
            type=WholeNumber(1),
            metavar="V",
            help="The version of the last entry that you know; rejected if there is a newer one.",
        ),
        click.option(
            "--id",
            metavar="UUID",
            help="An id for this entry; repeating the command with the same id records it only once.",
        ),
        recorder_option,
    ):
        with_recording = option(with_recording)
    return with_recording
