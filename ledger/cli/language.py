"""Choose the language and the time zone of answers: options before or after the command, else the environment."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

import click
from msgspec import structs

from ledger.errors import UsageError
from ledger.i18n import LANGUAGES, phrases

phrase: Final = phrases("ledger.cli")


Command = TypeVar("Command", bound=Callable[..., Any])

VARIABLE: Final = "TRICKLEDGER_LANG"
_LOCALE: Final = ("LC_ALL", "LC_MESSAGES", "LANG")
"""In this order the locale of messages is looked up (POSIX): the first that says anything counts."""


def language_of_locale(environment: Mapping[str, str] = os.environ) -> str:
    """The language that the locale names, where there are messages in it; else English."""
    locale = next((environment[name] for name in _LOCALE if environment.get(name)), "")
    return next((lang for lang in LANGUAGES if locale.startswith(lang)), next(iter(LANGUAGES)))


def known_zone(context: click.Context, param: click.Parameter, tz: str | None) -> str | None:
    """The value of `--tz`; raises `UsageError` where it names no zone."""
    from ledger.zones import zone_named  # the list of all commands asks for none

    if tz is not None and zone_named(tz) is None:
        what = phrase("usage.no_zone", text=tz)
        raise UsageError("usage", phrase("usage.value", option="--tz", what=what), where="--tz")
    return tz


def telling_options(command: Command) -> Command:
    """`--lang` and `--tz` after the command, too; hidden in its help, because they stand in that of the program."""
    lang = click.option(
        "--lang",
        type=click.Choice(list(LANGUAGES)),
        expose_value=False,
        hidden=True,
        callback=lambda context, param, lang: _from_here_on(context, lang=lang),
        is_eager=True,
    )
    tz = click.option(
        "--tz",
        expose_value=False,
        hidden=True,
        callback=lambda context, param, tz: _from_here_on(context, tz=known_zone(context, param, tz)),
    )
    return lang(tz(command))


def _from_here_on(context: click.Context, **asked: str | None) -> None:
    """The whole program answers so, also where it tells an error."""
    from ledger.cli.state import CliState  # it knows the stores, which the list of all commands does not need

    told = {name: value for name, value in asked.items() if value is not None}
    if told and isinstance(context.obj, CliState):
        context.find_root().obj = context.obj = structs.replace(context.obj, **told)
