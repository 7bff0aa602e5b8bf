"""Errors of the command line: one line for people or one JSON object, on standard error (contract 5)."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest
from typing import Any, Final

import click
import msgspec

from ledger.cli.language import VARIABLE, language_of_locale, phrase
from ledger.errors import LedgerError, UsageError
from ledger.i18n import LANGUAGES, Text

_CLICKS_WORDS: Final = (
    ("choice", re.compile(r"(?P<text>'.*') is not one of (?P<choices>.*)\.", re.DOTALL)),
    ("no_number", re.compile(r"(?P<text>'.*') is not a valid (?:integer|float|number)\.", re.DOTALL)),
    ("too_small", re.compile(r"(?P<text>.*) is not in the range (?P<least>\S+) or more\.", re.DOTALL)),
    ("out_of_range", re.compile(r"(?P<text>.*) is not in the range (?P<least>\S+) to (?P<most>\S+)\.", re.DOTALL)),
    ("no_date", re.compile(r"(?P<text>'.*') does not match the formats? .*\.", re.DOTALL)),
    ("no_file", re.compile(r"(?:File|Path) (?P<text>'.*') does not exist\.", re.DOTALL)),
    ("is_folder", re.compile(r"(?:File|Path) (?P<text>'.*') is a directory\.", re.DOTALL)),
    ("is_file", re.compile(r"Directory (?P<text>'.*') is a file\.", re.DOTALL)),
    ("too_many", re.compile(r"Got unexpected extra arguments? \((?P<text>.*)\)", re.DOTALL)),
    ("needs_value", re.compile(r"Option '(?P<text>.*)' requires an argument\.", re.DOTALL)),
    ("no_command_given", re.compile(r"Missing command\.")),
    ("takes_no_value", re.compile(r"Option '(?P<text>.*)' does not take a value\.", re.DOTALL)),
)
"""click's sentences about arguments, each with the key of our own; click has no codes for errors."""


def wrong_use(key: str, /, **values: Any) -> UsageError:
    """Return the error for a command used wrongly, with the message of this key."""
    return UsageError("usage", phrase(f"usage.{key}", **values))


def wrong_value(option: str, what: Text) -> UsageError:
    """Return the error for an option whose value is wrong."""
    return UsageError("usage", phrase("usage.value", option=option, what=what), where=option)


def value_of(words: Sequence[str], option: str) -> str | None:
    """Return the value of an option anywhere on the command line, before click has parsed it."""
    value = None
    for word, following in zip_longest(words, words[1:]):
        if word == "--":
            break
        if word == option:
            value = following
        elif word.startswith(f"{option}="):
            value = word.removeprefix(f"{option}=")
    return value


def wants_json(words: Sequence[str]) -> bool:
    """Return whether the arguments ask for JSON."""
    return value_of(words, "--format") == "json"


def requested_language(words: Sequence[str]) -> str:
    """Return the language of the arguments, else of the environment, before click has parsed them."""
    lang = value_of(words, "--lang") or os.environ.get(VARIABLE)
    return lang if lang is not None and lang in LANGUAGES else language_of_locale()


def print_error(
    error: LedgerError,
    lang: str,
    *,
    as_json: bool,
    command: str | None = None,
    file: str | None = None,
    names: Callable[[], Mapping[str, str]] = dict,
) -> None:
    """Print an error on standard error.

    `command`: the command that was used wrongly; its help is suggested. `file`: the file that was read. `names`: the
    display names of handles.
    """
    from ledger.log.people import HANDLE, with_shown_names  # `--help` does not need them
    from ledger.text.layout import visible

    if command is not None and isinstance(error, UsageError) and error.code == "usage":
        error = UsageError("usage", phrase("usage.see_help", what=error.said, command=command), **error.values)
    if not as_json:
        message = error.message(lang)
        if HANDLE.search(message):
            message = with_shown_names(message, names())
        click.echo(visible(f"trickledger: {message}"), err=True)
        return
    answer = error.answer(lang)
    if file is not None and answer.error.file is None:
        answer = msgspec.structs.replace(answer, error=msgspec.structs.replace(answer.error, file=file))
    click.echo(msgspec.json.encode(answer), err=True)


def of_file(error: OSError) -> UsageError:
    """Return the error for a file of the command line that cannot be read or written."""
    from ledger.i18n.library_errors import localised  # few commands meet such an error

    why = localised(error.strerror or error)
    if error.filename is None:
        return UsageError("file", why)
    return UsageError("file", phrase("file_fails", why=why, file=str(error.filename)))


def of_click(error: click.ClickException) -> UsageError:
    """Return click's error about the arguments in our words."""
    known = tuple(getattr(error, "possibilities", None) or ())
    if isinstance(error, click.NoSuchOption):
        return wrong_use("no_option_but" if known else "no_option", text=error.option_name, known=known)
    if (command := getattr(error, "command_name", None)) is not None:
        return wrong_use("no_command_but" if known else "no_command", text=command, known=known)
    if isinstance(error, click.MissingParameter):
        return wrong_use("missing", where=_name_of(error))
    if isinstance(error, click.BadParameter):
        return wrong_value(_name_of(error), _translated(error.message))
    return UsageError("usage", _translated(error.format_message()))


def _name_of(error: click.BadParameter) -> str:
    """Return the option or argument at fault, as typed."""
    if error.param_hint is not None:
        return error.param_hint if isinstance(error.param_hint, str) else " / ".join(error.param_hint)
    if error.param is None:
        return ""
    is_option = isinstance(error.param, click.Option)
    return max(error.param.opts, key=len) if is_option else (error.param.name or "").upper()


def _translated(message: str) -> Text:
    for key, pattern in _CLICKS_WORDS:
        if (match := pattern.fullmatch(message)) is not None:
            return phrase(f"usage.{key}", **{name: part.replace("'", "") for name, part in match.groupdict().items()})
    return message.removesuffix(".")
