"""The command `token`."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any, Final

import click

from ledger import api
from ledger.access.base import Issued
from ledger.access.grants import ROLES
from ledger.cli.completion import table_names, token_ids
from ledger.cli.errors import wrong_use, wrong_value
from ledger.cli.language import phrase
from ledger.cli.numbers import WholeNumber
from ledger.cli.output import check_output, output_file, say
from ledger.cli.state import CliState, command
from ledger.log.append_rules import timestamp
from ledger.log.base import utc_now
from ledger.text.catalogue import label
from ledger.text.service import clock_ahead_text, issued_text, tokens_text
from ledger.zones import moment_text, zone_named

_UNITS: Final = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_WHILE: Final = re.compile(r"([0-9]{1,6})([mhdw])", re.ASCII)
_HOUR: Final = re.compile(r"([01]?[0-9]|2[0-3]):([0-5][0-9])", re.ASCII)


def end_of_validity(option: str, text: str, now: datetime, tz: str | None) -> datetime:
    """Return the time of expiry for `90d` from now, the next `22:00`, the end of `2026-12-31`, or `2026-12-31T22:00`.

    The time zone is `tz`, else that of this machine. Raise `UsageError` for another text.
    """
    zone = None if tz is None else zone_named(tz)
    try:
        if (typed := _WHILE.fullmatch(text)) is not None:
            return now + timedelta(**{_UNITS[typed[2]]: int(typed[1])})
        here = now.astimezone(zone)
        if (typed := _HOUR.fullmatch(text)) is not None:
            at = time(int(typed[1]), int(typed[2]))
            return next(end for day in (0, 1) if (end := _at(here.date() + timedelta(days=day), at, here)) > now)
        if "T" not in text and " " not in text:
            return _at(date.fromisoformat(text) + timedelta(days=1), time(), here)
        moment = datetime.fromisoformat(text)
        return moment if moment.tzinfo is not None else _at(moment.date(), moment.time(), here)
    except (ValueError, OverflowError):
        raise wrong_value(option, phrase("usage.no_end", text=text)) from None


def _at(day: date, at: time, here: datetime) -> datetime:
    """Return a day and time in the zone of `here`."""
    return datetime.combine(day, at, here.tzinfo).astimezone(UTC)


_ON_SCREEN: Final = "-"
_LINKED: Final = ("url", "qr", "overwrite")
_TAKEN: Final = {
    "add": ("role", "table", "seat", "hands", "may_open", "expires", *_LINKED),
    "code": ("role", "table", "may_open", "until", *_LINKED),
    "list": (),
    "revoke": (),
    "reset-clock": (),
}
"""The options that each action takes."""

_NEEDED: Final = {"add": ("role",), "code": ("table", "until")}
_PICTURES: Final = ("svg", "png")


@command()
@click.argument("action", type=click.Choice(list(_TAKEN)), metavar="|".join(_TAKEN))
@click.argument("id", required=False, shell_complete=token_ids)
@click.option("--role", type=click.Choice(ROLES), help="The role; each role includes the ones before it.")
@click.option(
    "--table", multiple=True, shell_complete=table_names, help="Limit it to TABLE; repeatable. Default: all tables."
)
@click.option("--seat", type=WholeNumber(0), help="Limit it to this seat (from 0) of its one table.")
@click.option("--hands", is_flag=True, help="Allow it to see hidden hands.")
@click.option("--may-open", is_flag=True, help="Allow a recorder to open tables.")
@click.option(
    "--expires",
    metavar="END",
    help="When it expires: after 90d or 12h, or at the end of a day, e.g. 2026-12-31. Default: never.",
)
@click.option("--until", metavar="END", help="When the code expires: 22:00, 4h, or 2026-01-30T22:00.")
@click.option("--url", help="The address of the service; the answer is then a link for signing in.")
@click.option(
    "--qr",
    is_flag=False,
    flag_value=_ON_SCREEN,
    metavar="[FILE]",
    help="Show the link as a QR code, or write it to FILE (.svg or .png).",
)
@click.option("--overwrite", is_flag=True, help="Replace the file of --qr.")
def token(state: CliState, /, action: str, id: str | None, **given: Any) -> None:
    """Create a token or a table's code for the service, list all of them, or revoke ID.

    \b
    add ID       a token for one person, program or link; it is shown only once
    code [ID]    eight digits for the phones at a table, until a time you set
    list         all tokens and codes, with the day each was last used
    revoke ID    end it, and every session that signed in with it
    reset-clock  trust the machine's clock again after it was wrong

    \b
    trickledger token add table-3 --role recorder --table ombre-1 --expires 1d
    trickledger token add friends --role viewer --url http://192.168.1.20:8750 --qr
    trickledger token code --table ombre-1 --until 22:00
    trickledger token revoke table-3
    """
    options = {name: value for name, value in given.items() if value is not False and value not in (None, ())}
    _check_words(state, action, id, options)
    if action != "reset-clock" and (ahead := api.token_clock_ahead(state.ledger)) is not None:
        say(clock_ahead_text(ahead, state.lang, state.tz), err=True)
    match action:
        case "list":
            rows = api.list_tokens(state.ledger)
            state.print(rows, tokens_text(rows, state.lang, state.tz))
        case "revoke":
            revoked = api.revoke_token(state.ledger, str(id))
            state.print(revoked, [label(state.lang, f"tokens.revoked_{revoked.kind}", id=revoked.id)])
        case "reset-clock":
            rows = api.reset_token_clock(state.ledger)
            reset = label(state.lang, "tokens.clock_reset", moment=moment_text(timestamp(utc_now()), state.tz))
            state.print(rows, [reset, *tokens_text(rows, state.lang, state.tz)])
        case _:
            _give_out(state, action, id, options)


def _give_out(state: CliState, action: str, id: str | None, options: dict[str, Any]) -> None:
    picture = options.pop("qr", None)
    overwrite = options.pop("overwrite", False)
    if picture is not None:
        api.qr_picture("")  # a token is shown only once: fail before it is created
    if picture not in (None, _ON_SCREEN):
        check_output(picture, overwrite=overwrite)
    if "table" in options:
        options["tables"] = options.pop("table")
    issued = _issued(state, action, id, options)
    state.print(issued, issued_text(issued, state.lang, state.tz))
    if picture == _ON_SCREEN:
        for line in api.qr_picture(str(issued.link)).decode().splitlines():
            click.secho(line, fg="black", bg="white")
    elif picture is not None:
        with output_file(picture, overwrite=overwrite) as file:
            file.write(api.qr_picture(str(issued.link), "png" if _form_of(picture) == "png" else "svg"))


def _issued(state: CliState, action: str, id: str | None, options: dict[str, Any]) -> Issued:
    for option in options.keys() & {"expires", "until"}:
        options[option] = end_of_validity(f"--{option}", options[option], utc_now(), state.tz)
    if action == "add":
        return api.add_token(state.ledger, str(id), **options)
    return api.add_code(state.ledger, id, **options)


def _check_words(state: CliState, action: str, id: str | None, options: dict[str, Any]) -> None:
    for name in options:
        if name not in _TAKEN[action]:
            raise wrong_use("fields_of", option=_written(name), action=action)
    for name in _NEEDED.get(action, ()):
        if name not in options:
            raise wrong_use("needs_option", option=_written(name), action=action)
    if action in ("add", "revoke") and id is None:
        raise wrong_use("missing", where="ID")
    if action in ("list", "reset-clock") and id is not None:
        raise wrong_use("too_many", text=id)
    if action == "code" and options.get("role", "recorder") not in ("viewer", "recorder"):
        raise wrong_use("role_of_code")
    if "qr" in options and "url" not in options:
        raise wrong_use("needs_option", option="--url", action="--qr")
    if options.get("qr") == _ON_SCREEN and state.is_json:
        raise wrong_use("qr_on_screen")
    if "qr" in options and options["qr"] != _ON_SCREEN and _form_of(options["qr"]) not in _PICTURES:
        raise wrong_use("no_form", text=options["qr"], known=tuple(f".{form}" for form in _PICTURES))


def _form_of(file: str) -> str:
    return Path(file).suffix.lower().removeprefix(".")


def _written(option: str) -> str:
    return f"--{option.replace('_', '-')}"
