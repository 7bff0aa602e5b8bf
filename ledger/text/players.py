"""The list of players, and which name is shown for whom."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ledger.table.listing import PlayerRow
from ledger.text.layout import Part, table_headed


def players_text(rows: Sequence[PlayerRow], asked: str | None) -> Iterator[Part]:
    """A row a player; of the one `asked` for nothing may be left, once the name is erased."""
    if not rows:
        yield "No player yet. Record a table: trickledger import FILE" if asked is None else f"Erased: {asked}"
        return
    shown = table_headed("player", "name shown", "tables")
    for row in rows:
        shown.add_row(row.player, row.name or "–", str(row.tables))
    yield shown
