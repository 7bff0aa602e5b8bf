"""Language and time zone of answers: from options before or after the command, else from the environment."""

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
"""The variables of the message locale in POSIX order of precedence."""


def language_of_locale(environment: Mapping[str, str] = os.environ) -> str:
    """Return the language of the locale if there is a catalogue for it, else English."""
    locale = next((environment[name] for name in _LOCALE if environment.get(name)), "")
    return next((lang for lang in LANGUAGES if locale.startswith(lang)), next(iter(LANGUAGES)))


def known_zone(context: click.Context, param: click.Parameter, tz: str | None) -> str | None:
    """Return the value of `--tz`; raise `UsageError` if it is not a time zone."""
    from ledger.zones import zone_named  # `--help` does not need it

    if tz is not None and zone_named(tz) is None:
        what = phrase("usage.no_zone", text=tz)
        raise UsageError("usage", phrase("usage.value", option="--tz", what=what), where="--tz")
    return tz
