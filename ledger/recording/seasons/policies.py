"""The card play of invented players: random, careful, or counting the cards that are out.

No policy sees another hand: a `SeatView` holds only what its player sees.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from ledger.cards import INDEX, PACK_52, cards_in, mask_of
from ledger.events import CardPlayed
from ledger.games.kernel.card_order import TrumpTable
from ledger.games.kernel.deal import Deal
from ledger.games.kernel.protocol import Chance, Simulation


class SeatView(NamedTuple):
    """The facts that a seat decides by. Masks of cards: its `hand`, those it `may` play, those still `out` elsewhere.

    `winning`: the best card on the table; None for the leader. `is_ours`: an ally played it. `is_last`: nobody plays
    after this seat. `points`: by card number; empty if only tricks count. `order`: how many cards each card beats.
    """

    table: TrumpTable
    order: Sequence[int]
    points: Sequence[int]
    hand: int
    may: int
    out: int
    winning: int | None
    is_ours: bool
    is_last: bool

    def is_unbeaten(self, card: int) -> bool:
        """Return whether no card that is still out beats the card."""
        return not self.table.beaten_by[card] & self.out

    def cost(self, card: int) -> tuple[int, int]:
        """Return the cost of giving the card away: its points, then how many cards it beats."""
        return (self.points[card] if self.points else 0), self.order[card]


Policy: TypeAlias = Callable[[SeatView, Chance], int | None]
"""A function that chooses a card of the hand; None leaves the choice to the game's simulation."""


def careful(sight: SeatView, chance: Chance) -> int:
    """Play high cards only on tricks that they can win and never against an ally; win as last as cheaply as possible.

    It does not remember played cards: only the rank shows whether a card is good.
    """
    if sight.winning is None:
        return max(cards_in(sight.may), key=lambda card: sight.order[card] + 6 * chance.random())
    if sight.is_ours:
        return _given_to_ally(sight)
    better = sight.may & sight.table.beaten_by[sight.winning]
    if not better:
        return _cheapest(sight, sight.may)
    return _cheapest(sight, better) if sight.is_last else max(cards_in(better), key=sight.order.__getitem__)


def counting(sight: SeatView, chance: Chance) -> int:
    """Play by the cards that are out: lead unbeaten cards, draw trumps from a longer holding, win as cheaply as
    possible.
    """
    if sight.winning is None:
        return _lead(sight)
    if sight.is_ours and (sight.is_last or sight.is_unbeaten(sight.winning)):
        return _given_to_ally(sight)
    better = sight.may & sight.table.beaten_by[sight.winning]
    if not better:
        return _given_to_ally(sight) if sight.is_ours else _cheapest(sight, sight.may)
    holding = better if sight.is_last else mask_of(filter(sight.is_unbeaten, cards_in(better)))
    if holding:
        return _cheapest(sight, holding)
    return _cheapest(sight, sight.may)


class Skill(NamedTuple):
    """The way a player plays. `card`: the card policy. `is_shrewd`: makes the most valuable call; others draw one by
    weight.
    """

    card: Policy
    is_shrewd: bool


def blind(sight: SeatView, chance: Chance) -> None:
    """Leave the choice to chance."""


SKILLS: Final = {"random": Skill(blind, False), "careful": Skill(careful, True), "counting": Skill(counting, True)}
"""The skills by the names used in a list of members."""

_REVOKE: Final = 0.0005
"""The share of cards that are played against a duty to follow."""


def revoking(skill: Skill) -> Skill:
    """Return the skill with occasional revokes."""

    def card(sight: SeatView, chance: Chance) -> int | None:
        forbidden = sight.hand & ~sight.may
        if forbidden and chance.random() < _REVOKE:
            return chance.sample(list(cards_in(forbidden)), 1)[0]
        return skill.card(sight, chance)

    return Skill(card, skill.is_shrewd)


def _lead(sight: SeatView) -> int:
    trumps = sight.table.trumps
    sure = [card for card in cards_in(sight.may) if sight.is_unbeaten(card)]
    drawing = [card for card in sure if trumps >> card & 1]
    if drawing and sight.out & trumps and (sight.hand & trumps).bit_count() * 2 >= (sight.out & trumps).bit_count():
        return max(drawing, key=sight.order.__getitem__)
    plain = [card for card in sure if not trumps >> card & 1]
    if plain:
        return min(plain, key=lambda card: (sight.table.follows[card] & sight.hand).bit_count())
    if drawing and not sight.hand & ~trumps:
        return drawing[0]
    return _cheapest(sight, sight.may & ~trumps or sight.may)


def _given_to_ally(sight: SeatView) -> int:
    """Return the card with the most points that does not beat the ally; without points the weakest."""
    assert sight.winning is not None
    under = sight.may & ~sight.table.beaten_by[sight.winning] or sight.may
    if not sight.points:
        return _cheapest(sight, under)
    return max(cards_in(under), key=lambda card: (sight.points[card], -sight.order[card]))


def _cheapest(sight: SeatView, cards: int) -> int:
    return min(cards_in(cards), key=sight.cost)


@lru_cache(maxsize=64)
def _beaten_counts(beaten_by: tuple[int, ...]) -> tuple[int, ...]:
    counts = [0] * len(PACK_52)
    for above in beaten_by:
        for card in cards_in(above):
            counts[card] += 1
    return tuple(counts)


@lru_cache(maxsize=64)
def _pack_of(follows: tuple[int, ...]) -> int:
    pack = 0
    for suit in follows:
        pack |= suit
    return pack


def view_of_seat(deal: Deal, simulation: Simulation, seat: int, plays: Sequence[CardPlayed]) -> SeatView | None:
    """Return the view of the seat in turn; None before the play, and in games without tricks."""
    laid = deal.laid()
    if laid is None:
        return None
    hand = laid.known[seat]
    return SeatView(
        table=laid.table,
        order=_beaten_counts(laid.table.beaten_by),
        points=simulation.points,
        hand=hand,
        may=mask_of(INDEX[play.card] for play in plays),
        out=_pack_of(laid.table.follows) & ~hand & ~laid.played(),
        winning=laid.winning if laid.on_table else None,
        is_ours=bool(laid.on_table) and laid.best != seat and bool(simulation.allies(deal, seat) >> laid.best & 1),
        is_last=laid.on_table == laid.size - 1,
    )


def choose_card(
    deal: Deal, simulation: Simulation, skill: Skill, plays: Sequence[CardPlayed], chance: Chance
) -> CardPlayed | None:
    """Return the card that the seat in turn chooses; None if the game's simulation chooses."""
    seat = deal.turn()
    sight = None if seat is None else view_of_seat(deal, simulation, seat, plays)
    card = None if seat is None or sight is None else skill.card(sight, chance)
    return None if seat is None or card is None else CardPlayed(seat=seat, card=PACK_52[card])
