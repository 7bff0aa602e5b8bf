"""Random legal tables for demonstration, load and tests; all events are drawn from the legal moves of the game.

The same seed makes the same tables. The game's `Simulation` makes play look natural.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final, TypeAlias

from msgspec import structs

from ledger.errors import MalformedError
from ledger.events import (
    Announced,
    CardPlayed,
    CardsExchanged,
    DealStarted,
    Event,
    TableClosed,
    TableOpened,
)
from ledger.games.kernel.deal import Deal
from ledger.games.kernel.moves import of_type, shown
from ledger.games.kernel.protocol import Game, Simulation
from ledger.recording.catalogue import phrase
from ledger.recording.forms import seat_counts
from ledger.recording.seasons.policies import Skill, choose_card
from ledger.streams import TABLE

Skills: TypeAlias = Sequence[Skill]
"""The skill of each seat."""


PLAYERS: Final = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana")
"""The players of simulated tables; a table takes as many as it has seats."""


def own_number(game: Game, options: Mapping[str, Any]) -> int | None:
    """Return the smallest number of players that the game allows with these options; None if there is none."""
    return next(seat_counts(game, options), None)


def simulate(
    game: Game,
    players: Sequence[str],
    options: Mapping[str, Any],
    *,
    tables: int,
    deals: int,
    seed: int,
    slug: str = "simulated",
    session: str | None = None,
    lang: str = "en",
) -> Iterator[tuple[str, Event]]:
    """Yield stream and event of several tables, one after the other; table n is named `<slug>-<n>`, from 1.

    A table whose match ends before the last deal is closed with this reason in the language.
    """
    for number in range(1, tables + 1):
        name = f"{slug}-{number}"
        *events, closed = simulate_table(game, players, options, deals, seed, name, session=session)
        made = sum(isinstance(event, DealStarted) for event in events)
        if made < deals:
            closed = TableClosed(reason=phrase("simulation.over", made=made, deals=deals).in_words(lang))
        for event in (*events, closed):
            yield TABLE.stream(name), event


def simulate_table(
    game: Game,
    players: Sequence[str],
    options: Mapping[str, Any],
    deals: int,
    seed: int,
    table_slug: str,
    *,
    session: str | None = None,
    closed: bool = True,
    skills: Callable[[int], Skills] | None = None,
) -> list[Event]:
    """Return the events of one table, from its opening to its closing.

    `skills` returns the skills for a deal number. Tables of one seed differ by their slug. There are fewer deals if the
    match ends earlier. Raise `MalformedError` for unknown options, and for a game without simulation.
    """
    dealer_of_cards = game.simulation
    if dealer_of_cards is None:
        raise MalformedError(phrase("simulation.none"), phrase("simulation.game"), game.name)
    chance = Random(f"{seed} {table_slug}")  # a string seeds by its SHA-512 hash, which is the same everywhere
    settled = game.make_options(options, len(players))
    match = game.make_match(settled, len(players))
    events: list[Event] = [
        TableOpened(game=game.name, players=tuple(players), session=session, options=dict(options)),
    ]
    for number in range(1, deals + 1):
        if match.is_over:
            break
        expected = match.expected_dealer()
        dealer = chance.randrange(len(players)) if expected is None else expected
        deal = match.start_deal(dealer)
        dealt = dealer_of_cards.deal_cards(settled, len(players), dealer, chance)
        deal.apply(dealt, 0)
        events.append(DealStarted(deal=number, dealer=dealer))
        events.append(dealt)
        events.extend(play_out(deal, dealer_of_cards, chance, () if skills is None else skills(number)))
        match.settle(deal.status, deal.outcome(), None)
    if closed:
        events.append(TableClosed())
    return events


def play_out(deal: Deal, simulation: Simulation, chance: Random, skills: Skills = ()) -> Iterator[Event]:
    """Play the deal to its end with legal events and yield them."""
    while moves := deal.legal():
        event = _drawn(deal, shown(moves, deal.turn()), simulation, chance, skills)
        deal.apply(event, 0)
        yield event
    for event in simulation.last_words(deal):
        deal.apply(event, 0)
        yield event


def _drawn(
    deal: Deal, legal: Mapping[type, Mapping[Any, Event]], simulation: Simulation, chance: Random, skills: Skills
) -> Event:
    """Return one of the legal moves; an announcement is drawn separately if other moves are legal."""
    said = list(legal.get(Announced, {}).values())
    if said:
        weights = _weights(deal, said, simulation)
        if len(legal) == 1:
            return _choice(said, weights, chance)
        for move, likely in zip(said, weights or [0.1] * len(said), strict=True):
            if chance.random() < likely:
                return move
    kinds = [kind for kind in legal if kind is not Announced]
    kind = kinds[0] if len(kinds) == 1 else chance.choice(kinds)
    moves = list(legal[kind].values())
    seat = deal.turn()
    skill = skills[seat] if skills and seat is not None else None
    return with_discards(deal, _considered(deal, moves, simulation, skill, chance), simulation, chance)


def with_discards(deal: Deal, move: Event, simulation: Simulation, chance: Random) -> Event:
    """Return the move; an exchange gets the cards that the seat discards."""
    if not isinstance(move, CardsExchanged):
        return move
    return structs.replace(move, discarded=simulation.discards(deal, move.seat, move.count, chance))


def _considered(
    deal: Deal, moves: Sequence[Event], simulation: Simulation, skill: Skill | None, chance: Random
) -> Event:
    """Return one of the moves: the card that the skill chooses, the most valuable call, or a random move."""
    plays = of_type(moves, CardPlayed)
    if plays and skill and (play := choose_card(deal, simulation, skill, plays, chance)) is not None:
        return play
    if len(moves) == 1:
        return moves[0]
    weights = _weights(deal, moves, simulation)
    if skill and skill.is_shrewd and weights is not None:
        return moves[weights.index(max(weights))]
    return _choice(moves, weights, chance)


def _weights(deal: Deal, moves: Sequence[Event], simulation: Simulation) -> list[float] | None:
    """Return the weight of each move; None if all are alike."""
    weights = [simulation.weight(deal, move) for move in moves]
    known = [weight for weight in weights if weight is not None]
    return known if len(known) == len(weights) else None


def _choice(moves: Sequence[Event], weights: Sequence[float] | None, chance: Random) -> Event:
    return chance.choice(moves) if weights is None else chance.choices(moves, weights)[0]
