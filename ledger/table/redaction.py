"""Takes the cards of an open deal, which only their holders may see, out of the entries before those are folded.

Nothing is computed from the full record and masked afterwards: what is folded from redacted entries cannot tell more
than they do, in views, findings or refusals. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import structs

from ledger.cards import UNKNOWN
from ledger.events import CardsDealt, CardsExchanged, Corrected, Event
from ledger.table.corrections import Entry
from ledger.table.fold import DealRecord, TableFold


def redacted(event: Event) -> Event:
    """The event with `??` for each card that only its holders know; what everybody sees stays. Corrections, too."""
    kind = type(event)
    if kind is CardsDealt:
        assert isinstance(event, CardsDealt)
        hands = tuple(_hidden(hand) for hand in event.hands)
        return structs.replace(event, hands=hands, stock=_hidden(event.stock), deck=_hidden(event.deck))
    if kind is CardsExchanged:
        assert isinstance(event, CardsExchanged)
        return structs.replace(event, discarded=_hidden(event.discarded), drawn=_hidden(event.drawn))
    if kind is Corrected:
        assert isinstance(event, Corrected)
        if event.events is not None:
            return structs.replace(event, events=tuple(map(redacted, event.events)))
    return event


def _hidden(cards: Sequence[str] | None) -> tuple[str, ...] | None:
    return None if cards is None else (UNKNOWN,) * len(cards)


def open_deal(fold: TableFold) -> DealRecord | None:
    """The deal whose cards are hidden: the last one, while it is open as corrected and the table is not closed."""
    if not fold.deals or fold.is_closed or fold.deals[-1].machine.status != "open":
        return None
    return fold.deals[-1]


def redacted_since(entries: Iterable[Entry], version: int) -> list[Entry]:
    """The entries of a table, those of an open deal redacted; `version`: of its `deal_started`.

    A correction is redacted where it tells of that deal: what it puts in stands at the place of the corrected entry.
    """
    return [(at, redacted(event) if _place(at, event) >= version else event) for at, event in entries]


def _place(at: int, event: Event) -> int:
    return event.version if isinstance(event, Corrected) else at
