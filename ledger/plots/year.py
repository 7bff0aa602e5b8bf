"""A player's year: what stands on its one page, put together from statistics. How that is drawn: `year_page`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ledger.errors import NotFoundError
from ledger.history import Filters, History, StatisticAnswer, plot_questions
from ledger.plots.rows import Figures, Row, shown_row
from ledger.plots.words import phrase

YEAR: Final = "year"

_STATISTICS: Final[Mapping[str, str]] = {
    "contracts": "player-contracts",
    "course": "standings-by-day",
    "opponents": "head-to-head",
    "partners": "partners",
    "results": "standings",
}
_PLOTS: Final[Mapping[str, str]] = {"calendar": "calendar", "deals": "deal-points"}
"""What the parts of the page are asked of."""

_IN_HEADING: Final = ("player", "season", "season_from")


def check_player_named(filters: Filters) -> None:
    """Raises `NotFoundError` for a year of nobody."""
    if filters.player is None:
        raise NotFoundError("usage", phrase("error.whose_year", text=YEAR))


def year_figures(history: History, filters: Filters, names: Mapping[str, str]) -> Figures:
    """The last season, of those that the filters leave, in which the player played: a row a game, and all parts.

    Each part is a statistic, asked for the days of that season.
    """
    check_player_named(filters)
    found = history.answer_to(plot_questions()[YEAR], filters)
    rows = _rows(found, names)
    shown = {key: value for key, value in filters.given().items() if key not in _IN_HEADING}
    player = filters.player
    assert player is not None
    heading, parts = {"player": names.get(player, player), "season": ""}, {}
    if rows:
        days = {"since": rows[0]["first_day"], "until": rows[0]["last_day"]}
        heading["season"] = rows[0]["season"]
        shown = {key: value for key, value in shown.items() if key not in days} | days
        parts = _parts(history, Filters(player=player, **shown), names)
    return Figures(
        name=YEAR,
        position=found.position,
        digest=found.digest,
        filters=shown,
        rows=rows,
        series=[],
        left_out="",
        heading=heading,
        parts=parts,
    )


def _parts(history: History, filters: Filters, names: Mapping[str, str]) -> dict[str, list[Row]]:
    asked = {part: history.statistic(name, filters) for part, name in _STATISTICS.items()}
    asked |= {part: history.answer_to(plot_questions()[name], filters) for part, name in _PLOTS.items()}
    return {part: _rows(found, names) for part, found in asked.items()}


def _rows(found: StatisticAnswer, names: Mapping[str, str]) -> list[Row]:
    return [shown_row(row, names) for row in found.answer.objects()]
