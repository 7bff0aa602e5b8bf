"""The list of players: which name is shown for whom, which spellings are one person, and who is hidden."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ledger.names import name_key
from ledger.table.listing import PlayerRow
from ledger.table.people import LinkRow
from ledger.text.layout import Part, table_headed
from ledger.text.words import label

_NOTHING = "–"


def players_text(rows: Sequence[PlayerRow], asked: str | None, lang: str) -> Iterator[Part]:
    """A row a player; of the one `asked` for nothing may be left, once the name is erased."""
    if not rows:
        none = label(lang, "players.none_yet")
        yield none if asked is None else label(lang, "players.erased", player=asked)
        return
    heads = ["player", "name", "tables"]
    if any(row.spellings for row in rows):
        heads.append("spellings")
    if any(row.hidden for row in rows):
        heads.append("hidden")
    shown = table_headed(*(label(lang, f"players.{head}") for head in heads))
    for row in sorted(rows, key=lambda row: name_key(row.player, lang)):
        cells = {
            "player": row.player,
            "name": row.name or _NOTHING,
            "tables": str(row.tables),
            "spellings": _listed(row.spellings, lang),
            "hidden": label(lang, "players.is_hidden") if row.hidden else _NOTHING,
        }
        shown.add_row(*(cells[head] for head in heads))
    yield shown


def links_text(rows: Sequence[LinkRow], lang: str) -> Iterator[Part]:
    """A row a link, with the tables at which it does not count, where there are any."""
    if not rows:
        yield label(lang, "players.no_link")
        return
    heads = ["spelling", "linked_to", "person"]
    if any(row.apart for row in rows):
        heads.append("apart")
    shown = table_headed(*(label(lang, f"players.{head}") for head in heads))
    for row in rows:
        shown.add_row(row.spelling, row.player, row.person, *([_listed(row.apart, lang)] if "apart" in heads else []))
    yield shown


def _listed(names: Sequence[str], lang: str) -> str:
    return label(lang, "list").join(names) or _NOTHING
