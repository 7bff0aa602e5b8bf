"""The command `players`: who stands in the record, and which name is shown for whom."""

from __future__ import annotations

from difflib import get_close_matches

import click
from msgspec import Struct
from rich.table import Table

from ledger.cli.output import console, format_option, print_json, say
from ledger.cli.state import CliState
from ledger.errors import ConflictError, NotFoundError
from ledger.log import open_store
from ledger.log.display_names import checked_display_name
from ledger.table.lookup import players_of


class PlayerRow(Struct, frozen=True, kw_only=True):
    """One player of the record, `name` being what is shown instead; `tables` is the number sat at."""

    player: str
    name: str | None
    tables: int


@click.command()
@click.argument("player", required=False)
@click.option("--name", help="Show this name for PLAYER.")
@click.option("--forget", is_flag=True, help="Erase the name shown for PLAYER.")
@format_option
@click.pass_obj
def players(state: CliState, player: str | None, name: str | None, forget: bool, form: str) -> None:
    """List the players of the record, or say which name is shown for PLAYER.

    The record can never be changed, so keep it under handles (p17, anna) where that matters. Text shows the name set
    here in the place of the handle; JSON, statistics in SQL and exports keep the handle. A name can be erased from the
    file, and the record stays sound.

    Example: trickledger players p17 --name "Anna Nowak"
    """
    if (player is None) != (name is None and not forget) or (name is not None and forget):
        raise click.UsageError("Give a PLAYER with --name or --forget, or none of them for the list.")
    if player is not None and name is not None:
        _check(state, player, name)
        with open_store(state.ledger_path) as store:
            store.set_display_name(player, name)
    elif player is not None:
        with open_store(state.ledger_path) as store:
            store.erase_display_name(player)
    rows = [row for row in _rows(state) if player in (None, row.player)]
    if form == "json":
        print_json(rows)
    elif not rows:
        say("No player yet. Record a table: trickledger import FILE" if player is None else f"Erased: {player}")
    else:
        shown = Table("player", "name shown", "tables", box=None, pad_edge=False)
        for row in rows:
            shown.add_row(row.player, row.name or "–", str(row.tables))
        console().print(shown)


def _rows(state: CliState) -> list[PlayerRow]:
    with state.store() as store:
        names, tables = store.display_names(), players_of(store)
    known = sorted(tables.keys() | names.keys())
    return [PlayerRow(player=player, name=names.get(player), tables=tables.get(player, 0)) for player in known]


def _check(state: CliState, player: str, name: str) -> None:
    """A name for somebody whom the record does not know would never be shown; one that is another's misleads."""
    with state.store() as store:
        known = players_of(store)
    if player not in known:
        close = get_close_matches(player, known, 1)
        hint = f"perhaps {close[0]}" if close else "trickledger players lists them"
        raise NotFoundError(f"the record has no player {player}; {hint}")
    if name != player and name in known:
        raise ConflictError(f"the record has another player {name}; nothing was changed: choose another name")
    checked_display_name(name)  # before the ledger is opened to write: where that fails, too, this is the first to mend
