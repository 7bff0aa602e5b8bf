"""The possible acts besides cards, as events: calls, announcements, trumps, exchanges, winners of tricks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final, get_args

from msgspec import Struct

from ledger.cards import in_order
from ledger.errors import MalformedError
from ledger.events import (
    Announced,
    BidMade,
    CardPlayed,
    CardsExchanged,
    Event,
    PartnerCalled,
    Suit,
    TrickGathered,
    TrumpNamed,
)
from ledger.games.kernel.deal import Deal
from ledger.games.kernel.moves import includes, of_type
from ledger.games.kernel.protocol import Game
from ledger.recording.typed.choices import actor, choices_in
from ledger.recording.typed.situation import Situation

_RUN: Final = 24
"""The most passes that are tried: three rounds of eight."""


class Offer(Struct, frozen=True):
    """The events that one tap records, all of them or none."""

    events: tuple[Event, ...]

    @property
    def act(self) -> Event:
        """The act that the button names: the last event."""
        return self.events[-1]


class OffersBySeat(Struct, frozen=True):
    """One announcement or act, with an offer for each seat or side that may make it."""

    offers: tuple[Offer, ...]

    @property
    def act(self) -> Event:
        """The act of the first offer."""
        return self.offers[0].act


class ExchangeOffers(Struct, frozen=True):
    """The numbers of cards that the seat may exchange; `left`: the cards in the stock."""

    seat: int
    counts: tuple[Offer, ...]
    left: int


class Offers(Struct, frozen=True, kw_only=True):
    """All possible acts besides cards.

    `calls`: those of the seat in turn, pass first. `all_pass`: the run of passes that ends the calls. `said`: other
    announcements and acts; `seldom`: those that end the play. `none_called`: that no partner can be called. `gathered`:
    the possible winners of the last trick, if it is unknown.
    """

    calls: tuple[Offer, ...] = ()
    all_pass: Offer | None = None
    said: tuple[OffersBySeat, ...] = ()
    seldom: tuple[OffersBySeat, ...] = ()
    exchange: ExchangeOffers | None = None
    none_called: Offer | None = None
    gathered: tuple[Offer, ...] = ()


def offers_in(now: Situation, spare: Deal | None) -> Offers:
    """Return the legal acts besides cards, by what the recorder may see.

    `spare`: another machine of the same deal, which this changes.
    """
    machine = now.machine
    if machine is None:
        return Offers()
    listed: list[Event] = [choice.event for choice in choices_in(now) if choice.card is None]
    due = actor(now)
    calls: list[Event] = [
        event for event in listed if type(event) in (BidMade, TrumpNamed) and _seat(event) == now.turn
    ]
    others: list[Event] = [event for event in listed if type(event) is BidMade and event not in calls]
    said: list[Event] = [
        *others,
        *_trumps_of_nobody(now),
        *(event for event in listed if type(event) is Announced),
    ]
    is_all = bool(said) and all(_seat(event) == due for event in said) and not calls and not now.may(CardPlayed)
    if is_all and not now.may(CardsExchanged):
        calls, said = said, []
    passing = now.game.passing
    ordered = sorted(_with_cards(calls, now), key=lambda event: getattr(event, "call", "") != passing)
    spoken = _with_cards([event for event in said if getattr(event, "call", "") != passing], now)
    rows = _by_whom(list(spoken))
    seldom = now.game.seldom_said
    return Offers(
        calls=tuple(Offer((event,)) for event in ordered),
        all_pass=None if spare is None else _all_pass(now, spare),
        said=tuple(row for row in rows if getattr(row.act, "what", "") not in seldom),
        seldom=tuple(row for row in _with_sides(rows, now) if getattr(row.act, "what", "") in seldom),
        exchange=_exchange(now, machine),
        none_called=next((Offer((one,)) for one in listed if type(one) is PartnerCalled), None),
        gathered=tuple(Offer((TrickGathered(seat=seat),)) for seat in _may_have_won(machine)),
    )


def vocabulary(now: Situation) -> tuple[OffersBySeat, ...]:
    """Return all announcements of the game for every seat, legal or not."""
    seats = range(len(now.players))
    events: list[Event] = [BidMade(seat=seat, call=call) for call in sorted(now.game.calls) for seat in seats]
    if TrumpNamed in now.game.event_types:
        events += [TrumpNamed(seat=seat, suit=suit) for suit in in_order(get_args(Suit)) for seat in seats]
    events += [Announced(seat=seat, what=said) for said in sorted(now.game.announcements) for seat in seats]
    if PartnerCalled in now.game.event_types:
        events += [PartnerCalled(seat=seat, card=None) for seat in seats]
    if now.machine is not None and now.machine.laid() is not None:
        events += [TrickGathered(seat=seat) for seat in seats]
    return _by_whom(events)


def _seat(event: Event) -> int | None:
    seat: int | None = getattr(event, "seat", None)
    return seat


def _by_whom(events: Sequence[Event]) -> tuple[OffersBySeat, ...]:
    """Group the events that differ only by their seat."""
    rows: dict[object, list[Offer]] = {}
    for event in events:
        same = (type(event), *(getattr(event, name) for name in event.__struct_fields__ if name != "seat"))
        rows.setdefault(same, []).append(Offer((event,)))
    return tuple(OffersBySeat(tuple(offers)) for offers in rows.values())


def _trumps_of_nobody(now: Situation) -> list[TrumpNamed]:
    """Return the namings of trumps if the naming player is unknown."""
    if actor(now) is not None:
        return []
    suits = in_order(get_args(Suit))
    return sorted(of_type(now.legal, TrumpNamed), key=lambda named: (suits.index(named.suit), named.seat))


def _with_cards(calls: Sequence[Event], now: Situation) -> Iterator[Event]:
    """Yield the calls; one that must name a card once for each card."""
    for call in calls:
        if isinstance(call, BidMade):
            bids = [bid for bid in of_type(now.legal, BidMade) if (bid.seat, bid.call) == (call.seat, call.call)]
            named = {bid.card: bid for bid in bids if bid.card is not None}
            yield from [named[card] for card in in_order(named)] or [call]
        else:
            yield call


def _can_be(event: Event, game: Game) -> bool:
    try:
        if game.check_event is not None:
            game.check_event(event)
    except MalformedError:
        return False
    return True


def _with_sides(rows: Sequence[OffersBySeat], now: Situation) -> Iterator[OffersBySeat]:
    """Yield the rows, with offers for each side of two or three that may speak together."""
    for row in rows:
        act, seats = row.act, sorted({seat for offer in row.offers if (seat := _seat(offer.act)) is not None})
        together: list[Offer] = []
        for size in (2, 3):
            for side in combinations(seats, size):
                if isinstance(act, Announced) and size < len(seats):
                    spoken = Announced(seat=side[0], what=act.what, seats=side)
                    together += [Offer((spoken,))] if _can_be(spoken, now.game) else []
        yield OffersBySeat((*row.offers, *together))


def _all_pass(now: Situation, running: Deal) -> Offer | None:
    """Return the run of two or more passes that ends the calls; None if there is none."""
    passing = now.game.passing
    passes: list[Event] = []
    while len(passes) < _RUN:
        seat = running.turn()
        if seat is None or (passed := BidMade(seat=seat, call=passing)) not in running.legal():
            break
        running.apply(passed, 0)
        passes.append(passed)
    is_over = not includes(running.legal(), BidMade)
    return Offer(tuple(passes)) if is_over and len(passes) > 1 else None


def _exchange(now: Situation, machine: Deal) -> ExchangeOffers | None:
    exchanges = of_type(now.legal, CardsExchanged)
    if not exchanges:
        return None
    return ExchangeOffers(exchanges[0].seat, tuple(Offer((one,)) for one in exchanges), len(machine.view().stock))


def _may_have_won(machine: Deal) -> Sequence[int]:
    """Return the possible winners of the last complete trick if an unknown card decides; else nothing."""
    laid = machine.laid()
    if laid is None or laid.on_table or not laid.winners or laid.winners[-1] is not None:
        return ()
    return laid.possible_winners(laid.trick(-1))
