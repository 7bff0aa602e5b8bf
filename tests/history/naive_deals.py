"""The statistics of contracts, cards and faults by hand, for every game."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import combinations
from typing import Any

from ledger.events import BidMade, CardPlayed, ResultRecorded
from ledger.games import game_named
from ledger.games.ombre.pack import active_seats
from tests.history.naive import Mean, Rows, Share, gains, is_of, kind_of, lost, successes, tally, won
from tests.history.season import DealFacts, Season


def contracts(season: Season, player: str | None) -> Rows:
    played = [deal for deal in season.scored if deal.contract and is_of(deal, player)]
    return {
        key: {
            "played": len(deals), "declared": sum(bool(deal.declarers) for deal in deals), **successes(deals),
            "lost": lost(deals), "mean_points": gains(deals),
        }
        for key, deals in tally(played, lambda deal: (deal.table.game, deal.contract)).items()
    }  # fmt: skip


def player_contracts(season: Season, player: str | None) -> Rows:
    known = {(deal.table.game, deal.contract) for table in season.all_tables for deal in table.deals if deal.contract}
    called: Counter[Any] = Counter()
    played: dict[Any, list[tuple[DealFacts, int]]] = defaultdict(list)
    for deal in (deal for deal in season.scored if deal.contract):
        said = {(deal.players[bid.seat], deal.table.game, bid.call.removesuffix("_favour")) for bid in deal.of(BidMade)}
        called.update(key for key in said if key[1:] in known)
        for seat in deal.declarers:
            played[deal.players[seat], deal.table.game, deal.contract].append((deal, deal.deltas[seat]))
    return {
        key: {
            "called": called[key] if called[key] or _could_call(key, [deal for deal, _ in played[key]]) else None,
            "played": len(played[key]), **successes([deal for deal, _ in played[key]]),
            "lost": lost(deal for deal, _ in played[key]), "mean_points": Mean(played[key], kind_of([key[2]])),
        }
        for key in {*called, *played}
        if player in (None, key[0])
    }  # fmt: skip


def _could_call(key: tuple[str, str, str], played: list[DealFacts]) -> bool:
    _, game, contract = key
    can_be_called = any(call.removesuffix("_favour") == contract for call in game_named(game).calls)
    return can_be_called and any(not deal.of(ResultRecorded) for deal in played)


def declarer_seats(season: Season, player: str | None) -> Rows:
    groups: dict[Any, list[DealFacts]] = defaultdict(list)
    for deal in season.scored:
        for seat in deal.declarers:
            if player in (None, deal.players[seat]):
                place = (seat - deal.record.dealer) % len(deal.players)
                groups[deal.table.game, deal.contract, place].append(deal)
    return {key: {"played": len(deals), **successes(deals)} for key, deals in groups.items()}


def partners(season: Season, player: str | None) -> Rows:
    together: dict[Any, list[tuple[bool | None, DealFacts, float]]] = defaultdict(list)
    for deal in season.scored:
        pairs: list[tuple[int, int, bool | None]] = []
        if len(deal.declarers) == 2:
            pairs.append((*deal.declarers, deal.is_won))
        elif deal.view.partner is not None:
            pairs.append((deal.declarer, deal.view.partner, deal.is_won))
        elif deal.table.game == "couillon":
            seats = combinations(range(len(deal.players)), 2)
            pairs += [(a, b, None if deal.winner is None else deal.winner == a % 2) for a, b in seats if a % 2 == b % 2]
        for first, second, is_won in pairs:
            seats = sorted(
                (first, second), key=lambda seat: (deal.record.players[seat] != player, deal.record.players[seat])
            )
            names = [deal.record.players[seat] for seat in seats]
            if player in (None, *names) and season.seat in (None, seats[0]):
                each = (deal.deltas[first] + deal.deltas[second]) / 2
                together[deal.table.game, *names].append((is_won, deal, each))
    rows: Rows = {}
    for key, deals in together.items():
        won, lost = (sum(is_won is wanted for is_won, *_ in deals) for wanted in (True, False))
        rows[key] = {
            "deals": len(deals), "decided": won + lost, "won": won, "lost": lost, "share_won": Share(won, won + lost),
            "mean_points": Mean([moved for _, *moved in deals], "partner"),
        }  # fmt: skip
    return rows


def roles(season: Season, player: str | None) -> Rows:
    groups: dict[Any, list[tuple[bool | None, DealFacts, int]]] = defaultdict(list)
    for deal in season.scored:
        for seat, name in enumerate(deal.players if deal.declarers else ()):
            if not name or player not in (None, name) or seat not in active(deal):
                continue
            role = "defender"
            if seat in deal.declarers:
                role = "declarer"
            elif seat == deal.view.partner or (deal.table.game == "couillon" and seat % 2 == deal.declarers[0] % 2):
                role = "partner"
            is_won = None if deal.is_won is None else deal.is_won is not (role == "defender")
            groups[name, deal.table.game, role].append((is_won, deal, deal.deltas[seat]))
    rows: Rows = {}
    for key, deals in groups.items():
        won, decided = (sum(is_won in wanted for is_won, *_ in deals) for wanted in ((True,), (True, False)))
        rows[key] = {
            "deals": len(deals), "decided": decided, "won": won, "share_won": Share(won, decided),
            "mean_points": Mean([moved for _, *moved in deals], key[2]),
        }  # fmt: skip
    return rows


def active(deal: DealFacts) -> Sequence[int]:
    """Return the seats that play the deal: in Ombre three of four."""
    seats = len(deal.players)
    return active_seats(seats, deal.record.dealer) if deal.table.game == "ombre" else range(seats)


def trumps(season: Season, player: str | None) -> Rows:
    played = [deal for deal in season.scored if deal.view.trump and is_of(deal, player)]
    in_game = Counter(deal.table.game for deal in played)
    return {
        (game, trump): {
            "deals": len(deals), "share": Share(len(deals), in_game[game]), "decided": won(deals) + lost(deals),
            "won": won(deals), "share_won": Share(won(deals), won(deals) + lost(deals), "won_low", "won_high"),
        }
        for (game, trump), deals in tally(played, lambda deal: (deal.table.game, deal.view.trump)).items()
    }  # fmt: skip


def opening_leads(season: Season, player: str | None) -> Rows:
    led: dict[Any, list[tuple[bool | None, DealFacts, float]]] = defaultdict(list)
    for deal in season.scored:
        for trick in deal.view.tricks[:1]:
            leader = trick.seats[0]
            if player in (None, deal.players[leader]):
                is_won = None if trick.winner is None else trick.winner == leader
                led[deal.table.game, trick.cards[0]].append((is_won, deal, deal.deltas[leader]))
    in_game = Counter(game for (game, _), leads in led.items() for _ in leads)
    rows: Rows = {}
    for (game, card), leads in led.items():
        known, won = (sum(is_won in wanted for is_won, *_ in leads) for wanted in ((True, False), (True,)))
        rows[game, card] = {
            "led": len(leads), "share": Share(len(leads), in_game[game]), "known": known, "won_trick": won,
            "share_won_trick": Share(won, known, "won_low", "won_high"),
            "mean_points": Mean([moved for _, *moved in leads]),
        }  # fmt: skip
    return rows


def findings(season: Season, player: str | None) -> Rows:
    groups: dict[Any, list[Any]] = defaultdict(list)
    for table in season.tables:
        for deal, finding in table.findings:
            name = None if finding.seat is None else deal.players[finding.seat]
            if player in (None, name):
                key = (table.game, finding.code, finding.rule, finding.severity)
                groups[key].append((table.name, deal.record.number, name, deal.score["status"]))
    return {
        key: {
            "findings": len(places),
            "found_in": len({where[:2] for where in places}),
            "deals": len({where[:2] for where in places if where[3] == "complete"}),
            "players": len({where[2] for where in places} - {None}),
        }
        for key, places in groups.items()
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
            "plays": plays[name], "errors": severities[name]["error"], "warnings": severities[name]["warning"],
            "revokes": len(revokes[name]), "revokes_per_1000": Share(len(revokes[name]), plays[name], scale=1000),
            "faulty": len(faulty[name]),
            "faulty_per_1000": Share(len(faulty[name]), plays[name], "faulty_low", "faulty_high", 1000),
        }
        for name in {*plays, *severities}
        if player in (None, name)
    }  # fmt: skip


def deal_lengths(season: Season, player: str | None) -> Rows:
    chosen = [deal for deal in season.scored if is_of(deal, player)]
    rows: Rows = {}
    for key, deals in tally(chosen, lambda deal: (deal.table.game, deal.contract)).items():
        recorded = [deal for deal in deals if not deal.of(ResultRecorded)]
        rows[key] = {
            "deals": len(deals),
            "recorded": len(recorded),
            "mean_cards": Mean([(deal, len(deal.of(CardPlayed))) for deal in recorded], "cards", "cards"),
            "mean_calls": Mean([(deal, len(deal.of(BidMade))) for deal in recorded], "calls", "calls"),
        }
    return rows
