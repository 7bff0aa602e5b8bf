"""Run `seat`, `close`, `open-hands` and `note`: short commands that add an entry to a table."""

from __future__ import annotations

import click

from ledger import api
from ledger.cli.completion import player_names, recorded_player_names, table_names, table_or_session_names
from ledger.cli.errors import wrong_use
from ledger.cli.language import telling_options
from ledger.cli.output import format_option, print_answer
from ledger.cli.state import CliState
from ledger.cli.writing import recorder_option, show_added, writing_options
from ledger.streams import SESSION
from ledger.text.changes import session_text
from ledger.text.lists import opened_text


@click.command()
@click.argument("table", shell_complete=table_names)
@click.argument("seat", metavar="SEAT|NAME", shell_complete=player_names)
@click.argument("player", shell_complete=recorded_player_names)
@writing_options
@format_option
@telling_options
@click.pass_obj
def seat(state: CliState, table: str, seat: str, player: str, recording: api.Recording, form: str) -> None:
    """Seat PLAYER at TABLE for the player in that seat, between two deals.

    Deals played before count for those who played them. `correct` takes the substitution back:

    \b
    trickledger seat ombre-1 Baron Clarissa
    trickledger correct ombre-1 strike --last --reason "the Baron came back"
    """
    with state.store() as store:
        names = state.names_for(form, store)
        added = api.seat(store, table, seat, player, recording=recording, names=names, lang=state.lang)
    show_added(added, form, state.lang)


@click.command()
@click.argument("table", shell_complete=table_names)
@click.option("--reason", help="Why it ends, where that is worth a word.")
@writing_options
@format_option
@telling_options
@click.pass_obj
def close(state: CliState, table: str, reason: str | None, recording: api.Recording, form: str) -> None:
    """Close TABLE: nothing more is played at it, and what its end pays out is paid.

    A deal in progress stays unfinished. `correct` takes the closing back:

    \b
    trickledger close ombre-1
    trickledger correct ombre-1 strike --last --reason "they play on"
    """
    with state.store() as store:
        names = state.names_for(form, store)
        added = api.close_table(store, table, reason=reason, recording=recording, names=names, lang=state.lang)
    show_added(added, form, state.lang)


@click.command()
@click.argument("tables", nargs=-1, metavar="[TABLE]...", shell_complete=table_names)
@click.option("--dry-run", is_flag=True, help="Show what would be opened; record nothing.")
@recorder_option
@format_option
@telling_options
@click.pass_obj
def open_hands(state: CliState, tables: tuple[str, ...], dry_run: bool, recorded_by: str, form: str) -> None:
    """Show everybody the hands of deals that are over at TABLE, or at all tables, and hidden still.

    The service hides the hands of a deal that ended before its last card (voided, conceded, thrown in …) until a later
    deal is played to its end, or its table or session is closed; ledgers of old versions may hold such deals for good.

    \b
    trickledger open-hands --dry-run
    trickledger open-hands kop-3
    """
    with state.store() as store:
        opened = api.open_hands(store, tables, recording=api.Recording(by=recorded_by, dry_run=dry_run))
    print_answer(opened, opened_text(opened, state.lang, is_tried=dry_run), form)


@click.command()
@click.argument("table", metavar="TABLE|session/SESSION", shell_complete=table_or_session_names)
@click.argument("text")
@click.option("--player", "--seat", "player", metavar="NAME|SEAT", help="About whom.", shell_complete=player_names)
@click.option("--version", type=click.IntRange(min=1), metavar="V", help="About the entry of this version.")
@click.option("--deal", type=click.IntRange(min=1), help="About an entry, by its deal and step.")
@click.option("--step", type=click.IntRange(min=1), help="The step as `replay` shows it.")
@writing_options
@format_option
@telling_options
@click.pass_obj
def note(
    state: CliState,
    table: str,
    text: str,
    player: str | None,
    version: int | None,
    deal: int | None,
    step: int | None,
    recording: api.Recording,
    form: str,
) -> None:
    """Note TEXT at TABLE, about an entry or a player if you like; session/SESSION notes it about a session.

    \b
    trickledger note ombre-1 "the lamp went out" --deal 2 --step 14
    trickledger note session/friday "the cup was handed over"
    """
    about = {"--player": player, "--version": version, "--deal": deal, "--step": step}
    if SESSION.has(table):
        for option, value in about.items():
            if value is not None:
                raise wrong_use("note_in_session", option=option)
        _note_session(state, table, text, recording, form)
        return
    if (deal is None) != (step is None):
        raise wrong_use("deal_and_step")
    if version is not None and step is not None:
        raise wrong_use("version_or_step")
    with state.store() as store:
        added = api.note(
            store,
            table,
            text,
            deal=deal,
            step=step,
            version=version,
            player=player,
            recording=recording,
            names=state.names_for(form, store),
            lang=state.lang,
        )
    show_added(added, form, state.lang)


def _note_session(state: CliState, session: str, text: str, recording: api.Recording, form: str) -> None:
    with state.store() as store:
        added = api.note_session(store, session, text, recording=recording)
    print_answer(added, session_text(added, state.lang), form)
