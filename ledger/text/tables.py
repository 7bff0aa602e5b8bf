"""The list of tables: who sat there, and how they stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ledger.games import game_named
from ledger.table.listing import TableRow
from ledger.text.cards import standing_text
from ledger.text.layout import Part, table_headed
from ledger.text.words import label, word


def tables_text(rows: Sequence[TableRow], lang: str, *, is_filtered: bool = False) -> Iterator[Part]:
    """A row a table."""
    if not rows:
        yield label(lang, "tables.none_fits" if is_filtered else "tables.none_yet")
        return
    heads = (label(lang, f"tables.{name}") for name in ("table", "game", "session", "players", "deals"))
    shown = table_headed(*heads, "")
    for row in rows:
        players = standing_text(row.totals, row.players, row.points, lang)
        state = label(lang, f"tables.{row.state}")
        game = word(game_named(row.game).package, row.game, lang)
        shown.add_row(row.table, game, row.session or "–", players, str(row.deals), state)
    yield shown
