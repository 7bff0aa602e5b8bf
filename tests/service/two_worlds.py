"""Two ledgers with one open deal that differ in two hidden cards; clients without `hands` may not distinguish them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Final, NamedTuple, TypeAlias

from msgspec import structs

from ledger.cards import UNKNOWN
from ledger.events import (
    Announced,
    BidMade,
    CardPlayed,
    CardsDealt,
    CardsExchanged,
    Corrected,
    DealStarted,
    DisputeRaised,
    Event,
    Noted,
    RulingGiven,
    SessionOpened,
    TableOpened,
)
from ledger.games import game_named
from ledger.log import Batch, MemoryStore, NewEntry
from ledger.recording.simulate import simulate_table
from tests.contracts.game_tables import NAMES, some_options
from tests.contracts.log_builders import TickingClock, an_id
from tests.contracts.strategies import pack_of
from tests.covering import covering

STREAM: Final = "table/t"
GAMES: Final = ("ombre", "quadrille", "couillon", "kop", "baska")


class TwoWorlds(NamedTuple):
    """The same table recorded twice. `swapped`: the two cards that are exchanged in the second one."""

    first: MemoryStore
    second: MemoryStore
    swapped: tuple[str, str]


def an_open_table(game_name: str, chance: Random) -> list[Event]:
    """Return a table with several deals, the last of them open, with any of the game's options."""
    game = game_named(game_name)
    options, players = some_options(game, chance)
    deals = chance.randint(1, 2)
    events = simulate_table(
        game, NAMES[:players], options, deals, chance.randrange(10**9), "t", session="s", closed=False
    )
    start = max(at for at, event in enumerate(events) if type(event) is DealStarted)
    return events[: chance.randint(start + 2, len(events) - 1)]


def hidden_cards(events: Iterable[Event]) -> list[str]:
    """Return the cards in these entries that only clients with `hands` may see, each once."""
    hidden: dict[str, None] = {}
    for event in events:
        if isinstance(event, CardsDealt):
            for cards in (*event.hands, event.stock, event.deck):
                hidden.update(dict.fromkeys(cards or ()))
        elif isinstance(event, CardsExchanged):
            hidden.update(dict.fromkeys([*(event.discarded or ()), *(event.drawn or ())]))
        elif isinstance(event, Corrected):
            hidden.update(dict.fromkeys(hidden_cards(event.events or ())))
    hidden.pop(UNKNOWN, None)
    return list(hidden)


def own_cards(events: Iterable[Event], seat: int) -> set[str]:
    """Return the cards that a seat was dealt or has exchanged, however they were corrected."""
    cards: set[str] = set()
    for event in events:
        if isinstance(event, CardsDealt):
            cards.update(event.hands[seat] or ())
        elif isinstance(event, CardsExchanged) and event.seat == seat:
            cards.update([*(event.discarded or ()), *(event.drawn or ())])
        elif isinstance(event, Corrected):
            cards |= own_cards(event.events or (), seat)
    return cards


def swapped(event: Event, one: str, other: str) -> Event:
    """Return the event with two cards exchanged where they are hidden; visible ones stay."""
    return renamed(event, {one: other, other: one})


def renamed(event: Event, swap: Mapping[str, str]) -> Event:
    """Return the event with other cards in place of the hidden ones."""

    def of(cards: Sequence[str] | None) -> tuple[str, ...] | None:
        return None if cards is None else tuple(swap.get(card, card) for card in cards)

    if isinstance(event, CardsDealt):
        hands = tuple(map(of, event.hands))
        return structs.replace(event, hands=hands, stock=of(event.stock), deck=of(event.deck))
    if isinstance(event, CardsExchanged):
        return structs.replace(event, discarded=of(event.discarded), drawn=of(event.drawn))
    if isinstance(event, Corrected) and event.events is not None:
        return structs.replace(event, events=tuple(renamed(one, swap) for one in event.events))
    return event


def shown_cards(events: Iterable[Event]) -> set[str]:
    cards: set[str] = set()
    for event in events:
        if isinstance(event, Corrected):
            cards |= shown_cards(event.events or ())
        cards |= {card for field in ("card",) if (card := getattr(event, field, None)) is not None}
    return cards


def disturbed(events: list[Event], chance: Random) -> list[Event]:
    """Return the table with events besides the play: notes, disputes, rulings, undone and corrected acts."""
    changed = list(events)
    deal = max(event.deal for event in changed if isinstance(event, DealStarted))
    start = max(at for at, event in enumerate(changed, 1) if isinstance(event, DealStarted))
    for _ in range(chance.randint(0, 4)):
        last = len(changed)
        at = chance.randint(start + 1, len(events))
        read = changed[at - 1]
        changed.append(
            chance.choice(
                (
                    Noted(text="Ann holds the ace of spades"),
                    Noted(text="a look at the hand", version=at),
                    DisputeRaised(deal=deal, text="he had a heart", version=at),
                    RulingGiven(deal=deal, text="he must have had one", kind="stands"),
                    Corrected(version=at, action="strike", reason="misread his hand"),
                    Corrected(version=at, action="replace", events=(read,), reason="as it was"),
                    Corrected(version=at, action="insert_after", events=(Noted(text="he showed it"),), reason="more"),
                )
            )
            if last >= at and not isinstance(read, Corrected)
            else Noted(text="x")
        )
    return changed


def dealt_anew(events: list[Event], chance: Random) -> list[Event]:
    """Return the table with its open deal undone act by act, and sometimes dealt again with other cards."""
    start = max(at for at, event in enumerate(events, 1) if type(event) is DealStarted)
    undone = [Corrected(version=at, action="strike", reason="misdealt") for at in range(len(events), start - 1, -1)]
    _, dealt, *_ = events[start - 1 :]
    if not isinstance(dealt, CardsDealt) or chance.random() < 0.3:
        return [*events, *undone]
    cards = [card for card in hidden_cards([dealt]) if card != UNKNOWN]
    turned = dict(zip(cards, chance.sample(cards, len(cards)), strict=True))
    return [*events, *undone, events[start - 1], renamed(dealt, turned)]


def against_the_rules(events: list[Event], chance: Random) -> list[Event]:
    """Return the table with illegal acts in its open deal, recorded as played."""
    changed = list(events)
    opened = changed[0]
    assert isinstance(opened, TableOpened)
    game, seats = game_named(opened.game), range(len(opened.players))
    pack = pack_of(game, game.make_options(opened.options, len(seats)))
    start = max(at for at, event in enumerate(changed) if type(event) is DealStarted)
    for _ in range(chance.randint(1, 4)):
        seat = chance.choice(seats)
        acts: list[Event] = [CardPlayed(seat=seat, card=chance.choice(pack))]
        acts += [BidMade(seat=seat, call=chance.choice(sorted(game.calls)))] if game.calls else []
        acts += [Announced(seat=seat, what=said) for said in chance.sample(sorted(game.announcements), 1)]
        changed.insert(chance.randint(start + 2, len(changed)), chance.choice(acts))
    return changed


Change: TypeAlias = Callable[[list[Event], Random], list[Event]]
CHANGES: Final[Sequence[Change | None]] = (None, disturbed, dealt_anew, against_the_rules)
GAMES_AND_CHANGES: Final = covering(GAMES, CHANGES)


def two_worlds(game: str, seed: int, change: Change | None = None, *, but: int | None = None) -> TwoWorlds | None:
    """Return two ledgers if two hidden cards are left. `change`: other events; `but`: neither card was of this seat."""
    chance = Random(f"{game} {seed}")
    events = an_open_table(game, chance)
    start = max(at for at, event in enumerate(events) if type(event) is DealStarted)
    entries = events if change is None else change(events, chance)
    own = set() if but is None else own_cards(entries[start:], but)
    unseen = [card for card in hidden_cards(entries[start:]) if card not in shown_cards(entries[start:]) | own]
    if len(unseen) < 2:
        return None
    one, other = chance.sample(unseen, 2)
    again = [*entries[:start], *(swapped(event, one, other) for event in entries[start:])]
    if again == entries:
        return None
    return TwoWorlds(ledger_of(entries), ledger_of(again), (one, other))


def ledger_of(events: Sequence[Event]) -> MemoryStore:
    store = MemoryStore(clock=TickingClock())
    opened = SessionOpened(title="Spring", date="2026-03-01")
    store.append(Batch("session/s", 0, (NewEntry(opened, an_id(9999)),)), recorded_by="Ann")
    for number, event in enumerate(events, 1):
        by = ("phone", "phone/Ann", "desk")[number % 3]
        store.append(Batch(STREAM, number - 1, (NewEntry(event, an_id(number)),)), recorded_by=by)
    assert isinstance(events[0], TableOpened)
    return store
