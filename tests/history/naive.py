"""What the statistics should come to, in plain Python over the facts of a season; slow, and as simple as can be."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby, permutations
from math import sqrt
from statistics import fmean
from typing import Any, TypeAlias

from ledger.events import Announced, BidMade, CardPlayed, CardsExchanged, PartnerCalled
from ledger.games import game_named
from ledger.games.kop.scoring import bez_factor
from tests.history.season import DealFacts, Season, TableFacts

Figures: TypeAlias = dict[str, Any]
Rows: TypeAlias = dict[tuple[Any, ...], Figures]
"""The columns by which a row is known to all its other columns."""


@dataclass(frozen=True)
class Share:
    """`hits` of `trials` under three names: the share and the bounds of its interval."""

    hits: int
    trials: int
    low: str = "low"
    high: str = "high"
    scale: int = 1

    def columns(self, name: str) -> Figures:
        if not self.trials:
            return {name: None, self.low: None, self.high: None}
        z, p, n = 1.959964, self.hits / self.trials, self.trials
        centre, margin = p + z * z / (2 * n), z * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        bounds = (centre - margin) / (1 + z * z / n), (centre + margin) / (1 + z * z / n)
        return {name: self.scale * p, self.low: self.scale * bounds[0], self.high: self.scale * bounds[1]}


@dataclass(frozen=True)
class Mean:
    """The mean of some amounts; its bounds are checked apart."""

    amounts: Sequence[int]


def tally(deals: Iterable[Any], key: Callable[[Any], Any]) -> dict[Any, list[Any]]:
    found: dict[Any, list[Any]] = defaultdict(list)
    for deal in deals:
        found[key(deal)].append(deal)
    return found


def won(deals: Iterable[DealFacts]) -> int:
    return sum(deal.is_won is True for deal in deals)


def lost(deals: Iterable[DealFacts]) -> int:
    return sum(deal.is_won is False for deal in deals)


def gain(deal: DealFacts) -> int:
    """What the deal brought the declarer."""
    assert deal.declarer is not None
    return deal.deltas[deal.declarer]


def is_of(deal: DealFacts, player: str | None) -> bool:
    return player in (None, deal.declarer_player)


# --- points -----------------------------------------------------------------------------------------------------------


def places(points: Mapping[Any, int]) -> dict[Any, int]:
    return {who: 1 + sum(other > own for other in points.values()) for who, own in points.items()}


def totals(tables: Iterable[TableFacts]) -> dict[str, int]:
    points: Counter[str] = Counter()
    for table in tables:
        points.update(table.points)
    return dict(points)


def deals_of(tables: Iterable[TableFacts], player: str, *, complete: bool = False) -> list[int]:
    """What each deal moved for the player, at any seat."""
    return [
        delta
        for table in tables
        for deal in table.deals
        if not complete or deal.score["status"] == "complete"
        for name, delta in zip(deal.players, deal.deltas, strict=True)
        if name == player
    ]


def standings(season: Season, player: str | None) -> Rows:
    points = totals(season.tables)
    placed = places(points)
    return {
        (name,): {
            "place": placed[name],
            "points": points[name],
            "deals": len(deals_of(season.tables, name, complete=True)),
            "tables": sum(name in table.points for table in season.tables),
            "sessions": len({table.session for table in season.tables if name in table.points} - {None}),
            "points_per_deal": Mean(deals_of(season.tables, name, complete=True)),
        }
        for name in points
        if player in (None, name)
    }


def _standings_of(parts: Mapping[Any, list[TableFacts]], player: str | None) -> Rows:
    rows: Rows = {}
    for part, tables in parts.items():
        points = totals(tables)
        placed = places(points)
        for name in points:
            if player in (None, name):
                rows[*part, name] = {
                    "place": placed[name],
                    "points": points[name],
                    "deals": len(deals_of(tables, name)),
                    "tables": sum(name in table.points for table in tables),
                }
    return rows


def session_standings(season: Season, player: str | None) -> Rows:
    return _standings_of(tally(season.tables, lambda table: (table.session, table.day)), player)


def season_standings(season: Season, player: str | None) -> Rows:
    return _standings_of(tally(season.tables, lambda table: (table.day.year,)), player)


def standings_by_day(season: Season, player: str | None) -> Rows:
    rows: Rows = {}
    for day in {table.day for table in season.tables}:
        points = totals(table for table in season.tables if table.day <= day)
        gained = totals(table for table in season.tables if table.day == day)
        placed = places(points)
        for name in points:
            if player in (None, name):
                rows[day, name] = {"place": placed[name], "points": points[name], "gained": gained.get(name, 0)}
    return rows


def cumulative(season: Season, player: str | None) -> Rows:
    rows: Rows = {}
    for name in totals(season.tables):
        total = number = 0
        for table in season.tables:
            if name in table.points and player in (None, name):
                number, total = number + 1, total + table.points[name]
                rows[name, table.name] = {
                    "number": number, "played_on": table.day, "session": table.session, "game": table.game,
                    "gained": table.points[name], "total": total,
                }  # fmt: skip
    return rows


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
            "played_on": table.day,
            "session": table.session,
            "game": table.game,
            "is_over": table.answer["match"]["over"],
            "place": place,
            "points": table.points[name],
            "players": len(table.points),
            "deals": len(deals_of([table], name)),
        }
        for table in season.tables
        for name, place in places(table.points).items()
        if player in (None, name)
    }


def head_to_head(season: Season, player: str | None) -> Rows:
    met: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
    paid: Counter[tuple[str, str]] = Counter()
    for table in season.tables:
        seats: dict[str, int] = {}
        for amount in table.amounts:
            seats[amount.player] = min(amount.seat, seats.get(amount.player, 99))
        for mine, theirs in permutations(table.points, 2):
            if table.game != "couillon" or seats[mine] % 2 != seats[theirs] % 2:
                met[mine, theirs].append((table.points[mine], table.points[theirs]))
        lines = [(line, deal.players) for deal in table.deals for line in deal.score["lines"]]
        lines += [(line, table.fold.players) for line in (table.answer["closing"] or {"lines": []})["lines"]]
        for line, players in lines:
            if isinstance(line["from"], int) and isinstance(line["to"], int):
                paid[players[line["from"]], players[line["to"]]] += line["amount"]
    return {
        (mine, theirs): {
            "tables": len(found),
            "ahead": sum(a > b for a, b in found),
            "level": sum(a == b for a, b in found),
            "behind": sum(a < b for a, b in found),
            "share_ahead": Share(sum(a > b for a, b in found), len(found)),
            "received": paid[theirs, mine],
            "paid": paid[mine, theirs],
        }
        for (mine, theirs), found in met.items()
        if player in (None, mine)
    }


def swings(season: Season, player: str | None) -> Rows:
    moved = [
        (-abs(delta), -delta, number, seat, deal)
        for number, deal in enumerate(season.scored)
        for seat, delta in enumerate(deal.deltas)
        if player in (None, deal.players[seat])
    ]
    biggest = sorted(moved, key=lambda swing: swing[:4])[:20]
    return {
        (deal.table.name, deal.record.number, deal.players[seat]): {
            "amount": -loss, "game": deal.table.game, "played_on": deal.table.day, "contract": deal.contract,
            "declarer_player": deal.declarer_player,
        }
        for _, loss, _, seat, deal in biggest
    }  # fmt: skip


def streaks(season: Season, player: str | None) -> Rows:
    rows: Rows = {}
    for name in totals(season.tables):
        amounts = [
            delta for deal in season.scored for who, delta in zip(deal.players, deal.deltas, strict=True) if who == name
        ]
        runs = [(sign, len(list(run))) for sign, run in groupby(amounts, lambda amount: (amount > 0) - (amount < 0))]
        if runs and player in (None, name):
            rows[(name,)] = {
                "deals": len(amounts),
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


# --- contracts --------------------------------------------------------------------------------------------------------


def contracts(season: Season, player: str | None) -> Rows:
    played = [deal for deal in season.scored if deal.declarer is not None and deal.contract and is_of(deal, player)]
    return {
        key: {
            "played": len(deals),
            "won": won(deals),
            "lost": lost(deals),
            "share_won": Share(won(deals), len(deals)),
            "mean_points": Mean([gain(deal) for deal in deals]),
        }
        for key, deals in tally(played, lambda deal: (deal.table.game, deal.contract)).items()
    }


def player_contracts(season: Season, player: str | None) -> Rows:
    known = {(deal.table.game, deal.contract) for deal in season.scored if deal.contract}
    called: Counter[Any] = Counter()
    played: dict[Any, list[DealFacts]] = defaultdict(list)
    for deal in season.scored:
        said = {(deal.players[bid.seat], deal.table.game, bid.call.removesuffix("_favour")) for bid in deal.of(BidMade)}
        called.update(key for key in said if key[1:] in known)
        if deal.declarer is not None and deal.contract:
            played[deal.declarer_player, deal.table.game, deal.contract].append(deal)
    return {
        key: {
            "called": called[key],
            "played": len(played[key]),
            "won": won(played[key]),
            "lost": lost(played[key]),
            "share_won": Share(won(played[key]), len(played[key])),
            "mean_points": Mean([gain(deal) for deal in played[key]]),
        }
        for key in {*called, *played}
        if player in (None, key[0])
    }


def declarer_seats(season: Season, player: str | None) -> Rows:
    played = [deal for deal in season.scored if deal.declarer is not None and is_of(deal, player)]

    def key(deal: DealFacts) -> tuple[Any, ...]:
        place = (deal.declarer - deal.record.dealer) % len(deal.players)
        return deal.table.game, deal.contract, place

    return {
        key: {"played": len(deals), "won": won(deals), "share_won": Share(won(deals), len(deals))}
        for key, deals in tally(played, key).items()
    }


def partners(season: Season, player: str | None) -> Rows:
    together: dict[Any, list[tuple[bool | None, int]]] = defaultdict(list)
    for deal in season.scored:
        pairs: list[tuple[int, int, bool | None]] = []
        if deal.view.partner is not None:
            pairs.append((deal.declarer, deal.view.partner, deal.is_won))
        elif deal.table.game == "couillon":
            winner = deal.outcome["winner"]
            seats = combinations(range(len(deal.players)), 2)
            pairs += [(a, b, None if winner is None else winner == a % 2) for a, b in seats if a % 2 == b % 2]
        for first, second, is_won in pairs:
            names = sorted((deal.players[first], deal.players[second]))
            if player in names:
                names = [player, *(name for name in names if name != player)]
            if player is None or player in names:
                together[deal.table.game, *names].append((is_won, deal.deltas[first] + deal.deltas[second]))
    return {
        key: {
            "deals": len(deals),
            "won": sum(is_won is True for is_won, _ in deals),
            "lost": sum(is_won is False for is_won, _ in deals),
            "share_won": Share(sum(is_won is True for is_won, _ in deals), len(deals)),
            "mean_points": Mean([both / 2 for _, both in deals]),
        }
        for key, deals in together.items()
    }


def trumps(season: Season, player: str | None) -> Rows:
    played = [deal for deal in season.scored if deal.view.trump and is_of(deal, player)]
    in_game = Counter(deal.table.game for deal in played)
    return {
        (game, trump): {
            "deals": len(deals),
            "share": Share(len(deals), in_game[game]),
            "decided": won(deals) + lost(deals),
            "won": won(deals),
            "share_won": Share(won(deals), won(deals) + lost(deals), "won_low", "won_high"),
        }
        for (game, trump), deals in tally(played, lambda deal: (deal.table.game, deal.view.trump)).items()
    }


def opening_leads(season: Season, player: str | None) -> Rows:
    led: dict[Any, list[tuple[bool, int]]] = defaultdict(list)
    for deal in season.scored:
        for trick in deal.view.tricks[:1]:
            leader = trick.seats[0]
            if player in (None, deal.players[leader]):
                led[deal.table.game, trick.cards[0]].append((trick.winner == leader, deal.deltas[leader]))
    in_game = Counter(game for (game, _), leads in led.items() for _ in leads)
    return {
        (game, card): {
            "led": len(leads),
            "share": Share(len(leads), in_game[game]),
            "won_trick": sum(is_won for is_won, _ in leads),
            "share_won": Share(sum(is_won for is_won, _ in leads), len(leads), "won_low", "won_high"),
            "mean_points": Mean([delta for _, delta in leads]),
        }
        for (game, card), leads in led.items()
    }


# --- the games' own ---------------------------------------------------------------------------------------------------


def of_game(season: Season, *games: str) -> list[DealFacts]:
    return [deal for deal in season.scored if deal.table.game in games]


def ombre_exchanges(season: Season, player: str | None) -> Rows:
    found: dict[Any, list[DealFacts]] = defaultdict(list)
    for deal in of_game(season, "ombre"):
        for exchange in deal.of(CardsExchanged):
            if exchange.seat == deal.declarer and is_of(deal, player):
                found[deal.contract, exchange.count].append(deal)
    return {
        key: {
            "deals": len(deals),
            "won": won(deals),
            "share_won": Share(won(deals), len(deals)),
            "mean_points": Mean([gain(deal) for deal in deals]),
        }
        for key, deals in found.items()
    }


def forced_spadille(season: Season, player: str | None) -> Rows:
    rows: Rows = {}
    for name in {name for deal in of_game(season, "quadrille") for name in deal.players if player in (None, name)}:
        deals = [deal for deal in of_game(season, "quadrille") if name in deal.players]
        forced = [deal for deal in deals if deal.contract == "forced" and deal.declarer_player == name]
        rows[(name,)] = {
            "deals": len(deals),
            "forced": len(forced),
            "share_forced": Share(len(forced), len(deals), "forced_low", "forced_high"),
            "won": won(forced),
            "share_won": Share(won(forced), len(forced)),
            "mean_points": Mean([gain(deal) for deal in forced]),
        }
    return rows


def called_kings(season: Season, player: str | None) -> Rows:
    def key(deal: DealFacts) -> tuple[Any, ...]:
        called = deal.of(PartnerCalled)
        return deal.contract, called[-1].card if called else None

    played = [
        deal for deal in of_game(season, "quadrille") if deal.contract in ("alliance", "forced") and is_of(deal, player)
    ]
    return {
        key: {
            "deals": len(deals),
            "alone": sum(deal.view.partner is None for deal in deals),
            "won": won(deals),
            "share_won": Share(won(deals), len(deals)),
        }
        for key, deals in tally(played, key).items()
    }


def premiers_voles(season: Season, player: str | None) -> Rows:
    rows: Rows = {}
    played = [deal for deal in of_game(season, "ombre", "quadrille") if deal.contract and is_of(deal, player)]
    for key, deals in tally(played, lambda deal: (deal.table.game, deal.contract)).items():
        premiers = sum(deal.outcome.get("primeras", deal.outcome.get("premiers")) for deal in deals)
        voles = [str(deal.outcome.get("vole") or deal.outcome["result"]) for deal in deals]
        made = sum(vole in ("made", "SACADA_VOLE") for vole in voles)
        tried = made + sum(vole in ("failed", "SACADA_VOLE_FAILED") for vole in voles)
        rows[key] = {
            "deals": len(deals),
            "premiers": premiers,
            "share_premiers": Share(premiers, len(deals)),
            "voles": tried,
            "voles_made": made,
            "share_made": Share(made, tried, "made_low", "made_high"),
        }
    return rows


def couillon_makers(season: Season, player: str | None) -> Rows:
    rows: Rows = {}
    for name in {name for deal in of_game(season, "couillon") for name in deal.players if player in (None, name)}:
        deals = [deal for deal in of_game(season, "couillon") if name in deal.players]
        made = [deal for deal in deals if deal.declarer_player == name]
        rows[(name,)] = {
            "deals": len(deals),
            "made": len(made),
            "share_made": Share(len(made), len(deals), "made_low", "made_high"),
            "won": won(made),
            "lost": lost(made),
            "share_won": Share(won(made), len(made)),
            "circles": sum(any(line["rule"] == "COU-7.16" for line in deal.score["lines"]) for deal in made),
        }
    return rows


def doublings(season: Season, player: str | None) -> Rows:
    def step(deal: DealFacts) -> tuple[Any, ...]:
        if deal.table.game != "couillon":
            return deal.table.game, deal.outcome["doublings"]
        return "couillon", sum(deal.outcome[word] for word in ("mit", "kontra", "re"))

    played = [deal for deal in of_game(season, "couillon", "kop", "baska") if player is None or player in deal.players]
    return {
        key: {
            "deals": len(deals),
            "decided": won(deals) + lost(deals),
            "won": won(deals),
            "share_won": Share(won(deals), won(deals) + lost(deals)),
            "mean_gain": Mean([max(deal.deltas) for deal in deals]),
        }
        for key, deals in tally(played, step).items()
    }


def raisers(season: Season, player: str | None) -> Rows:
    words = {"mit", "kontra", "re", "bok", "slup", "d5", "d6", "d7", "d8"}
    found: dict[Any, list[int]] = defaultdict(list)
    for deal in of_game(season, "couillon", "kop", "baska"):
        said = {(event.seat, event.what) for event in deal.of(Announced)}
        said |= {(event.seat, event.call) for event in deal.of(BidMade)}
        for seat, word in said:
            if word in words and player in (None, deal.players[seat]):
                found[deal.players[seat], deal.table.game, word].append(deal.deltas[seat])
    return {
        key: {
            "deals": len(amounts),
            "gained": sum(amount > 0 for amount in amounts),
            "share_gained": Share(sum(amount > 0 for amount in amounts), len(amounts)),
            "mean_points": Mean(amounts),
        }
        for key, amounts in found.items()
    }


def bez(season: Season, player: str | None) -> Rows:
    counts: Counter[Any] = Counter()
    for deal in of_game(season, "kop", "baska"):
        opened = deal.table.fold.opened
        options = game_named(opened.game).make_options(opened.options, len(opened.players))
        side = "defenders" if deal.is_won else "declarer"
        if is_of(deal, player):
            counts[deal.table.game, deal.contract, side, bez_factor(deal.record.outcome, options)] += 1
    return {
        key: {"deals": count, "share": Share(count, sum(n for other, n in counts.items() if other[:3] == key[:3]))}
        for key, count in counts.items()
    }


# --- faults and lengths -----------------------------------------------------------------------------------------------


def findings(season: Season, player: str | None) -> Rows:
    found: dict[Any, list[Any]] = defaultdict(list)
    for table in season.tables:
        for deal, finding in table.findings:
            name = None if finding.seat is None else deal.players[finding.seat]
            if player in (None, name):
                key = (table.game, finding.code, finding.rule, finding.severity)
                found[key].append((table.name, deal.record.number, name))
    return {
        key: {
            "findings": len(all_found),
            "deals": len({where[:2] for where in all_found}),
            "players": len({where[2] for where in all_found} - {None}),
        }
        for key, all_found in found.items()
    }


REVOKES = {"OMB-11.37", "QUA-11.31", "COU-11.33", "COU-11.34", "KOP-11.44"}


def player_findings(season: Season, player: str | None) -> Rows:
    plays: Counter[str] = Counter()
    severities: dict[str, Counter[str]] = defaultdict(Counter)
    faulty: dict[str, set[Any]] = defaultdict(set)
    revokes: dict[str, set[Any]] = defaultdict(set)
    for table in season.tables:
        played = {}
        for deal in table.deals:
            for version, event in deal.events:
                if type(event) is CardPlayed:
                    plays[deal.players[event.seat]] += 1
                    played[version] = event.seat
        for deal, finding in table.findings:
            if finding.seat is None or finding.severity == "info":
                continue
            name = deal.players[finding.seat]
            severities[name][finding.severity] += 1
            if played.get(finding.version) == finding.seat:
                faulty[name].add((table.name, finding.version))
                if finding.code in REVOKES:
                    revokes[name].add((table.name, finding.version))
    return {
        (name,): {
            "plays": plays[name],
            "errors": severities[name]["error"],
            "warnings": severities[name]["warning"],
            "revokes": len(revokes[name]),
            "revokes_per_1000": Share(len(revokes[name]), plays[name], scale=1000),
            "faulty": len(faulty[name]),
            "faulty_per_1000": Share(len(faulty[name]), plays[name], "faulty_low", "faulty_high", 1000),
        }
        for name in {*plays, *severities}
        if player in (None, name)
    }


def deal_lengths(season: Season, player: str | None) -> Rows:
    chosen = [deal for deal in season.scored if is_of(deal, player)]
    return {
        key: {
            "deals": len(deals),
            "mean_cards": fmean(len(deal.of(CardPlayed)) for deal in deals),
            "mean_calls": fmean(len(deal.of(BidMade)) for deal in deals),
        }
        for key, deals in tally(chosen, lambda deal: (deal.table.game, deal.contract)).items()
    }


EXPECTED: dict[str, tuple[tuple[str, ...], Callable[[Season, str | None], Rows]]] = {
    "standings": (("player",), standings),
    "session-standings": (("session", "played_on", "player"), session_standings),
    "season-standings": (("season", "player"), season_standings),
    "standings-by-day": (("played_on", "player"), standings_by_day),
    "cumulative": (("player", "table_name"), cumulative),
    "course": (("table_name", "deal", "cause", "player"), course),
    "placings": (("table_name", "player"), placings),
    "head-to-head": (("player", "opponent_player"), head_to_head),
    "swings": (("table_name", "deal", "player"), swings),
    "streaks": (("player",), streaks),
    "pool": (("table_name", "deal"), pool),
    "contracts": (("game", "contract"), contracts),
    "player-contracts": (("player", "game", "contract"), player_contracts),
    "declarer-seats": (("game", "contract", "place_from_dealer"), declarer_seats),
    "partners": (("game", "player", "partner_player"), partners),
    "trumps": (("game", "trump"), trumps),
    "opening-leads": (("game", "card"), opening_leads),
    "ombre-exchanges": (("contract", "exchanged"), ombre_exchanges),
    "forced-spadille": (("player",), forced_spadille),
    "called-kings": (("contract", "called_card"), called_kings),
    "premiers-voles": (("game", "contract"), premiers_voles),
    "couillon-makers": (("player",), couillon_makers),
    "doublings": (("game", "step"), doublings),
    "raisers": (("player", "game", "word"), raisers),
    "bez": (("game", "contract", "losing_side", "factor"), bez),
    "findings": (("game", "code", "rule", "severity"), findings),
    "player-findings": (("player",), player_findings),
    "deal-lengths": (("game", "contract"), deal_lengths),
}
"""Each statistic: the columns by which its rows are known, and what they should come to."""
