"""Random tables of any game, over all its options: lawful, or with two unseen cards swapped."""

from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any

from msgspec import inspect, structs

from ledger.errors import MalformedError
from ledger.events import MAX_SEATS, CardsDealt, Event
from ledger.games.kernel.protocol import Game
from ledger.recording.simulate import simulate_table
from ledger.table.corrections import Entry
from ledger.table.fold import DealRecord, TableFold

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana")
TRIES = 500


def some_options(game: Game, chance: Random) -> tuple[dict[str, Any], int]:
    """Return options that the game accepts, a few of them not the defaults, and a fitting number of players."""
    kind = inspect.type_info(game.option_type)
    assert isinstance(kind, inspect.StructType)
    for _ in range(TRIES):
        few = chance.sample(kind.fields, chance.randint(0, min(3, len(kind.fields))))
        options = {field.encode_name: some_value(field.type, chance) for field in few}
        for players in chance.sample(range(1, MAX_SEATS + 1), MAX_SEATS):
            try:
                game.make_options(options, players)
            except MalformedError:
                continue
            return options, players
    raise AssertionError(f"no options of {game.name} are taken at any number of players")


def some_value(kind: inspect.Type, chance: Random) -> Any:
    """Return a value of that type; numbers are small."""
    if isinstance(kind, inspect.UnionType):
        return some_value(chance.choice(kind.types), chance)
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
    chance = Random(f"{game.name} {seed}")
    options, players = some_options(game, chance)
    return simulate_table(game, NAMES[:players], options, 2, seed, "contract", closed=seed % 3 > 0)


def with_two_cards_swapped(
    entries: Sequence[Entry], seat: int, fold: TableFold, record: DealRecord, chance: Random
) -> tuple[list[Entry], list[Entry]] | None:
    """Return two records of the beginning of a deal that differ in two cards unknown to the seat.

    No event names the two cards, and the seat never holds them. Sometimes both records lack the seat's own hand: then
    the two cards may be its own.
    """
    dealt = next(event for _, event in entries if type(event) is CardsDealt)
    places = [*(hand or () for hand in dealt.hands), dealt.stock or ()]
    noted = list(entries)
    named = set().union(*(_cards_in(event) for _, event in entries if type(event) is not CardsDealt))
    if chance.random() < 0.3:
        noted = [(version, _without_hand(event, seat)) for version, event in entries]
    named |= _held_by(seat, noted, fold, record)
    unseen = [(place, card) for place, cards in enumerate(places) for card in cards if card not in named]
    pairs = [(one, other) for place, one in unseen for elsewhere, other in unseen if place < elsewhere]
    if not pairs:
        return None
    one, other = chance.choice(pairs)
    return noted, [(version, _swapped(event, one, other)) for version, event in noted]


def _without_hand(event: Event, seat: int) -> Event:
    if type(event) is not CardsDealt or not event.hands[seat]:
        return event
    return structs.replace(event, hands=(*event.hands[:seat], None, *event.hands[seat + 1 :]), deck=None)


def _held_by(seat: int, entries: Sequence[Entry], fold: TableFold, record: DealRecord) -> set[str]:
    """Return every card that the seat has held so far by the record, including those drawn."""
    machine = fold.game.make_match(fold.options, len(fold.players)).start_deal(record.dealer)
    held: set[str] = set()
    for version, event in entries:
        machine.apply(event, version)
        held.update(machine.view().hands[seat])
    return held


def _cards_in(event: Event) -> set[str]:
    fields = structs.asdict(event).values()
    values = [value for field in fields for value in (field if isinstance(field, tuple) else (field,))]
    return {value for value in values if isinstance(value, str) and len(value) == 2}


def cards_shown_by(event: Event | None) -> set[str]:
    """Return the cards that everyone has seen after this event; a deal shows none."""
    if event is None or type(event) is CardsDealt:
        return set()
    return {"SA"} if getattr(event, "what", None) == "show_spadille" else _cards_in(event)


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
