"""Deals played without regard to the duty to follow, and the same records with unrecorded cards."""

from random import Random
from typing import Any

from msgspec import structs

from ledger.cards import UNKNOWN
from ledger.events import CardPlayed, CardsDealt
from ledger.table.audit import audit_answer
from ledger.table.corrections import Entry
from ledger.table.fold import TableFold


def carelessly_played(entries: list[Entry], chance: Random) -> list[Entry]:
    """Play the first deal of a lawful table again, each seat in turn with any card of its hand."""
    first = next((at for at, (_, event) in enumerate(entries) if isinstance(event, CardPlayed)), len(entries))
    played = entries[:first]
    deal = TableFold(played).deals[-1].machine
    while deal.status == "open" and (seat := deal.turn()) is not None:
        held = deal.view().hands[seat]
        event = CardPlayed(seat=seat, card=chance.choice(held))
        played.append((len(played) + 1, event))
        deal.apply(event, len(played))
    return played


def with_masked_hands(entries: list[Entry], chance: Random) -> list[Entry]:
    """Return the record with some hands null and some cards of the others `??`, without order of the pack and stock."""

    def masked(hand: Any) -> Any:
        if chance.random() < 0.4:
            return None
        return tuple(UNKNOWN if chance.random() < 0.4 else card for card in hand)

    def dealt(event: CardsDealt) -> CardsDealt:
        return structs.replace(event, hands=tuple(map(masked, event.hands)), deck=None, stock=None)

    return [(version, dealt(event) if isinstance(event, CardsDealt) else event) for version, event in entries]


def without_hands(entries: list[Entry], *seats: int) -> list[Entry]:
    """Return the record without the hands of these seats, by default of all."""

    def dealt(event: CardsDealt) -> CardsDealt:
        hands = (None if seat in seats or not seats else hand for seat, hand in enumerate(event.hands))
        return structs.replace(event, hands=tuple(hands), deck=None, stock=None)

    return [(version, dealt(event) if isinstance(event, CardsDealt) else event) for version, event in entries]


def with_masked_plays(entries: list[Entry], chance: Random, share: float = 0.15) -> list[Entry]:
    """Return the record with some of the cards played `??`."""
    return [
        (version, structs.replace(event, card=UNKNOWN))
        if isinstance(event, CardPlayed) and chance.random() < share
        else (version, event)
        for version, event in entries
    ]


def blamed(entries: list[Entry]) -> set[tuple[str, int, int | None]]:
    """Return the findings of the audit as code, version and seat."""
    return {(finding.code, finding.version, finding.seat) for finding in audit_answer("t", TableFold(entries)).findings}
