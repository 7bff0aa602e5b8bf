"""Fields of calls and announcements that mean nothing in most games."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from ledger.events import Announced, BidMade, Event
from ledger.games.kernel.refusals import means_nothing, no_card, no_seats, nobody_says
from ledger.i18n import Text


def refusing_foreign_fields(title: Text) -> Callable[[Event], None]:
    """The `check_event` of a game in which no card is named with a call, and every seat speaks for itself alone."""

    def check_event(event: Event) -> None:
        kind = type(event)  # isinstance costs ten times as much on Structs
        if kind is BidMade and (card := cast(BidMade, event).card) is not None:
            raise means_nothing("call_card", title, no_card(), card)
        if kind is Announced:
            announced = cast(Announced, event)
            if announced.seats is not None:
                raise means_nothing("several_seats", title, no_seats(), str([*announced.seats]))
            if announced.seat is None:
                raise nobody_says(announced.what)

    return check_event
