"""The statistics of one or two games, by hand."""

from collections import Counter, defaultdict
from typing import Any

from ledger.events import Announced, BidMade, CardsExchanged, PartnerCalled
from ledger.games import game_named
from ledger.games.kop.scoring import bez_factor
from tests.history.naive import Mean, Rows, Share, gains, is_of, lost, successes, tally
from tests.history.season import DealFacts, Season


def of_game(season: Season, *games: str) -> list[DealFacts]:
    return [deal for deal in season.scored if deal.table.game in games]


def ombre_exchanges(season: Season, player: str | None) -> Rows:
    groups: dict[Any, list[DealFacts]] = defaultdict(list)
    for deal in of_game(season, "ombre"):
        for exchange in deal.of(CardsExchanged):
            if exchange.seat == deal.declarer and is_of(deal, player):
                groups[deal.contract, exchange.count].append(deal)
    return {
        key: {"deals": len(deals), **successes(deals), "mean_points": gains(deals)} for key, deals in groups.items()
    }


def forced_spadille(season: Season, player: str | None) -> Rows:
    rows: Rows = {}
    for name in {name for deal in of_game(season, "quadrille") for name in deal.players if player in (None, name)}:
        deals = [deal for deal in of_game(season, "quadrille") if name in deal.players]
        forced = [deal for deal in deals if deal.contract == "forced" and deal.declarer_player == name]
        rows[(name,)] = {
            "deals": len(deals), "forced": len(forced),
            "share_forced": Share(len(forced), len(deals), "forced_low", "forced_high"), **successes(forced),
            "mean_points": gains(forced),
        }  # fmt: skip
    return rows


def called_kings(season: Season, player: str | None) -> Rows:
    def key(deal: DealFacts) -> tuple[Any, ...]:
        called = [event.card or "none" for event in deal.of(PartnerCalled)]
        return deal.contract, called[-1] if called else None

    played = [
        deal for deal in of_game(season, "quadrille") if deal.contract in ("alliance", "forced") and is_of(deal, player)
    ]
    return {
        key: {"deals": len(deals), "alone": sum(deal.view.partner is None for deal in deals), **successes(deals)}
        for key, deals in tally(played, key).items()
    }


def premiers_voles(season: Season, player: str | None) -> Rows:
    rows: Rows = {}
    played = [
        deal
        for deal in of_game(season, "ombre", "quadrille")
        if deal.contract and is_of(deal, player) and not deal.is_ruled
    ]
    for key, deals in tally(played, lambda deal: (deal.table.game, deal.contract)).items():
        premiers = sum(deal.outcome.get("primeras", deal.outcome.get("premiers")) for deal in deals)
        voles = [str(deal.outcome.get("vole") or deal.outcome["result"]) for deal in deals]
        made = sum(vole in ("made", "SACADA_VOLE") for vole in voles)
        tried = made + sum(vole in ("failed", "SACADA_VOLE_FAILED") for vole in voles)
        rows[key] = {
            "deals": len(deals), "premiers": premiers, "share_premiers": Share(premiers, len(deals)), "voles": tried,
            "voles_made": made, "share_made": Share(made, tried, "made_low", "made_high"),
        }  # fmt: skip
    return rows


def couillon_makers(season: Season, player: str | None) -> Rows:
    rows: Rows = {}
    for name in {name for deal in of_game(season, "couillon") for name in deal.players if player in (None, name)}:
        deals = [deal for deal in of_game(season, "couillon") if name in deal.players]
        made = [deal for deal in deals if deal.declarer_player == name]
        rows[(name,)] = {
            "deals": len(deals), "made": len(made),
            "share_made": Share(len(made), len(deals), "made_low", "made_high"), **successes(made),
            "lost": lost(made),
            "circles": sum(deal.is_won is False and _has_circle(deal) for deal in made),
        }  # fmt: skip
    return rows


def _has_circle(deal: DealFacts) -> bool:
    if deal.award is not None:
        return bool(deal.award.get("circle"))
    return any(line["rule"] == "COU-7.16" for line in deal.score["lines"])


def doublings(season: Season, player: str | None) -> Rows:
    def step(deal: DealFacts) -> tuple[Any, ...]:
        if deal.table.game != "couillon":
            return deal.table.game, deal.outcome["doublings"]
        return "couillon", sum(deal.outcome[word] for word in ("mit", "kontra", "re"))

    played = [deal for deal in of_game(season, "couillon", "kop", "baska") if player is None or player in deal.players]
    return {
        key: {
            "deals": len(deals),
            **successes(deals),
            "mean_gain": Mean([(deal, max(deal.deltas)) for deal in deals], "gain"),
        }
        for key, deals in tally(played, step).items()
    }


def raisers(season: Season, player: str | None) -> Rows:
    words = {"mit", "kontra", "re", "bok", "slup", "d5", "d6", "d7", "d8"}
    groups: dict[Any, list[tuple[DealFacts, int]]] = defaultdict(list)
    for deal in of_game(season, "couillon", "kop", "baska"):
        said = {(event.seat, event.what) for event in deal.of(Announced)}
        said |= {(event.seat, event.call) for event in deal.of(BidMade)}
        for seat, word in said:
            if word in words and player in (None, deal.players[seat]):
                groups[deal.players[seat], deal.table.game, word].append((deal, deal.deltas[seat]))
    rows: Rows = {}
    for key, moved in groups.items():
        gained = sum(amount > 0 for _, amount in moved)
        rows[key] = {
            "deals": len(moved), "gained": gained, "share_gained": Share(gained, len(moved)),
            "mean_points": Mean(moved, "contract"),
        }  # fmt: skip
    return rows


def bez(season: Season, player: str | None) -> Rows:
    counts: Counter[Any] = Counter()
    for deal in of_game(season, "kop", "baska"):
        opened = deal.table.fold.opened
        options = game_named(opened.game).make_options(opened.options, len(opened.players))
        side = "defenders" if deal.is_won else "declarer"
        may_be_bez = deal.contract in ("normal", "wesele") or (
            options.bez_in_solo and deal.contract in ("cicha", "zolo", "grand")
        )
        if may_be_bez and is_of(deal, player) and not deal.is_ruled:
            counts[deal.table.game, deal.contract, side, bez_factor(deal.record.outcome, options)] += 1
    return {
        key: {"deals": count, "share": Share(count, sum(n for other, n in counts.items() if other[:3] == key[:3]))}
        for key, count in counts.items()
    }
