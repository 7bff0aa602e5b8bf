"""The list of players, and which name is shown for whom."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ledger.table.listing import PlayerRow
from ledger.text.layout import Part, table_headed
from ledger.text.words import label


def players_text(rows: Sequence[PlayerRow], asked: str | None, lang: str) -> Iterator[Part]:
    """A row a player; of the one `asked` for nothing may be left, once the name is erased."""
    if not rows:
        none = label(lang, "players.none_yet")
        yield none if asked is None else label(lang, "players.erased", player=asked)
        return
    shown = table_headed(*(label(lang, f"players.{name}") for name in ("player", "name", "tables")))
    for row in rows:
        shown.add_row(row.player, row.name or "–", str(row.tables))
    yield shown
