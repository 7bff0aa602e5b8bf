"""The list of tables: who sat there, and how they stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ledger.table.listing import TableRow
from ledger.text.cards import amounts_text
from ledger.text.layout import Part, table_headed


def tables_text(rows: Sequence[TableRow]) -> Iterator[Part]:
    """A row a table."""
    if not rows:
        yield "No table yet. Record one: trickledger import FILE"
        return
    shown = table_headed("table", "game", "session", "players and totals", "deals", "")
    for row in rows:
        players, state = amounts_text(row.totals, row.players), "closed" if row.closed else "open"
        shown.add_row(row.table, row.game, row.session or "–", players, str(row.deals), state)
    yield shown
