"""All plots, and the figures of each: the rows of its query, reduced to what a reader can distinguish."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import Final, TypeAlias

from msgspec import structs

from ledger.errors import NotFoundError
from ledger.history import (
    FILTERS,
    Filters,
    History,
    Statistic,
    check_parameters,
    plot_queries,
    statistics,
)
from ledger.history.questions.statistics import check_takes
from ledger.names import hint
from ledger.plots.lines import POINTS_MAX, thinned
from ledger.plots.rows import Figures, Row, label, phrase, shown_rows
from ledger.plots.style import LINES_MAX

YEAR: Final = "year"

_STATISTICS: Final[Mapping[str, str]] = {
    "contracts": "player-contracts",
    "course": "standings-by-day",
    "opponents": "head-to-head",
    "partners": "partners",
    "results": "standings",
}
_PLOTS: Final[Mapping[str, str]] = {"calendar": "calendar", "deals": "deal-points"}
"""The queries for the parts of the page."""

_IN_HEADING: Final = ("player", "season", "season_from")


def check_player_named(filters: Filters) -> None:
    """Raise `NotFoundError` if the filters name no player."""
    if filters.player is None:
        raise NotFoundError("usage", phrase("error.whose_year", text=YEAR))


def year_figures(history: History, filters: Filters, names: Mapping[str, str]) -> Figures:
    """Return the player's last season within the filters: a row per game, and all parts of the page.

    Each part is a statistic over the days of that season.
    """
    check_player_named(filters)
    result = history.answer_to(plot_queries()[YEAR], filters)
    rows = shown_rows(result.answer.objects(), names)
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
        position=result.position,
        digest=result.digest,
        filters=shown,
        rows=rows,
        series=[],
        left_out="",
        heading=heading,
        parts=parts,
    )


def _parts(history: History, filters: Filters, names: Mapping[str, str]) -> dict[str, list[Row]]:
    results = {part: history.statistic(name, filters) for part, name in _STATISTICS.items()}
    results |= {part: history.answer_to(plot_queries()[name], filters) for part, name in _PLOTS.items()}
    return {part: shown_rows(result.answer.objects(), names) for part, result in results.items()}


OF_STATISTICS: Final[Mapping[str, str]] = {
    "contract-points": "contracts",
    "contracts": "contracts",
    "head-to-head": "head-to-head",
    "pool": "pool",
    "ratings": "rating-history",
}
"""Plots that show the rows of a statistic as they are; the others have queries of their own."""

CELLS_MAX: Final = 16
TABLES_MAX: Final = 24
CONTRACTS_MAX: Final = 30

LEVEL_TABLES: Final = 10
"""Tables, half of them ahead, that are added to each player's for the order of the heat map: a player ahead at the only
table does not lead one ahead at seventy of a hundred.
"""

_LINES: Final[Mapping[str, tuple[tuple[str, ...], str]]] = {
    "pool": (("table_name",), "pool_after"),
    "ratings": (("player",), "rating"),
    "standings": (("game", "player"), "place"),
}
"""Plots of lines that are thinned here: the columns that identify a line, and the measure."""


def plots(lang: str = "en") -> dict[str, Statistic]:
    """Return all plots by name with their queries, in a language."""
    known = statistics(lang)
    questions = {name: _as_plotted(known[of]) for name, of in OF_STATISTICS.items()} | plot_queries(lang)
    return dict(sorted(questions.items()))


def _as_plotted(statistic: Statistic) -> Statistic:
    """Keep only the parameters that are filters, as plots take no others."""
    return structs.replace(statistic, parameters=tuple(name for name in statistic.parameters if name in FILTERS))


def plot_named(name: str) -> Statistic:
    """Return the query of a plot. Raise `NotFoundError` with the known plots if there is none."""
    question = plots().get(name)
    if question is None:
        known = tuple(plots())
        suggestion = hint(name, known, phrase("error.there_are", known=known))
        raise NotFoundError("not_found", phrase("error.no_plot", text=name, hint=suggestion), known=known)
    return question


def check_plot_filters(name: str, filters: Filters) -> None:
    """Raise `NotFoundError` for an unknown plot, a filter that it does not take, or a year without a player."""
    question = plot_named(name)
    check_parameters(question, filters)
    for parameter in ("group_by", "compare"):
        if getattr(filters, parameter):
            check_takes(question, parameter)
    if name == YEAR:
        check_player_named(filters)


def figures(history: History, name: str, filters: Filters, names: Mapping[str, str], lang: str = "en") -> Figures:
    """Return the figures of a plot. `names`: names to show, by the players' names in the record."""
    if name == YEAR:
        return year_figures(history, filters, names)
    question = plot_named(name)
    result = (
        history.statistic(question.name, filters) if name in OF_STATISTICS else history.answer_to(question, filters)
    )
    rows = shown_rows(result.answer.objects(), names)
    chosen, series, left_out = _CHOSEN[name](rows, lang)
    line, measure = _LINES.get(name, ((), ""))
    drawn = thinned(chosen, line, measure) if line else chosen
    # The query of `cumulative` thins its lines itself, see plots/lines.py.
    if len(drawn) < len(chosen) or (name == "cumulative" and any(row["number"] > POINTS_MAX for row in drawn)):
        left_out = "\n".join(filter(None, [left_out, label(lang, "thinned", most=POINTS_MAX)]))
    return Figures(
        name=name,
        position=result.position,
        digest=result.digest,
        filters=shown_rows([dict(result.filters)], names)[0],
        rows=drawn,
        series=series,
        left_out=left_out,
    )


_Chosen: TypeAlias = tuple[list[Row], list[str], str]


def _most_seen(worth: Callable[[Row], float], game_of: Callable[[Row], str]) -> Callable[[Sequence[Row], str], _Chosen]:
    """Return a selection of each game's leader by the worth of the last row, and of the players who played most."""

    def chosen(rows: Sequence[Row], lang: str) -> _Chosen:
        last = {(game_of(row), row["player"]): row for row in rows}
        number: Counter[str] = Counter()
        ranking: dict[str, list[str]] = {}
        for (game, player), row in sorted(last.items(), key=lambda one: (-worth(one[1]), one[0])):
            ranking.setdefault(game, []).append(player)
            number[player] += row["number"]
        ranks = {
            player: min(players.index(player) for players in ranking.values() if player in players) for player in number
        }
        best = sorted(ranks, key=lambda player: (ranks[player], player))
        most = sorted(best, key=lambda player: -number[player])[:LINES_MAX]
        leading = sorted(best, key=lambda player: (ranks[player] > 0, -number[player]))[:LINES_MAX]
        shown = [player for player in best if player in leading]
        note_key = "some_players" if set(most) == set(leading) else "leading_players"
        return _of(rows, "player", shown), shown, _left_out(note_key, len(shown), len(best), lang)

    return chosen


def _cautious(row: Row) -> float:
    """Return the lower estimate by which the statistic `ratings` ranks."""
    worth: float = row["rating"] - 3 * row["uncertainty"]
    return worth


def _best_players(rows: Sequence[Row], lang: str) -> _Chosen:
    """Select the players with the best final places in any game."""
    last = {(row["game"], row["player"]): row["place"] for row in rows}
    places: dict[str, int] = {}
    for (_, player), place in last.items():
        places[player] = min(places.get(player, place), place)
    shown = sorted(places, key=lambda player: (places[player], player))[:LINES_MAX]
    return _of(rows, "player", shown), shown, _left_out("best_players", len(shown), len(places), lang)


def _last_tables(rows: Sequence[Row], lang: str) -> _Chosen:
    """Select the last tables whose pool held anything."""
    tables = list(dict.fromkeys(row["table_name"] for row in rows if row["pool_after"]))
    shown = tables[-TABLES_MAX:]
    return _of(rows, "table_name", shown), shown, _left_out("some_tables", len(shown), len(tables), lang)


def _those_who_met(rows: Sequence[Row], lang: str) -> _Chosen:
    """Select the players who met others most, in the order of their shrunk share of tables ahead."""
    tables: Counter[str] = Counter()
    ahead: Counter[str] = Counter()
    for row in rows:
        halves = row["level"] / 2
        tables.update({row["player"]: row["tables"], row["opponent_player"]: row["tables"]})
        ahead.update({row["player"]: row["ahead"] + halves, row["opponent_player"]: row["behind"] + halves})
    shown = sorted(_closest(rows), key=lambda player: (-shrunk_share(ahead[player], tables[player]), player))
    among_them = _of(_of(rows, "player", shown), "opponent_player", shown)
    return among_them, shown, _left_out("players_who_met", len(shown), len(tables), lang)


def _closest(rows: Sequence[Row]) -> list[str]:
    """Return the players who met each other most: leave out the one with the fewest meetings, repeatedly."""
    met: dict[str, dict[str, int]] = {}
    for row in rows:
        for one, other in (("player", "opponent_player"), ("opponent_player", "player")):
            met.setdefault(row[one], {})[row[other]] = row["tables"]
    tables = {player: sum(others.values()) for player, others in sorted(met.items(), reverse=True)}
    while len(tables) > CELLS_MAX or 0 in tables.values():
        last = min(tables, key=tables.__getitem__)
        del tables[last]
        for other in tables.keys() & met[last].keys():
            tables[other] -= met[last][other]
    return list(tables)


def shrunk_share(ahead: float, tables: int) -> float:
    """Return the share of tables ahead after `LEVEL_TABLES` more tables, half of them ahead."""
    return (ahead + LEVEL_TABLES / 2) / (tables + LEVEL_TABLES)


def _most_played(measure: str) -> Callable[[Sequence[Row], str], _Chosen]:
    """Return a selection of the most played contracts that have this measure."""

    def chosen(rows: Sequence[Row], lang: str) -> _Chosen:
        measured = [row for row in rows if row[measure] is not None]
        shown = sorted(measured, key=lambda row: -row["played"])[:CONTRACTS_MAX]
        return shown, [], _left_out("some_contracts", len(shown), len(measured), lang)

    return chosen


def _all(rows: Sequence[Row], lang: str) -> _Chosen:
    return list(rows), [], ""


def _of(rows: Sequence[Row], key: str, shown: Sequence[str]) -> list[Row]:
    return [row for row in rows if row[key] in shown]


def _left_out(key: str, shown: int, known: int, lang: str) -> str:
    return label(lang, key, shown=shown, known=known) if shown < known else ""


_CHOSEN: Final[Mapping[str, Callable[[Sequence[Row], str], _Chosen]]] = {
    "calendar": _all,
    "contract-points": _most_played("mean_points"),
    "contracts": _most_played("share_won"),
    "cumulative": _most_seen(itemgetter("points"), itemgetter("game")),
    "deal-points": _all,
    "head-to-head": _those_who_met,
    "pool": _last_tables,
    "ratings": _most_seen(_cautious, lambda _: ""),
    "standings": _best_players,
}
