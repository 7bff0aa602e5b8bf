"""The list of tables: who sat there, and how they stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ledger.table.listing import TableRow
from ledger.text.cards import amounts_text
from ledger.text.layout import Part, table_headed
from ledger.text.words import label


def tables_text(rows: Sequence[TableRow], lang: str) -> Iterator[Part]:
    """A row a table."""
    if not rows:
        yield label(lang, "tables.none_yet")
        return
    heads = (label(lang, f"tables.{name}") for name in ("table", "game", "session", "players", "deals"))
    shown = table_headed(*heads, "")
    for row in rows:
        players = amounts_text(row.totals, row.players, lang)
        state = label(lang, "tables.closed" if row.closed else "tables.open")
        shown.add_row(row.table, row.game, row.session or "–", players, str(row.deals), state)
    yield shown
