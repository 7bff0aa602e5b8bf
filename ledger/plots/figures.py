"""Which plots there are, and the figures that each one shows: the rows of its question, less what nobody could read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any, Final, TypeAlias

from msgspec import Struct

from ledger.errors import NotFoundError
from ledger.history import History, Statistic, plot_questions, statistics
from ledger.plots.style import LINES_MAX
from ledger.plots.words import label

Row: TypeAlias = dict[str, Any]
"""A row of the answer: name of the column to value, in what JSON has."""

OF_STATISTICS: Final = ("contracts",)
"""Plots that show the rows of the statistic of the same name as they are."""

CELLS_MAX: Final = 16
CONTRACTS_MAX: Final = 30


class Figures(Struct, frozen=True, kw_only=True):
    """What a plot shows, as of a log entry. `series`: players or tables in the order of the legend.

    `left_out`: a sentence that says what is not shown; empty: all is.
    """

    name: str
    position: int
    digest: str
    filters: Mapping[str, Any]
    rows: list[Row]
    series: list[str]
    left_out: str


def plots() -> dict[str, Statistic]:
    """All plots by name with their questions."""
    found = {name: statistics()[name] for name in OF_STATISTICS} | plot_questions()
    return dict(sorted(found.items()))


def plot_named(name: str) -> Statistic:
    """The question of a plot; raises `NotFoundError` naming the plots that there are."""
    found = plots().get(name)
    if found is None:
        raise NotFoundError(f"there is no plot {name}; there are {', '.join(plots())}")
    return found


def figures(
    history: History, name: str, filters: Mapping[str, Any], names: Mapping[str, str], lang: str = "en"
) -> Figures:
    """The figures of a plot. `names`: what to show for players, by their names in the record."""
    found = history.answer_to(plot_named(name), filters)
    rows = [_shown_row(dict(zip(found.answer.columns, row, strict=True)), names) for row in found.answer.rows]
    chosen, series, left_out = _CHOSEN[name](rows, lang)
    return Figures(
        name=name,
        position=found.position,
        digest=found.digest,
        filters={key: value for key, value in filters.items() if value is not None},
        rows=chosen,
        series=series,
        left_out=left_out,
    )


def _shown_row(row: Row, names: Mapping[str, str]) -> Row:
    shown = {key: value.isoformat() if isinstance(value, date) else value for key, value in row.items()}
    for key in ("player", "opponent"):
        if key in shown:
            shown[key] = names.get(shown[key], shown[key])
    return shown


_Chosen: TypeAlias = tuple[list[Row], list[str], str]


def _lines_of_players(rows: Sequence[Row], lang: str) -> _Chosen:
    """The players with the most deals; in the legend the best first, as the last row says."""
    last = {row["player"]: row for row in rows}
    best = sorted(last, key=lambda player: (-last[player]["points"], player))
    chosen = sorted(best, key=lambda player: -last[player]["deals"])[:LINES_MAX]
    shown = [player for player in best if player in chosen]
    return _of(rows, "player", shown), shown, _left_out("some_players", len(shown), len(last), lang)


def _best_players(rows: Sequence[Row], lang: str) -> _Chosen:
    last = {row["player"]: row for row in rows}
    shown = sorted(last, key=lambda player: (last[player]["place"], player))[:LINES_MAX]
    return _of(rows, "player", shown), shown, _left_out("best_players", len(shown), len(last), lang)


def _last_tables(rows: Sequence[Row], lang: str) -> _Chosen:
    tables = list(dict.fromkeys(row["table_name"] for row in rows))
    shown = tables[-LINES_MAX:]
    return _of(rows, "table_name", shown), shown, _left_out("some_tables", len(shown), len(tables), lang)


def _those_who_met(rows: Sequence[Row], lang: str) -> _Chosen:
    """The players with the most deals in common; of a single player's row all opponents, as far as there is room."""
    deals: Counter[str] = Counter()
    for row in rows:
        deals.update({row["player"]: row["deals"], row["opponent"]: row["deals"]})
    by_deals = sorted(deals, key=lambda player: (-deals[player], player))
    shown = sorted(by_deals[:CELLS_MAX])
    kept = _of(_of(rows, "player", shown), "opponent", shown)
    return kept, shown, _left_out("some_players", len(shown), len(deals), lang)


def _most_played(rows: Sequence[Row], lang: str) -> _Chosen:
    shown = sorted(rows, key=lambda row: -row["played"])[:CONTRACTS_MAX]
    return shown, [], _left_out("some_contracts", len(shown), len(rows), lang)


def _of(rows: Sequence[Row], key: str, shown: Sequence[str]) -> list[Row]:
    return [row for row in rows if row[key] in shown]


def _left_out(key: str, shown: int, known: int, lang: str) -> str:
    return label(lang, key, shown=shown, known=known) if shown < known else ""


_CHOSEN: Final[Mapping[str, Callable[[Sequence[Row], str], _Chosen]]] = {
    "contracts": _most_played,
    "cumulative": _lines_of_players,
    "head-to-head": _those_who_met,
    "pool": _last_tables,
    "standings": _best_players,
}
