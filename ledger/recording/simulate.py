"""Makes legal random tables, for demonstration, load and tests: every event is drawn from what the game says is legal.

The same seed makes the same tables. What looks played rather than drawn comes from the game's own `Simulation`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import Any, Final, TypeAlias

from ledger.errors import MalformedError
from ledger.events import (
    MAX_SEATS,
    Announced,
    BidMade,
    CardPlayed,
    CardsExchanged,
    CardTurned,
    DealStarted,
    Event,
    PartnerCalled,
    TableClosed,
    TableOpened,
    TrumpNamed,
)
from ledger.games.kernel.deal import Deal
from ledger.games.kernel.protocol import Game, Simulation
from ledger.games.kernel.views import Legal
from ledger.recording.seasons.policies import Skill, chosen
from ledger.recording.words import phrase

Skills: TypeAlias = Sequence[Skill]
"""How each seat plays."""


PLAYERS: Final = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana")
"""Who sits at simulated tables, as many of them as a table has seats."""

_ANNOUNCED = "announced"


def own_number(game: Game, options: Mapping[str, Any]) -> int | None:
    """The smallest number of players with which the game is played under these options; None where there is none."""
    for players in range(2, MAX_SEATS + 1):
        with suppress(MalformedError):
            game.make_options(options, players)
            return players
    return None


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
    """Several tables, one after the other: stream and event. The table n is named `<slug>-<n>`, from 1.

    A table whose match was over before so many deals is closed with this reason, in the language.
    """
    for number in range(1, tables + 1):
        name = f"{slug}-{number}"
        *events, closed = simulate_table(game, players, options, deals, seed, name, session=session)
        made = sum(isinstance(event, DealStarted) for event in events)
        if made < deals:
            closed = TableClosed(reason=phrase("simulation.over", made=made, deals=deals).in_words(lang))
        for event in (*events, closed):
            yield f"table/{name}", event


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
    """The events of one table, from its opening to its closing.

    `skills`: how the seats play in the deal of that number. Tables of one seed differ by their slug. Fewer deals are
    made where the match ends earlier. Raises `MalformedError` for options that the game does not have, and for a game
    that cannot be simulated.
    """
    dealer_of_cards = game.simulation
    if dealer_of_cards is None:
        raise MalformedError(phrase("simulation.none"), phrase("simulation.game"), game.name)
    chance = Random(f"{seed} {table_slug}")  # a text seeds by its hash in SHA-512: equal everywhere
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
    """Moves the deal by legal events to its end and answers them one by one."""
    while legal := deal.legal():
        event = simulation.completed(deal, _drawn(deal, legal, simulation, chance, skills))
        deal.apply(event, 0)
        yield event
    for event in simulation.last_words(deal):
        deal.apply(event, 0)
        yield event


def _drawn(deal: Deal, legal: Legal, simulation: Simulation, chance: Random, skills: Skills) -> Event:
    """One of the legal events; an announcement comes by its own chance where something else could be done."""
    if _ANNOUNCED in legal:
        said = legal[_ANNOUNCED]
        weights = simulation.weights(deal, _ANNOUNCED, said)
        if len(legal) == 1:
            return event_of(deal, _ANNOUNCED, _choice(said, weights, chance), simulation, chance)
        for value, likely in zip(said, weights or [0.1] * len(said), strict=True):
            if chance.random() < likely:
                return event_of(deal, _ANNOUNCED, value, simulation, chance)
    kinds = [kind for kind in legal if kind != _ANNOUNCED]
    kind = kinds[0] if len(kinds) == 1 else chance.choice(kinds)
    values = legal[kind]
    seat = deal.turn()
    skill = skills[seat] if skills and seat is not None else None
    value = _considered(deal, kind, values, simulation, skill, chance)
    return event_of(deal, kind, value, simulation, chance)


def _considered(
    deal: Deal, kind: str, values: Sequence[Any], simulation: Simulation, skill: Skill | None, chance: Random
) -> Any:
    """One of the values: of cards what the skill chooses, of all else what its hand is worth, or drawn by that."""
    if kind == "card_played" and skill and (card := chosen(deal, simulation, skill, values, chance)) is not None:
        return card
    if len(values) == 1:
        return values[0]
    weights = simulation.weights(deal, kind, values)
    if skill and skill.is_shrewd and weights is not None:
        return values[weights.index(max(weights))]
    return _choice(values, weights, chance)


def _choice(values: Sequence[Any], weights: Sequence[float] | None, chance: Random) -> Any:
    return chance.choice(values) if weights is None else chance.choices(values, weights)[0]


def event_of(deal: Deal, kind: str, value: Any, simulation: Simulation, chance: Random) -> Event:
    """The event that a value of `legal` stands for; `2:mit` is said by seat 2, else the seat in turn acts."""
    seat = deal.turn()
    if kind in (_ANNOUNCED, "bid_made") and ":" in value:
        who, _, value = value.partition(":")
        seat = int(who)
    if kind == _ANNOUNCED:
        return Announced(seat=seat, what=value)
    if kind == "card_turned":
        return CardTurned(card=value)
    if kind == "card_played" and seat is None:
        return _lead_without_turn(deal, value)
    assert seat is not None, f"{kind} is legal while no seat is in turn"
    if kind == "card_played":
        return CardPlayed(seat=seat, card=value)
    if kind == "cards_exchanged":
        discarded = simulation.discards(deal, seat, value, chance)
        return CardsExchanged(seat=seat, count=value, discarded=discarded)
    if kind == "bid_made":
        return BidMade(seat=seat, call=value)
    if kind == "trump_named":
        return TrumpNamed(seat=seat, suit=value)
    return PartnerCalled(seat=seat, card=value)


def _lead_without_turn(deal: Deal, card: str) -> CardPlayed:
    """A card that may be led while no seat is in turn, as in a free auction: by the seat that may lead it."""
    plays = (CardPlayed(seat=seat, card=card) for seat in range(len(deal.view().hands)))
    return next(play for play in plays if all(found.severity == "info" for found in deal.check(play)))
