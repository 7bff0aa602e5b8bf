"""Fields of calls and announcements that mean nothing in most games."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from ledger.errors import MalformedError
from ledger.events import Announced, BidMade, Event


def refusing_foreign_fields(title: str) -> Callable[[Event], None]:
    """The `check_event` of a game in which no card is named with a call, and every seat speaks for itself alone."""

    def check_event(event: Event) -> None:
        kind = type(event)  # isinstance costs ten times as much on Structs
        if kind is BidMade and (card := cast(BidMade, event).card) is not None:
            raise MalformedError(f"bid_made.card means nothing in {title}", "no card", card)
        if kind is Announced:
            announced = cast(Announced, event)
            if announced.seats is not None:
                raise MalformedError(f"announced.seats means nothing in {title}", "no seats", str([*announced.seats]))
            if announced.seat is None:
                raise MalformedError(f"announced.seat of {announced.what} is null", "the seat that says it")

    return check_event
