"""One event in words, as a line of a replay, a correction or a list of entries shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from ledger.events import (
    Announced,
    BidMade,
    CardsDealt,
    CardsExchanged,
    CardTurned,
    DealStarted,
    DealVoided,
    DisputeRaised,
    Event,
    Noted,
    PartnerCalled,
    PlayerSeated,
    ResultRecorded,
    RulingGiven,
    ScoreClaimed,
    TableClosed,
    TableOpened,
    TrickGathered,
)
from ledger.text.cards import card_text, cards_text, hand_text, value_text
from ledger.text.words import Say, plain


def event_text(event: Event, players: Sequence[str], viewer: int | None = None) -> str:
    """The event in words, with the cards that the `viewer` (None: the recorder) could see."""
    if isinstance(event, CardsExchanged):
        return exchange_text(event, players, viewer=viewer)
    tell = _TOLD.get(type(event))
    if tell is not None:
        return tell(event, players)
    seat = getattr(event, "seat", None)
    who = "" if seat is None else players[seat]
    said = getattr(event, "suit", None) or getattr(event, "card", None)
    return f"{who} {value_text(said)}".strip()


def whole_event_text(event: Event, players: Sequence[str], viewer: int | None = None) -> str:
    """The event in words, for the recorder with the hands where it deals them."""
    if viewer is not None or not isinstance(event, CardsDealt):
        return event_text(event, players, viewer)
    hands = [f"{players[seat]} {hand_text(hand)}" for seat, hand in enumerate(event.hands) if hand]
    return ", ".join(["the cards are dealt", *hands])


def events_text(events: Iterable[Event], players: Sequence[str], viewer: int | None = None) -> str:
    """What is read in one place; empty where that is nothing."""
    return "; ".join(whole_event_text(event, players, viewer) for event in events)


def exchange_text(exchange: CardsExchanged, players: Sequence[str], say: Say = plain, viewer: int | None = None) -> str:
    """Who exchanged how many cards, and which, as far as that is told and the `viewer` could see it."""
    told = [say("exchanged", count=exchange.count)]
    if viewer in (None, exchange.seat):
        for key, cards in (("put_aside", exchange.discarded), ("drew", exchange.drawn)):
            if cards:
                told.append(say(key, cards=cards_text(cards)))
    return f"{players[exchange.seat]} {', '.join(told)}"


def partner_call_text(called: PartnerCalled, players: Sequence[str], say: Say = plain) -> str:
    """Who called which card, whose holder becomes the partner."""
    card = say("called_none") if called.card is None else say("called_card", card=card_text(called.card))
    return f"{players[called.seat]} {card}"


def continued(line: str) -> str:
    """A line of an answer, going on further right where others broke it: what they wrote passes for no line of ours."""
    margin = len(line) - len(line.lstrip(" ")) + 4
    return line.replace("\n", "\n" + " " * margin)


def _bid(event: BidMade, players: Sequence[str]) -> str:
    named = "" if event.card is None else f" {card_text(event.card)}"
    return f"{players[event.seat]} {event.call}{named}"


def _announcement(event: Announced, players: Sequence[str]) -> str:
    who = "" if event.seat is None else players[event.seat]
    return f"{who} says {event.what.replace('_', ' ')}".strip()


def _fields(values: Mapping[str, Any] | None) -> str:
    return ", ".join(f"{key} {value}" for key, value in (values or {}).items())


def _sheet(event: ScoreClaimed, players: Sequence[str]) -> str:
    told = {"deltas": event.deltas, "pool": event.pool, "totals": event.totals, **(event.sheet or {})}
    stated = {
        key: " ".join(map(str, value)) if isinstance(value, tuple) else value
        for key, value in told.items()
        if value is not None
    }
    return f"the score sheet says {_fields(stated)}"


_TOLD: Final[Mapping[type, Callable[[Any, Sequence[str]], str]]] = {
    DealStarted: lambda event, players: f"{players[event.dealer]} deals",
    CardsDealt: lambda event, players: "the cards are dealt",
    BidMade: _bid,
    CardTurned: lambda event, players: f"{card_text(event.card)} is turned up",
    PartnerCalled: partner_call_text,
    Announced: _announcement,
    TrickGathered: lambda event, players: f"{players[event.seat]} gathers the trick",
    ResultRecorded: lambda event, players: f"the result is {_fields(event.outcome)}",
    ScoreClaimed: _sheet,
    DealVoided: lambda event, players: f"the deal is voided: {event.reason}",
    Noted: lambda event, players: f"noted: {event.text}",
    PlayerSeated: lambda event, players: f"{event.player} sits down",
    TableOpened: lambda event, players: f"the table is opened: {event.game}, {', '.join(event.players)}",
    TableClosed: lambda event, players: "the table is closed",
    DisputeRaised: lambda event, players: f"dispute: {event.text}",
    RulingGiven: lambda event, players: f"ruling {event.kind}: {event.text}",
}
