"""The statistics of points, places and runs by hand."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from datetime import date
from itertools import groupby
from statistics import mean, stdev
from typing import Any

from tests.history.naive import Mean, Rows, Share, places, tally
from tests.history.season import DealFacts, Season, TableFacts


def totals(tables: Iterable[TableFacts]) -> dict[str, int]:
    points: Counter[str] = Counter()
    for table in tables:
        points.update(table.points)
    return dict(points)


def deals_of(tables: Iterable[TableFacts], player: str) -> list[tuple[DealFacts, int]]:
    """Return each complete deal of the player with their amount, at any seat."""
    return [
        (deal, delta)
        for table in tables
        for deal in table.deals
        if deal.score["status"] == "complete"
        for name, delta in zip(deal.players, deal.deltas, strict=True)
        if name == player
    ]


def of_games(tables: Iterable[TableFacts]) -> dict[str, list[TableFacts]]:
    return tally(tables, lambda table: table.game)


def standings(season: Season, player: str | None) -> Rows:
    games = of_games(season.tables)
    rows = _standings_of({(game,): tables for game, tables in games.items()}, player)
    for (game, name), row in rows.items():
        played = [table for table in games[game] if name in table.points and table.is_match]
        row["sessions"] = len({table.session for table in played} - {None})
        row["closing_and_rulings"] = sum(of_no_complete_deal(table, name) for table in games[game])
        row["points_per_deal"] = Mean(deals_of(games[game], name))
    return rows


def of_no_complete_deal(table: TableFacts, player: str) -> int:
    """Return the points of the closing, of adjustments of other deals, and of an unfinished deal."""
    complete = {deal.record.number for deal in table.deals if deal.score["status"] == "complete"}
    others = [one for one in table.amounts if one.deal not in complete]
    return sum(one.amount for one in others if one.player == player)


def table_points(season: Season, player: str | None) -> Rows:
    made: dict[str, list[float]] = defaultdict(list)
    for table in season.all_tables:
        if table.is_over and table.is_match:
            made[table.game] += [points - mean(table.points.values()) for points in table.points.values()]
    spreads = {game: stdev(amounts) for game, amounts in made.items()}
    tables = season.finished
    sat = [(table, name) for table in tables for name in table.points if season.is_seated(table, name)]
    brought: defaultdict[str, float] = defaultdict(float)
    standardised: defaultdict[str, float] = defaultdict(float)
    for table in tables:
        ladder = sorted(table.points.values())
        for name, points in table.points.items():
            if not season.is_seated(table, name):
                continue
            brought[name] += mean(below for below, other in enumerate(ladder) if other == points)
            standardised[name] += (points - mean(ladder)) / spreads[table.game]
    placed = places(brought)
    return {
        (name,): {
            "place": placed[name], "table_points": brought[name], "standardised": standardised[name],
            "tables": sum(who == name for _, who in sat),
            "deals": len(deals_of([table for table, who in sat if who == name], name)),
        }
        for name in brought
        if player in (None, name)
    }  # fmt: skip


def _standings_of(parts: Mapping[Any, list[TableFacts]], player: str | None) -> Rows:
    rows: Rows = {}
    for part, tables in parts.items():
        points = totals(tables)
        placed = places(points)
        for name in points:
            if player in (None, name):
                rows[*part, name] = {
                    "place": placed[name], "points": points[name], "deals": len(deals_of(tables, name)),
                    "tables": sum(name in table.points for table in tables if table.is_match),
                }  # fmt: skip
    return rows


def session_standings(season: Season, player: str | None) -> Rows:
    return _standings_of(tally(season.tables, lambda table: (table.game, table.session, table.day)), player)


def season_standings(season: Season, player: str | None, begins: tuple[int, int] = (1, 1)) -> Rows:
    return _standings_of(tally(season.tables, lambda table: (table.game, season_named(table.day, begins))), player)


def season_named(day: date, begins: tuple[int, int] = (1, 1)) -> str:
    """Return the season of a day, if seasons begin in that month, on that day of it."""
    year = max(year for year in (day.year - 1, day.year) if date(year, *begins) <= day)
    return str(year) if begins == (1, 1) else f"{year}/{str(year + 1)[-2:]}"


def standings_by_day(season: Season, player: str | None) -> Rows:
    rows: Rows = {}
    for game, tables in of_games(season.tables).items():
        for day in {table.day for table in tables}:
            points = totals(table for table in tables if table.day <= day)
            gained = totals(table for table in tables if table.day == day)
            placed = places(points)
            for name in points:
                if player in (None, name):
                    figures = {"place": placed[name], "points": points[name], "gained": gained.get(name, 0)}
                    rows[game, day, name] = figures
    return rows


def cumulative(season: Season, player: str | None) -> Rows:
    rows: Rows = {}
    for name in totals(season.whole):
        number, total = 0, Counter[str]()
        for table in season.whole:
            if name in table.points and player in (None, name) and season.is_seated(table, name):
                number += 1
                total[table.game] += table.points[name]
                rows[name, table.name] = {
                    "number": number, "played_on": table.day, "session": table.session, "game": table.game,
                    "gained": table.points[name], "total": total[table.game],
                }  # fmt: skip
    return rows


def drawn_cumulative(season: Season) -> dict[tuple[str, str, int], int]:
    """Return each player's points in a game by the number of its complete deals so far; the closing counts at the last
    one.
    """
    drawn: dict[tuple[str, str, int], int] = {}
    for name in totals(season.tables):
        numbers: Counter[str] = Counter()
        totalled: Counter[str] = Counter()
        for table in season.tables:
            game = table.game
            for deal in table.deals:
                of_deals = {deal.record.number, None} if deal is table.deals[-1] else {deal.record.number}
                moved = [one.amount for one in table.amounts if one.player == name and one.deal in of_deals]
                if name in deal.players or moved:
                    numbers[game] += name in deal.players and deal.score["status"] == "complete"
                    totalled[game] += sum(moved)
                    drawn[game, name, numbers[game]] = totalled[game]
    return drawn


def course(season: Season, player: str | None) -> Rows:
    rows: Rows = {}
    for table in season.tables:
        total: Counter[str] = Counter()
        for amount in table.amounts:
            total[amount.player] += amount.amount
            if player in (None, amount.player):
                key = (table.name, amount.deal, amount.cause, amount.player)
                rows[key] = {"gained": amount.amount, "total": total[amount.player]}
    return rows


def placings(season: Season, player: str | None) -> Rows:
    return {
        (table.name, name): {
            "played_on": table.day, "session": table.session, "game": table.game,
            "is_over": table.is_over, "place": place, "points": table.points[name],
            "players": len(table.points), "deals": len(deals_of([table], name)),
        }
        for table in season.whole
        if table.is_match
        for name, place in places(table.points).items()
        if player in (None, name) and season.is_seated(table, name)
    }  # fmt: skip


def head_to_head(season: Season, player: str | None) -> Rows:
    met: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
    games: dict[tuple[str, str], set[str]] = defaultdict(set)
    paid: Counter[tuple[str, str]] = Counter()
    received: Counter[tuple[str, str]] = Counter()
    for table in season.finished:
        for mine, theirs in table.opponents:
            if not season.is_seated(table, mine):
                continue
            met[mine, theirs].append((table.points[mine], table.points[theirs]))
            games[mine, theirs].add(table.game)
        lines = [(line, deal.record.players) for deal in table.deals for line in deal.score["lines"]]
        lines += [(line, table.fold.players) for line in (table.answer["closing"] or {"lines": []})["lines"]]
        for line, players in lines:
            if isinstance(line["from"], int) and isinstance(line["to"], int):
                pair = players[line["from"]], players[line["to"]]
                paid[pair] += line["amount"] * (season.seat in (None, line["from"]))
                received[pair] += line["amount"] * (season.seat in (None, line["to"]))
    return {
        (mine, theirs): {
            "tables": len(pairs), "ahead": sum(a > b for a, b in pairs), "level": sum(a == b for a, b in pairs),
            "behind": sum(a < b for a, b in pairs),
            "share_ahead": Share(sum((a > b) + (a == b) / 2 for a, b in pairs), len(pairs)),
            "received": received[theirs, mine] if len(games[mine, theirs]) == 1 else None,
            "paid": paid[mine, theirs] if len(games[mine, theirs]) == 1 else None,
        }
        for (mine, theirs), pairs in met.items()
        if player in (None, mine)
    }  # fmt: skip


def swings(season: Season, player: str | None) -> Rows:
    moved = [
        (-abs(delta), -delta, number, seat, deal)
        for number, deal in enumerate(season.scored)
        for seat, delta in enumerate(deal.deltas)
        if deal.players[seat] and player in (None, deal.players[seat])
    ]
    biggest = sorted(moved, key=lambda swing: swing[:4])[:20]
    return {
        (deal.table.name, deal.record.number, deal.players[seat]): {
            "amount": -loss, "game": deal.table.game, "played_on": deal.table.day, "contract": deal.contract,
            "declarer_player": deal.declarer_player,
        }
        for _, loss, _, seat, deal in biggest
    }  # fmt: skip


def _won_or_lost(deal: DealFacts, seat: int) -> int:
    """Return 1 for a deal won at that seat, -1 for one lost, 0 for neither; in Couillon by the deal's winner."""
    if deal.table.game == "couillon":
        return 0 if deal.winner is None else 1 if deal.winner == seat % 2 else -1
    return (deal.deltas[seat] > 0) - (deal.deltas[seat] < 0)


def streaks(season: Season, player: str | None) -> Rows:
    rows: Rows = {}
    for name, game in {(name, deal.table.game) for deal in season.scored for name in deal.players}:
        results = [
            _won_or_lost(deal, seat)
            for deal in season.scored
            if deal.table.game == game
            for seat, who in enumerate(deal.players)
            if who == name
        ]
        runs = [(sign, len(list(run))) for sign, run in groupby(results)]
        if player in (None, name):
            rows[name, game] = {
                "deals": len(results),
                "longest_winning": max((length for sign, length in runs if sign == 1), default=0),
                "longest_losing": max((length for sign, length in runs if sign == -1), default=0),
                "latest": runs[-1][0] * runs[-1][1],
            }
    return rows


def pool(season: Season, _: str | None) -> Rows:
    return {
        (deal.table.name, deal.record.number): {
            "played_on": deal.table.day,
            "game": deal.table.game,
            **{field: deal.score[field] for field in ("status", "pool_before", "pool_after")},
        }
        for deal in season.deals
        if deal.table.game in ("ombre", "quadrille")
    }
