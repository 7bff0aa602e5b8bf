"""The commands `session`, `seat`, `close`, `open-hands` and `note`, each of which adds one entry."""

from __future__ import annotations

from typing import Any, Final

import click

from ledger import api
from ledger.cli.completion import (
    player_names,
    recorded_player_names,
    session_names,
    table_names,
    table_or_session_names,
)
from ledger.cli.errors import wrong_use
from ledger.cli.language import phrase
from ledger.cli.numbers import WholeNumber
from ledger.cli.state import CliState, command
from ledger.cli.writing import recorder_option, writing_options
from ledger.errors import UsageError, listed
from ledger.log.base import LogStore, utc_now
from ledger.streams import SESSION
from ledger.text.changes import added_text, session_text
from ledger.text.lists import opened_text
from ledger.zones import zone_named


@command()
@click.argument("table", shell_complete=table_names)
@click.argument("seat", metavar="SEAT|NAME", shell_complete=player_names)
@click.argument("player", shell_complete=recorded_player_names)
@writing_options
def seat(state: CliState, table: str, seat: str, player: str, recording: api.Recording) -> None:
    """Seat PLAYER at TABLE in place of another player, between two deals.

    Earlier deals count for those who played them. `correct` undoes the substitution:

    \b
    trickledger seat ombre-1 Baron Clarissa
    trickledger correct ombre-1 strike --last --reason "the Baron came back"
    """
    with state.store() as store:
        names = state.names(store)
        added = api.seat(store, table, seat, player, recording=recording, names=names, lang=state.lang)
    state.print(added.answer(), added_text(added, state.lang))


@command()
@click.argument("table", shell_complete=table_names)
@click.option("--reason", help="Why the table ends.")
@writing_options
def close(state: CliState, table: str, reason: str | None, recording: api.Recording) -> None:
    """Close TABLE: no more deals are played, and the final payments are made.

    A deal in progress stays unfinished. `correct` undoes the closing:

    \b
    trickledger close ombre-1
    trickledger correct ombre-1 strike --last --reason "they play on"
    """
    with state.store() as store:
        names = state.names(store)
        added = api.close_table(store, table, reason=reason, recording=recording, names=names, lang=state.lang)
    state.print(added.answer(), added_text(added, state.lang))


@command()
@click.argument("tables", nargs=-1, metavar="[TABLE]...", shell_complete=table_names)
@click.option("--dry-run", is_flag=True, help="Show what would be opened; record nothing.")
@recorder_option
def open_hands(state: CliState, tables: tuple[str, ...], dry_run: bool, recorded_by: str) -> None:
    """Show everybody the hands of finished deals that are still hidden, at TABLE or at all tables.

    The service hides the hands of a deal that ended before its last card (voided, conceded, thrown in …) until a later
    deal is played to its end, or its table or session is closed. Ledgers of old versions may hide such deals forever.

    \b
    trickledger open-hands --dry-run
    trickledger open-hands kop-3
    """
    with state.store() as store:
        opened = api.open_hands(store, tables, recording=api.Recording(by=recorded_by, dry_run=dry_run))
    state.print(opened, opened_text(opened, state.lang, is_tried=dry_run))


@command()
@click.argument("table", metavar="TABLE|session/SESSION", shell_complete=table_or_session_names)
@click.argument("text")
@click.option(
    "--player",
    "--seat",
    "player",
    metavar="NAME|SEAT",
    help="The player that the note is about.",
    shell_complete=player_names,
)
@click.option("--version", type=WholeNumber(1), metavar="V", help="The version of the entry that the note is about.")
@click.option("--deal", type=WholeNumber(1), help="The deal of the entry that the note is about; goes with --step.")
@click.option("--step", type=WholeNumber(1), help="The step of the entry, as `replay` shows it.")
@writing_options
def note(
    state: CliState,
    table: str,
    text: str,
    player: str | None,
    version: int | None,
    deal: int | None,
    step: int | None,
    recording: api.Recording,
) -> None:
    """Add a note to TABLE, to one of its entries or players, or to a session (session/SESSION).

    \b
    trickledger note ombre-1 "the lamp went out" --deal 2 --step 14
    trickledger note session/friday "the cup was handed over"
    """
    about = {"--player": player, "--version": version, "--deal": deal, "--step": step}
    if SESSION.has(table):
        for option, value in about.items():
            if value is not None:
                raise wrong_use("note_in_session", option=option)
        with state.store() as store:
            state.warn_of_names(store, text)
            noted = api.note_session(store, table, text, recording=recording)
        state.print(noted, session_text(noted, state.lang))
        return
    if (deal is None) != (step is None):
        raise wrong_use("deal_and_step")
    if version is not None and step is not None:
        raise wrong_use("version_or_step")
    with state.store() as store:
        state.warn_of_names(store, text)
        added = api.note(
            store,
            table,
            text,
            deal=deal,
            step=step,
            version=version,
            player=player,
            recording=recording,
            names=state.names(store),
            lang=state.lang,
        )
    state.print(added.answer(), added_text(added, state.lang))


_FIELDS: Final = ("title", "date", "club", "place", "zone")
_TAKEN: Final = {
    "open": _FIELDS,
    "amend": (*_FIELDS, "reason"),
    "close": ("confirm",),
    "reopen": ("reason",),
}
"""The options that each action takes."""

_NEEDED: Final = {"open": "title", "amend": "reason", "reopen": "reason"}


@command()
@click.argument("action", type=click.Choice(list(_TAKEN)))
@click.argument("session", shell_complete=session_names)
@click.option("--title", help="The title of the evening.")
@click.option(
    "--date",
    type=click.DateTime(["%Y-%m-%d"]),
    metavar="DATE",
    help="The day of the evening; default when opening: today.",
)
@click.option("--club", help="The club that holds it.")
@click.option("--place", help="The place where it is held.")
@click.option("--zone", help="The time zone in which its times are shown, e.g. Asia/Tokyo.")
@click.option("--reason", help="Why the session is amended or reopened.")
@click.option("--confirm", is_flag=True, help="Close the session even if some of its tables are open.")
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
    open    open a new one           --title, --date, --club, --place, --zone
    amend   change these fields      the same, and --reason; "" empties a field
    close   no more tables will come --confirm
    reopen  continue it after all    --reason

    \b
    trickledger session open friday --title "Friday evening" --place Leiden
    trickledger session amend friday --place Utrecht --reason "typed wrongly"
    trickledger session close friday
    """
    fields = {name: value for name, value in given.items() if value not in (None, False)}
    _check_options(action, fields)
    if fields.get("date") is not None:
        fields["date"] = fields["date"].date()
    with state.store() as store:
        try:
            added = _recorded(state, store, action, session, fields, recording)
        except UsageError as refused:
            known = refused.values.get("known", ())
            if refused.code != "confirm_required" or not state.confirms(phrase("close_anyway", tables=listed(known))):
                raise
            added = _recorded(state, store, action, session, {"confirm": True}, recording)
    state.print(added, session_text(added, state.lang))


def _check_options(action: str, fields: dict[str, Any]) -> None:
    for name in fields:
        if name not in _TAKEN[action]:
            raise wrong_use("fields_of", option=f"--{name}", action=action)
    if (needed := _NEEDED.get(action)) is not None and needed not in fields:
        raise wrong_use("needs_option", option=f"--{needed}", action=action)
    if action == "amend" and not fields.keys() & set(_FIELDS):
        raise wrong_use("amend_what")


def _recorded(
    state: CliState, store: LogStore, action: str, session: str, fields: dict[str, Any], recording: api.Recording
) -> api.SessionAddition:
    state.warn_of_names(store, *map(fields.get, ("title", "club", "place", "reason")))
    match action:
        case "open":
            zone = zone_named(state.tz or fields.get("zone", ""))
            today = utc_now().astimezone(zone).date()
            return api.open_session(store, session, **{"date": today, **fields}, recording=recording)
        case "amend":
            return api.amend_session(store, session, **fields, recording=recording)
        case "close":
            return api.close_session(store, session, **fields, recording=recording)
        case _:
            return api.reopen_session(store, session, **fields, recording=recording)
