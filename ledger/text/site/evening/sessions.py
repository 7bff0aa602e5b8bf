"""List evenings: those being played now with their tables, and all others with their winners."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from ledger.reports.rankings import Leaders
from ledger.text.catalogue import label
from ledger.text.site.evening.ranking import points_text
from ledger.text.site.evening.read_out import names_text, spoken_points
from ledger.text.site.listing import TableListing


class SessionRow(Struct, frozen=True, kw_only=True):
    """An evening in the list. `leaders`: who has won or leads, with the points; empty before the first result."""

    session: str
    title: str
    date: str
    place: str
    is_closed: bool
    tables: int
    players: int
    leaders: str
    points: str


class PlayedNow(Struct, frozen=True, kw_only=True):
    """An evening that is being played, with its tables."""

    session: str
    title: str
    about: str
    tables: Sequence[TableListing]


def session_row(row: Mapping[str, Any], leaders: Leaders | None, lang: str) -> SessionRow:
    """Return the row of an evening. `row`: from the list of sessions; `leaders`: None before the first result."""
    points = leading = ""
    if leaders is not None and leaders.first:
        leading = names_text([rank.player for rank in leaders.first], lang)
        first, game = leaders.first[0], leaders.game
        points = spoken_points(first, None, lang) if game is None else points_text(first.points, game)
    return SessionRow(
        session=row["session"],
        title=row["title"] or row["session"],
        date=row["date"] or "",
        place=label(lang, "list").join(filter(None, (row["club"], row["place"]))),
        is_closed=row["closed"],
        tables=row["tables"],
        players=0 if leaders is None else leaders.players,
        leaders=leading,
        points=points,
    )
