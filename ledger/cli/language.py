"""Choose the language and the time zone of answers: options before or after the command, else the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Final

import click

from ledger.errors import UsageError
from ledger.i18n import LANGUAGES, phrases

phrase: Final = phrases("ledger.cli")

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
