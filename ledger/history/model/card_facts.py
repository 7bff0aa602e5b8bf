"""What each card is in each order of the cards that a game has: the game's own tables, taken apart card by card."""

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

    `is_matador` and `points` are None in games that have no matadors, and in which cards count no points.
    """

    card_order: str
    game: str
    card: str
    is_trump: bool
    is_matador: bool | None
    rank: int
    points: int | None


def card_order(game: Game, laid: Tricks | None) -> str | None:
    """The name of the order that ranks the cards of a deal; None where nobody knows which does."""
    if laid is None:
        return None
    return next((_named(game, order) for order, table in game.orders.items() if table is laid.table), None)


def _named(game: Game, order: str) -> str:
    return f"{game.name}-{order}"


@cache
def card_facts() -> tuple[CardFact, ...]:
    """All cards of all orders of the games that there are."""
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
    """1 for the highest card of its suit, the trumps being one."""
    return 1 + (table.beaten_by[card] & table.follows[card]).bit_count()
