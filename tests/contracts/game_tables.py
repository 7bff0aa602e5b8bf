"""Random tables of any game, over all its options: lawful, with two unseen cards exchanged, or of any events."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any

from msgspec import inspect, json, structs

from ledger.cards import UNKNOWN
from ledger.errors import MalformedError
from ledger.events import (
    MAX_SEATS,
    Announced,
    BidMade,
    CardPlayed,
    CardsDealt,
    CardsExchanged,
    CardTurned,
    DealStarted,
    DealVoided,
    Event,
    PartnerCalled,
    ResultRecorded,
    RulingGiven,
    ScoreClaimed,
    TableClosed,
    TableOpened,
    TrickGathered,
    TrumpNamed,
)
from ledger.games.kernel.protocol import Game
from ledger.recording.admissible import TableSoFar
from ledger.recording.simulate import simulate_table
from ledger.table.corrections import Entry
from ledger.table.fold import DealRecord, TableFold

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana")
TRIES = 500


def some_options(game: Game, chance: Random) -> tuple[dict[str, Any], int]:
    """Options that the game takes, a few of them not the usual ones, and a number of players that goes with them."""
    kind = inspect.type_info(game.option_type)
    assert isinstance(kind, inspect.StructType)
    for _ in range(TRIES):
        few = chance.sample(kind.fields, chance.randint(0, min(3, len(kind.fields))))
        options = {field.encode_name: _value(field.type, chance) for field in few}
        for players in chance.sample(range(1, MAX_SEATS + 1), MAX_SEATS):
            try:
                game.make_options(options, players)
            except MalformedError:
                continue
            return options, players
    raise AssertionError(f"no options of {game.name} are taken at any number of players")


def _value(kind: inspect.Type, chance: Random) -> Any:
    """A value of that type; numbers are small."""
    if isinstance(kind, inspect.UnionType):
        return _value(chance.choice(kind.types), chance)
    if isinstance(kind, inspect.LiteralType):
        return chance.choice(kind.values)
    if isinstance(kind, inspect.BoolType):
        return chance.random() < 0.5
    if isinstance(kind, inspect.IntType):
        lowest = 0 if kind.ge is None else kind.ge
        return chance.randint(lowest, min(lowest + 12, lowest + 12 if kind.le is None else kind.le))
    return None


@cache
def lawful_table(game: Game, seed: int) -> Sequence[Event]:
    """A table of two deals by legal play; every other one by the usual options."""
    chance = Random(f"{game.name} {seed}")
    options, players = some_options(game, chance)
    return simulate_table(game, NAMES[:players], options, 2, seed, "contract", closed=seed % 3 > 0)


# --- two cards exchanged ----------------------------------------------------------------------------------------------


def with_two_cards_swapped(
    entries: Sequence[Entry], seat: int, fold: TableFold, record: DealRecord, chance: Random
) -> tuple[list[Entry], list[Entry]] | None:
    """Two tellings of the beginning of a deal, apart by two cards that no event names and the seat never holds.

    At times the seat's own hand is left out of both: then the two may be its own, of which the record knows nothing.
    """
    dealt = next(event for _, event in entries if type(event) is CardsDealt)
    places = [*(hand or () for hand in dealt.hands), dealt.stock or ()]
    told = list(entries)
    named = set().union(*(_cards_in(event) for _, event in entries if type(event) is not CardsDealt))
    if chance.random() < 0.3:
        told = [(version, _without_hand(event, seat)) for version, event in entries]
    named |= _held_by(seat, told, fold, record)
    unseen = [(place, card) for place, cards in enumerate(places) for card in cards if card not in named]
    pairs = [(one, other) for place, one in unseen for elsewhere, other in unseen if place < elsewhere]
    if not pairs:
        return None
    one, other = chance.choice(pairs)
    return told, [(version, _swapped(event, one, other)) for version, event in told]


def _without_hand(event: Event, seat: int) -> Event:
    if type(event) is not CardsDealt or not event.hands[seat]:
        return event
    return structs.replace(event, hands=(*event.hands[:seat], None, *event.hands[seat + 1 :]), deck=None)


def _held_by(seat: int, entries: Sequence[Entry], fold: TableFold, record: DealRecord) -> set[str]:
    """Every card that the seat has held so far, as the record tells it; those that it drew among them."""
    machine = fold.game.make_match(fold.options, len(fold.players)).start_deal(record.dealer)
    held: set[str] = set()
    for version, event in entries:
        machine.apply(event, version)
        held.update(machine.view().hands[seat])
    return held


def _cards_in(event: Event) -> set[str]:
    fields = structs.asdict(event).values()
    return {text for field in fields for text in (field if isinstance(field, tuple) else (field,)) if _is_card(text)}


def _is_card(value: Any) -> bool:
    return isinstance(value, str) and len(value) == 2


def _swapped(event: Event, one: str, other: str) -> Event:
    if type(event) is not CardsDealt:
        return event
    swap = {one: other, other: one}
    return CardsDealt(
        hands=tuple(None if hand is None else tuple(swap.get(card, card) for card in hand) for hand in event.hands),
        stock=None if event.stock is None else tuple(swap.get(card, card) for card in event.stock),
        deck=None if event.deck is None else tuple(swap.get(card, card) for card in event.deck),
        cut_by=event.cut_by,
    )


# --- any events -------------------------------------------------------------------------------------------------------


@cache
def soup(game: Game, seed: int) -> Sequence[Event]:
    """A lawful table with events lost, put in and shuffled, as far as they can be entries of a log at all."""
    chance = Random(f"soup {game.name} {seed}")
    lawful = list(lawful_table(game, seed % 10))
    opened = lawful[0]
    assert isinstance(opened, TableOpened)
    events = lawful[1:]
    for _ in range(chance.choice((1, 3, 10, 40))):
        place = chance.randrange(1, len(events) + 1)
        if chance.random() < 0.3 and len(events) > 2:
            del events[min(place, len(events) - 1)]
        else:
            events.insert(place, _any_event(game, len(opened.players), chance))
    if seed % 4 == 0:
        first, *rest = events
        events = [first, *chance.sample(rest, len(rest))]
    return _as_far_as_recorded([opened, *events])


def _as_far_as_recorded(events: Sequence[Event]) -> list[Event]:
    so_far = TableSoFar()
    for event in events:
        numbered = structs.replace(event, deal=so_far.deals + 1) if type(event) is DealStarted else event
        try:
            so_far.take(numbered)
        except MalformedError:
            continue
    return [event for _, event in so_far.entries]


def _any_event(game: Game, players: int, chance: Random) -> Event:
    seat = chance.randrange(players)
    pack = sorted(game.pack)
    card = chance.choice(pack)
    amounts = tuple(chance.randint(-9, 9) for _ in range(players))
    cards = tuple(chance.choice([*pack, UNKNOWN]) for _ in range(chance.randint(0, 4)))
    choices: list[Event] = [
        CardPlayed(seat=seat, card=chance.choice([card, card, UNKNOWN])),
        CardPlayed(seat=seat, card=card),
        CardsDealt(hands=tuple(chance.choice([None, (), cards]) for _ in range(players))),
        CardsDealt(hands=(None,) * players),
        CardTurned(card=card),
        TrumpNamed(seat=seat, suit=chance.choice("SHDC")),  # type: ignore[arg-type]
        PartnerCalled(seat=seat, card=chance.choice([card, None])),
        CardsExchanged(seat=seat, count=len(cards), discarded=chance.choice([None, cards])),
        TrickGathered(seat=seat),
        ScoreClaimed(deltas=amounts, totals=chance.choice([None, amounts])),
        DealStarted(deal=1, dealer=seat),
        DealVoided(reason=""),
        TableClosed(),
        RulingGiven(deal=1, text="", kind=chance.choice(["void", "accept", "stands"])),
        RulingGiven(deal=1, text="", kind=chance.choice(["adjust", "replace"]), deltas=_zero_sum(amounts)),
        ResultRecorded(outcome=_an_outcome(game, chance)),
    ]
    if game.calls:
        choices.append(BidMade(seat=seat, call=chance.choice(sorted(game.calls))))
    if game.announcements:
        choices.append(Announced(seat=chance.choice([seat, None]), what=chance.choice(sorted(game.announcements))))
    return chance.choice(choices)


def _zero_sum(amounts: tuple[int, ...]) -> tuple[int, ...]:
    return (*amounts[:-1], -sum(amounts[:-1]))


def _an_outcome(game: Game, chance: Random) -> dict[str, Any]:
    """What a lawful deal came to."""
    deals = TableFold(list(enumerate(lawful_table(game, chance.randrange(10)), 1))).deals
    outcome: dict[str, Any] = json.decode(json.encode(chance.choice(deals).outcome)) if deals else {}
    return outcome
