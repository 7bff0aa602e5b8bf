"""The taps that record a known table on a phone: each act by the offers of the page at that moment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from msgspec import structs

from ledger.events import (
    Announced,
    BidMade,
    CardPlayed,
    CardsDealt,
    CardsExchanged,
    CardTurned,
    Corrected,
    DealStarted,
    DealVoided,
    Event,
    Noted,
    PartnerCalled,
    PlayerSeated,
    ResultRecorded,
    RulingGiven,
    ScoreClaimed,
    TableClosed,
    TableOpened,
)
from ledger.log import MemoryStore, NewEntry
from ledger.recording.board.keyboard import Board, Key, Keyboard, board_of, keyboard_of
from ledger.recording.board.offers import Offer, Offers, offers_in, vocabulary
from ledger.recording.live import LiveTable
from ledger.recording.typed.situation import Situation, machine_now, situation_in
from ledger.table.fold import TableFold

WRITTEN: Final = (CardsDealt, ResultRecorded, ScoreClaimed, Noted, DealVoided, PlayerSeated, TableClosed)
"""Events that have a page of their own or are typed."""

NOT_OF_RECORDERS: Final = (RulingGiven, Corrected)

_CARDS: Final = {"play": CardPlayed, "turn": CardTurned, "call": PartnerCalled}


class Shown(NamedTuple):
    """The offers of the page at one moment."""

    now: Situation
    board: Board
    offers: Offers
    keys: Keyboard | None


class Tapped(NamedTuple):
    """An act and its number of taps; no taps if the page does not offer it. `key`: the key of its card."""

    event: Event
    taps: int
    key: Key | None = None


def shown(fold: TableFold) -> Shown:
    now = situation_in(fold, fold.players)
    deal = fold.deals[-1].number if fold.deals else 1
    board = board_of(now, "t", len(fold.recorded), deal, None)
    return Shown(now, board, offers_in(now, machine_now(fold)), keyboard_of(now, fold.options))


def tapped(events: Sequence[Event]) -> Iterator[Tapped]:
    """Yield the acts of a recorded table as taps of a recorder who sees no hand; the final passes are one tap."""
    opened, *acts = events
    assert isinstance(opened, TableOpened)
    live = LiveTable.open(MemoryStore(), "t", opened, by="Ann")
    left = [event for event in acts if not isinstance(event, NOT_OF_RECORDERS)]
    while left:
        event = left.pop(0)
        taken = [event]
        if isinstance(event, WRITTEN):
            yield Tapped(event, 0)
        elif isinstance(event, DealStarted):
            yield Tapped(event, 1)
        else:
            page = shown(live.settled_as_seen)
            run = page.offers.all_pass
            more = list(run.events[1:]) if run is not None and run.events[0] == event else []
            if more and left[: len(more)] == more:
                taken += more
                del left[: len(more)]
                yield Tapped(event, 1)
            else:
                yield _reached(event, page)
        for one in taken:
            live.record([NewEntry(one)], by="Ann", as_played=True)


def _reached(event: Event, page: Shown) -> Tapped:
    tapped_event = _as_tapped(event)
    if tapped_event in [one.act for one in _offered(page.offers)]:
        return Tapped(event, 1)
    if tapped_event in [one.act for row in page.offers.seldom for one in row.offers]:
        return Tapped(event, 2)
    card = getattr(event, "card", None)
    keys = page.keys
    if keys is not None and isinstance(event, _CARDS[keys.purpose]) and card is not None:
        plate = 0 if isinstance(event, CardTurned) or getattr(event, "seat", None) == keys.seat else 1
        if card == "??":
            return Tapped(event, 1 + plate)
        key = next(key for suit in keys.suits for key in suit if key.card == card)
        return Tapped(event, (0 if key.by is not None else 2 if key.fit == "odd" else 1) + plate, key)
    if _without_seat(tapped_event) in [_without_seat(one.act) for row in vocabulary(page.now) for one in row.offers]:
        plate = 0 if getattr(event, "seat", None) == page.board.turn else 1
        return Tapped(event, 2 + plate)
    return Tapped(event, 0)


def _offered(offers: Offers) -> Iterator[Offer]:
    yield from (*offers.calls, *(one for row in offers.said for one in row.offers), *offers.gathered)
    yield from () if offers.exchange is None else offers.exchange.counts
    yield from () if offers.none_called is None else (offers.none_called,)


def _as_tapped(event: Event) -> Event:
    """Return the event as one tap records it, without exchanged cards and without the seat of a stop."""
    return CardsExchanged(seat=event.seat, count=event.count) if isinstance(event, CardsExchanged) else event


def _without_seat(event: Event) -> Event:
    if isinstance(event, Announced):
        return structs.replace(event, seat=None)
    return structs.replace(event, seat=0) if isinstance(event, BidMade) or hasattr(event, "seat") else event
