"""Random tables played by the rules, and ledgers made of them, for the tests of the read model."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from ledger.events import (
    Announced,
    BidMade,
    CardPlayed,
    CardsDealt,
    CardsExchanged,
    CardTurned,
    DealStarted,
    Event,
    TableClosed,
    TableOpened,
    TrumpNamed,
)
from ledger.games import game_named
from ledger.games.protocol import Deal
from ledger.log import Batch, LogStore, NewEntry

NAMES = ("Ann", "Bob", "Cleo", "Dirk", "Ève", "鈴木")


def random_table(
    chance: random.Random,
    deals: int,
    *,
    players: Sequence[str] = NAMES[:3],
    session: str | None = None,
    options: dict[str, Any] | None = None,
    is_closed: bool = False,
) -> list[Event]:
    """The events of an Ombre table with so many deals, each action chosen among the legal ones."""
    opened = TableOpened(game="ombre", players=tuple(players), session=session, options=options or {})
    events: list[Event] = [opened]
    game = game_named("ombre")
    match = game.make_match(game.make_options(opened.options, len(players)), len(players))
    dealer: int | None = chance.randrange(len(players))
    for number in range(1, deals + 1):
        if match.is_over:
            break
        dealer = number_or(match.expected_dealer(), dealer)
        machine = match.start_deal(dealer)
        events.append(DealStarted(deal=number, dealer=dealer))
        events.extend(random_deal(chance, machine, sorted(game.pack), len(players), dealer))
        match.settle(machine.status, machine.outcome(), None)
    return [*events, TableClosed()] if is_closed else events


def number_or(number: int | None, instead: int | None) -> int:
    """The dealer who is due, at the first deal the one drawn by lot."""
    found = instead if number is None else number
    assert found is not None
    return found


def random_deal(chance: random.Random, machine: Deal, pack: list[str], seats: int, dealer: int) -> Iterator[Event]:
    """The events of one deal after `deal_started`; moves the machine along."""
    cards = pack[:]
    chance.shuffle(cards)
    hands: list[tuple[str, ...]] = [()] * seats
    for place in range(3):
        hands[(dealer + 1 + place) % seats] = tuple(cards[9 * place : 9 * place + 9])
    event: Event = CardsDealt(hands=tuple(hands), stock=tuple(cards[27:]))
    while True:
        assert all(found.severity == "info" for found in machine.apply(event, 1))
        yield event
        if machine.status != "open":
            return
        event = random_action(chance, machine)


def random_action(chance: random.Random, machine: Deal) -> Event:
    """One of the things that may come next; announcements seldom, bids often, so that deals are played."""
    view = machine.view()
    legal = dict(view.legal)
    if "announced" in legal and len(legal) > 1 and chance.random() < 0.95:
        del legal["announced"]
    kind = chance.choice(sorted(legal))
    value = chance.choice(legal[kind])
    turn = view.turn
    assert turn is not None
    if kind == "bid_made":
        return BidMade(seat=turn, call=value)
    if kind == "trump_named":
        return TrumpNamed(seat=turn, suit=value)
    if kind == "card_turned":
        return CardTurned(card=value)
    if kind == "card_played":
        return CardPlayed(seat=turn, card=value)
    if kind == "cards_exchanged":
        return CardsExchanged(seat=turn, count=value, discarded=tuple(chance.sample(view.hands[turn], value)))
    seat, _, word = str(value).rpartition(":")
    return Announced(seat=int(seat) if seat else turn, what=word)


def record(store: LogStore, stream: str, events: Sequence[Event], happened_at: str | None = None) -> None:
    """Append the events to a stream."""
    entries = tuple(NewEntry(event, None, happened_at) for event in events)
    store.append(Batch(stream, "any", entries), recorded_by="recorder-1")
