"""Events in the words of a hand record, and which word of a line tells one: so that a message names what was typed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final
from unicodedata import normalize

from ledger.cards import parse_card_or_unknown
from ledger.errors import MalformedError
from ledger.events import (
    MAX_SEATS,
    Announced,
    BidMade,
    CardPlayed,
    CardsExchanged,
    CardTurned,
    DealStarted,
    DealVoided,
    Event,
    Noted,
    PartnerCalled,
    TrickGathered,
    TrumpNamed,
    encode_event,
)

_BETWEEN: Final = re.compile(r"""[\s,;·|/>:="'\[\]{}、・，；／＞：]+""")
_SHOWN: Final = 80
"""Characters of an offending text that are shown."""


def hand_words(event: Event, players: Sequence[str]) -> str:
    """The event as a hand record would say it; as JSON where that has a table for it. Seats of nobody are numbers."""
    names = [*players, *map(str, range(len(players), MAX_SEATS))]
    match event:
        case CardPlayed():
            return f"{names[event.seat]}: {event.card}"
        case BidMade():
            return f"{names[event.seat]}: {event.call}" + (f" {event.card}" if event.card else "")
        case CardTurned():
            return f'turned = "{event.card}"'
        case TrumpNamed():
            return f'trump = "{names[event.seat]}: {event.suit}"'
        case PartnerCalled():
            return f'called = "{names[event.seat]}: {event.card or "none"}"'
        case Announced():
            return f"{'+'.join(_speakers(event, names))}: {event.what}"
        case CardsExchanged():
            put_aside = str(event.count) if event.discarded is None else " ".join(event.discarded) or "none"
            return f"{names[event.seat]}: {put_aside}" + (f" > {' '.join(event.drawn)}" if event.drawn else "")
        case TrickGathered():
            return f"> {names[event.seat]}"
        case DealStarted():
            return f'dealer = "{names[event.dealer]}"'
        case Noted():
            return f'notes = "{event.text}"'
        case DealVoided():
            return f'voided = "{event.reason}"'
    return encode_event(event).decode()


def _speakers(said: Announced, names: Sequence[str]) -> list[str]:
    if said.seats:
        return [names[seat] for seat in said.seats]
    return ["table" if said.seat is None else names[said.seat]]


def word_of(event: Event, typed: str | None) -> str | None:
    """The word that tells the event in a line of text, the line where that is no one word; without a line its card or
    call.
    """
    said = _said(event)
    if typed is None:
        return said
    line = typed.partition("#")[0].strip()
    if said is not None:
        for word in _BETWEEN.split(line):
            if word and _is_said(event, said, word):
                return word
    return line if len(line) <= _SHOWN else line[:_SHOWN] + "…"


def _said(event: Event) -> str | None:
    match event:
        case CardPlayed() | CardTurned():
            return event.card
        case BidMade():
            return event.call
        case Announced():
            return event.what
        case TrumpNamed():
            return event.suit
        case PartnerCalled():
            return event.card
    return None


def _is_said(event: Event, said: str, word: str) -> bool:
    if isinstance(event, BidMade | Announced):
        return said.startswith(normalize("NFKC", word).casefold().replace("-", "_"))
    try:
        return parse_card_or_unknown(normalize("NFKC", word)) == said
    except MalformedError:
        return False
