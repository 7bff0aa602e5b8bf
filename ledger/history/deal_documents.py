"""What happened in one deal, in lists: what was dealt, called, said, exchanged and played, and the tricks it made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias, cast

from ledger.events import Announced, BidMade, CardPlayed, CardsDealt, CardsExchanged, PartnerCalled
from ledger.games.protocol import TrickView
from ledger.reading import Entry

Lists: TypeAlias = dict[str, Any]
"""Fields of a `DealDocument` by name."""

LaidCard: TypeAlias = tuple[int, str, int, int, int | None]
"""A card that counts in a trick: seat, card, trick, place in it, winner of the trick."""


def actions(entries: Sequence[Entry], tricks: Sequence[TrickView]) -> Lists:
    """All that the entries of one deal say. `tricks`: as the deal's state machine has them."""
    plays: list[tuple[int, CardPlayed]] = []
    calls: list[tuple[int, BidMade]] = []
    said: list[tuple[int, Announced]] = []
    exchanges: list[tuple[int, CardsExchanged]] = []
    dealt: CardsDealt | None = None
    called_card: str | None = None
    for entry in entries:
        kind = type(entry[1])  # isinstance costs ten times as much on Structs
        if kind is CardPlayed:
            plays.append(entry)  # type: ignore[arg-type]
        elif kind is BidMade:
            calls.append(entry)  # type: ignore[arg-type]
        elif kind is Announced:
            said.append(entry)  # type: ignore[arg-type]
        elif kind is CardsExchanged:
            exchanges.append(entry)  # type: ignore[arg-type]
        elif kind is CardsDealt:
            dealt = dealt or cast(CardsDealt, entry[1])
        elif kind is PartnerCalled:
            called_card = cast(PartnerCalled, entry[1]).card
    return {
        "called_card": called_card,
        "hands": [] if dealt is None else [_blanked(hand) for hand in dealt.hands],
        "stock": None if dealt is None else _blanked(dealt.stock),
        "call_versions": [version for version, _ in calls],
        "call_seats": [call.seat for _, call in calls],
        "call_words": [call.call for _, call in calls],
        "call_cards": [call.card for _, call in calls],
        "said_versions": [version for version, _ in said],
        "said_seats": [announced.seat for _, announced in said],
        "said_words": [announced.what for _, announced in said],
        "said_for": [announced.seats for _, announced in said],
        "exchange_versions": [version for version, _ in exchanges],
        "exchange_seats": [exchange.seat for _, exchange in exchanges],
        "exchange_counts": [exchange.count for _, exchange in exchanges],
        "exchange_discarded": [_blanked(exchange.discarded) for _, exchange in exchanges],
        "exchange_drawn": [_blanked(exchange.drawn) for _, exchange in exchanges],
        "trick_leaders": [trick.leader for trick in tricks],
        "trick_cards": [" ".join(trick.cards) for trick in tricks],
        "trick_winners": [trick.winner for trick in tricks],
        **_plays(plays, tricks),
    }


def _plays(plays: Sequence[tuple[int, CardPlayed]], tricks: Sequence[TrickView]) -> Lists:
    """The cards as they were played, each with its place; one that counts for nothing has none."""
    places: list[tuple[int | None, int | None, int | None]] = []
    laid = _laid_cards(tricks)
    awaited = next(laid, None)
    for _, play in plays:
        if awaited is not None and awaited[0] == play.seat and awaited[1] == play.card:
            places.append(awaited[2:])
            awaited = next(laid, None)
        else:
            places.append((None, None, None))
    return {
        "play_versions": [version for version, _ in plays],
        "play_seats": [play.seat for _, play in plays],
        "play_cards": [play.card for _, play in plays],
        "play_tricks": [trick for trick, _, _ in places],
        "play_places": [place for _, place, _ in places],
        "play_winners": [winner for _, _, winner in places],
    }


def _laid_cards(tricks: Sequence[TrickView]) -> Iterator[LaidCard]:
    """The cards that count, in the order in which they were laid."""
    for number, trick in enumerate(tricks, start=1):
        winner = trick.winner
        for place, seat in enumerate(trick.seats):
            yield seat, trick.cards[place], number, place + 1, winner


def _blanked(cards: Sequence[str] | None) -> str | None:
    """Cards with blanks between, as the read model has them."""
    return None if cards is None else " ".join(cards)
