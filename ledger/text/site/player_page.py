"""The page of a player: the points deal by deal, and the best and the worst deals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote

from markupsafe import Markup
from msgspec import Struct, structs

from ledger.history import Answer
from ledger.text.cards import signed_amount
from ledger.text.site.answer_table import game_words
from ledger.text.site.catalogue import say
from ledger.text.site.graphs import PointsAfter, points_graph

_SHOWN: Final = ("amount", "table_name", "deal", "game", "contract", "declarer_player", "result", "played_on")
_DEAL: Final = _SHOWN.index("deal")
_BEST: Final = 5


class GameCourse(Struct, frozen=True, kw_only=True):
    """The points in one game, deal by deal. `total`: at the end; `graph`: their line."""

    game: str
    deals: int
    total: str
    graph: Markup


def courses(deals: Answer, lang: str) -> list[GameCourse]:
    """Return the points in each game, the most played first. `deals`: of the list `player-deals`."""
    by_game: dict[str, list[Mapping[str, Any]]] = {}
    for row in deals.objects():
        by_game.setdefault(row["game"], []).append(row)
    ordered = sorted(by_game.items(), key=lambda one: (-len(one[1]), one[0]))
    return [_course(game, rows, lang) for game, rows in ordered]


def _course(game: str, rows: Sequence[Mapping[str, Any]], lang: str) -> GameCourse:
    total, points = 0, []
    for row in rows:
        total += row["amount"]
        table, deal = row["table_name"], row["deal"]
        key = "players.after_closing" if deal is None else "players.after_deal"
        label = say(lang, key, points=signed_amount(total), table=table, deal=deal)
        href = f"/t/{quote(table, safe='')}" + ("" if deal is None else f"/{deal}")
        points.append(PointsAfter(label=label, total=total, href=href))
    title = game_words(game, lang)
    return GameCourse(
        game=title,
        deals=sum(row["deal"] is not None for row in rows),
        total=signed_amount(total),
        graph=points_graph(points, say(lang, "players.line", game=title, points=signed_amount(total)), _ends(rows)),
    )


def _ends(rows: Sequence[Mapping[str, Any]]) -> tuple[str, str]:
    first, last = str(rows[0]["played_on"]), str(rows[-1]["played_on"])
    return (first, last) if first != last else ("", last)


def best_and_worst(deals: Answer) -> tuple[Answer, Answer]:
    """Return the deals that brought most, and those that cost most."""
    shown = columns_of(deals, _SHOWN)
    moved = [row for row in shown.rows if row[_DEAL] is not None]
    gained = sorted((row for row in moved if row[0] > 0), key=lambda row: -row[0])[:_BEST]
    lost = sorted((row for row in moved if row[0] < 0), key=lambda row: row[0])[:_BEST]
    return structs.replace(shown, rows=gained), structs.replace(shown, rows=lost)


def totals_at_tables(deals: Answer) -> Answer:
    """Return the rows of the statistic `cumulative`: what each table brought, and the points of its game after it."""
    shown = columns_of(deals, ("played_on", "table_name", "game", "amount", "amount"))
    totals: dict[str, int] = {}
    at_tables: dict[str, tuple[Any, ...]] = {}
    for day, table, game, amount, _ in shown.rows:
        totals[game] = totals.get(game, 0) + amount
        gained = amount if table not in at_tables else at_tables[table][3] + amount
        at_tables[table] = day, table, game, gained, totals[game]
    return structs.replace(
        shown, columns=["played_on", "table_name", "game", "gained", "total"], rows=list(at_tables.values())
    )


def columns_of(answer: Answer, names: Sequence[str]) -> Answer:
    """Return these columns of an answer."""
    places = [answer.columns.index(name) for name in names]
    rows = [tuple(row[place] for place in places) for row in answer.rows]
    return Answer(list(names), [answer.types[place] for place in places], rows)
