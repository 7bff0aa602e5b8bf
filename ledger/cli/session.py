"""The command `session`: opens an evening, changes what it says of itself, closes and reopens it."""

from __future__ import annotations

import sys
from typing import Any, Final

import click

from ledger import api
from ledger.cli.completion import session_names
from ledger.cli.errors import wrong_use
from ledger.cli.language import phrase
from ledger.cli.output import say
from ledger.cli.state import CliState, command
from ledger.cli.writing import writing_options
from ledger.errors import UsageError, listed
from ledger.log.base import LogStore, utc_now
from ledger.text.changes import session_text
from ledger.zones import zone_named

_FIELDS: Final = ("title", "date", "club", "place", "zone")
_TAKEN: Final = {
    "open": _FIELDS,
    "amend": (*_FIELDS, "reason"),
    "close": ("confirm",),
    "reopen": ("reason",),
}
"""Which options go with which action."""

_NEEDED: Final = {"open": "title", "amend": "reason", "reopen": "reason"}
_YES: Final = ("y", "yes", "はい")


@command()
@click.argument("action", type=click.Choice(list(_TAKEN)))
@click.argument("session", shell_complete=session_names)
@click.option("--title", help="What the evening is called.")
@click.option("--date", type=click.DateTime(["%Y-%m-%d"]), metavar="DATE", help="Its day; opened without: today.")
@click.option("--club", help="Whose evening it is.")
@click.option("--place", help="Where it is.")
@click.option("--zone", help="Its time zone (as Asia/Tokyo), in which its times are shown.")
@click.option("--reason", help="Why it is amended or reopened.")
@click.option("--confirm", is_flag=True, help="Close it although tables of it are open.")
@writing_options
def session(
    state: CliState,
    /,
    action: str,
    session: str,
    recording: api.Recording,
    **given: Any,
) -> None:
    """Open, amend, close or reopen SESSION, an evening with its tables.

    \b
    open    a new one              --title, --date, --club, --place, --zone
    amend   what it says of itself the same, and --reason; "" empties a field
    close   no table is to come    --confirm
    reopen  it goes on after all   --reason

    \b
    trickledger session open friday --title "Friday evening" --place Leiden
    trickledger session amend friday --place Utrecht --reason "typed wrongly"
    trickledger session close friday
    """
    told = {name: value for name, value in given.items() if value not in (None, False)}
    _check_options(action, told)
    if told.get("date") is not None:
        told["date"] = told["date"].date()
    with state.store() as store:
        try:
            added = _recorded(state, store, action, session, told, recording)
        except UsageError as refused:
            if not _is_meant(state, refused):
                raise
            added = _recorded(state, store, action, session, {"confirm": True}, recording)
    state.print(added, session_text(added, state.lang))


def _check_options(action: str, told: dict[str, Any]) -> None:
    for name in told:
        if name not in _TAKEN[action]:
            raise wrong_use("fields_of", option=f"--{name}", action=action)
    if (needed := _NEEDED.get(action)) is not None and needed not in told:
        raise wrong_use("needs_option", option=f"--{needed}", action=action)
    if action == "amend" and not told.keys() & set(_FIELDS):
        raise wrong_use("amend_what")


def _recorded(
    state: CliState, store: LogStore, action: str, session: str, told: dict[str, Any], recording: api.Recording
) -> api.SessionAddition:
    match action:
        case "open":
            zone = zone_named(state.tz or told.get("zone", ""))
            today = utc_now().astimezone(zone).date()
            return api.open_session(store, session, **{"date": today, **told}, recording=recording)
        case "amend":
            return api.amend_session(store, session, **told, recording=recording)
        case "close":
            return api.close_session(store, session, **told, recording=recording)
        case _:
            return api.reopen_session(store, session, **told, recording=recording)


def _is_meant(state: CliState, refused: UsageError) -> bool:
    """Whether somebody at a terminal says that the session shall be closed although tables of it are open."""
    if refused.code != "confirm_required" or state.is_json or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    question = phrase("close_anyway", tables=listed(refused.values["known"]))
    say(question.in_words(state.lang), nl=False, err=True)
    return sys.stdin.readline().strip().casefold() in _YES
