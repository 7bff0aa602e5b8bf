"""The command `tables`: lists the tables with their players, deals and totals."""

from __future__ import annotations

import click
from msgspec import Struct
from rich.table import Table

from ledger.cli.output import console, format_option, print_json, say
from ledger.cli.state import CliState
from ledger.table.lookup import ReadAs, fold_tables
from ledger.text.cards import amount_text


class TableRow(Struct, frozen=True, kw_only=True):
    """One table in the list."""

    table: str
    game: str
    session: str | None
    players: list[str]
    deals: int
    closed: bool
    totals: list[int]


@click.command()
@format_option
@click.pass_obj
def tables(state: CliState, form: str) -> None:
    """List the tables with their players, deals and totals."""
    with state.store() as store:
        rows = [
            TableRow(
                table=slug,
                game=fold.game.name,
                session=fold.opened.session,
                players=fold.players,
                deals=len(fold.deals),
                closed=fold.is_closed,
                totals=fold.match.totals,
            )
            for slug, fold in fold_tables(store, ReadAs(names=state.names_for(form)))
        ]
    if form == "json":
        print_json(rows)
        return
    if not rows:
        say("No table yet. Record one: trickledger import FILE")
        return
    shown = Table("table", "game", "session", "players and totals", "deals", "", box=None, pad_edge=False)
    for row in rows:
        players = ", ".join(f"{name} {amount_text(total)}" for name, total in zip(row.players, row.totals, strict=True))
        state_of = "closed" if row.closed else "open"
        shown.add_row(row.table, row.game, row.session or "–", players, str(row.deals), state_of)
    console().print(shown)
