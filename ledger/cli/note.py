"""The command `note`: writes down a remark, at a table or about a session."""

from __future__ import annotations

import click

from ledger import api
from ledger.cli.completion import player_names, table_or_session_names
from ledger.cli.errors import wrong_use
from ledger.cli.language import telling_options
from ledger.cli.output import format_option, print_json, show
from ledger.cli.state import CliState
from ledger.cli.writing import show_added, writing_options
from ledger.table.lookup import SESSION_PREFIX
from ledger.text.changes import note_text, session_text


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
    if table.startswith(SESSION_PREFIX):
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
    show_added(added, note_text, form, state.lang)


def _note_session(state: CliState, session: str, text: str, recording: api.Recording, form: str) -> None:
    with state.store() as store:
        added = api.note_session(store, session, text, recording=recording)
    if form == "json":
        print_json(added)
    else:
        show(session_text(added, state.lang))
