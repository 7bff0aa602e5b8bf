"""In which language a command answers: `--lang` before or after it, else the environment."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

import click
from msgspec import structs

from ledger.i18n import LANGUAGES

Command = TypeVar("Command", bound=Callable[..., Any])

VARIABLE: Final = "TRICKLEDGER_LANG"
_LOCALE: Final = ("LC_ALL", "LC_MESSAGES", "LANG")
"""In this order the locale of messages is looked up (POSIX): the first that says anything counts."""


def language_of_locale(environment: Mapping[str, str] = os.environ) -> str:
    """The language that the locale names, where there are messages in it; else English."""
    locale = next((environment[name] for name in _LOCALE if environment.get(name)), "")
    return next((lang for lang in LANGUAGES if locale.startswith(lang)), next(iter(LANGUAGES)))


def language_option(command: Command) -> Command:
    """`--lang` after the command, too; it is hidden in the help, because it stands in that of the program."""
    return click.option(
        "--lang",
        type=click.Choice(list(LANGUAGES)),
        expose_value=False,
        hidden=True,
        callback=_answer_in,
        is_eager=True,
    )(command)


def _answer_in(context: click.Context, param: click.Parameter, lang: str | None) -> None:
    """From here on the whole program speaks this language, also where it tells an error."""
    from ledger.cli.state import CliState  # it knows the stores, which the list of all commands does not need

    if lang is not None and isinstance(context.obj, CliState):
        context.find_root().obj = context.obj = structs.replace(context.obj, lang=lang)
