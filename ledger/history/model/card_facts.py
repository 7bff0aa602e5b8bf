"""The facts about each card in each order of a game (trump, matador, rank, points), read from the game's own tables."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from msgspec import Struct

from ledger.cards import INDEX
from ledger.games import registered_games
from ledger.games.kernel.card_order import TrumpTable
from ledger.games.kernel.matadors import MatadorTable
from ledger.games.kernel.protocol import Game
from ledger.games.kernel.tricks import Tricks


class CardFact(Struct, frozen=True):
    """One card in one order; the fields are the columns of `card_facts`.

    `is_matador` is None in games without matadors, `points` in games whose cards count no points.
    """

    card_order: str
    game: str
    card: str
    is_trump: bool
    is_matador: bool | None
    rank: int
    points: int | None


def card_order(game: Game, laid: Tricks | None) -> str | None:
    """Return the name of the order that ranks the cards of a deal; None if it is unknown."""
    if laid is None:
        return None
    return next((_named(game, order) for order, table in game.orders.items() if table is laid.table), None)


def _named(game: Game, order: str) -> str:
    return f"{game.name}-{order}"


@cache
def card_facts() -> tuple[CardFact, ...]:
    """Return all cards in all orders of all installed games."""
    games = sorted(registered_games().values(), key=lambda game: game.name)
    return tuple(fact for game in games for order in game.orders for fact in _facts(game, order))


def _facts(game: Game, order: str) -> Iterator[CardFact]:
    table = game.orders[order]
    points = game.simulation.points if game.simulation is not None else ()
    for card in sorted(game.pack, key=INDEX.__getitem__):
        number = INDEX[card]
        yield CardFact(
            card_order=_named(game, order),
            game=game.name,
            card=card,
            is_trump=bool(table.trumps >> number & 1),
            is_matador=bool(table.matadors >> number & 1) if isinstance(table, MatadorTable) else None,
            rank=_rank(table, number),
            points=points[number] if points else None,
        )


def _rank(table: TrumpTable, card: int) -> int:
    """Return the card's rank in its suit from 1, the highest; all trumps are one suit."""
    return 1 + (table.beaten_by[card] & table.follows[card]).bit_count()
