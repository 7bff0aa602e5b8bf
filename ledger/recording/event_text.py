"""Events in the words of a hand record, written and parsed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, cast
from unicodedata import normalize

import msgspec
from msgspec import structs

from ledger.cards import parse_card_or_unknown
from ledger.errors import MalformedError
from ledger.events import (
    MAX_SEATS,
    Announced,
    BidMade,
    CardPlayed,
    CardsDealt,
    CardsExchanged,
    CardTurned,
    DealStarted,
    DealVoided,
    Event,
    Noted,
    PartnerCalled,
    Recordable,
    TrickGathered,
    TrumpNamed,
    encode_event,
)
from ledger.games.kernel.deal import Deal
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.moves import includes
from ledger.i18n.library_errors import localised
from ledger.recording.catalogue import phrase
from ledger.recording.grammar import Names, named_cards
from ledger.recording.hand.deal import DealLines, typed_deal
from ledger.recording.hand.file import DealPart
from ledger.recording.hand.line_writer import act_text
from ledger.recording.hand.page import Page
from ledger.recording.hand.turns import Turns
from ledger.recording.validator import type_name
from ledger.recording.vocabulary import is_card, means, read_cards
from ledger.table.fold import DealRecord, TableFold
from ledger.table.steps import machine_before
from ledger.validation import converted

_BETWEEN: Final = re.compile(r"""[\s,;·|/>:="'\[\]{}、・，；／＞：]+""")
_SHOWN: Final = 80
"""The most characters of an offending text that a message shows."""


def hand_words(event: Event, players: Sequence[str]) -> str:
    """Return the event in the words of a hand record, or as JSON if a hand record writes it as a table.

    Seats beyond the players are written as numbers.
    """
    names = [*players, *map(str, range(len(players), MAX_SEATS))]
    match event:
        case CardsExchanged(count=0, discarded=None):
            return f"{names[event.seat]}: 0"
        case CardPlayed() | BidMade() | CardsExchanged():
            return f"{names[event.seat]}: {act_text(event)}"
        case CardTurned():
            return f'turned = "{event.card}"'
        case TrumpNamed():
            return f'trump = "{names[event.seat]}: {act_text(event)}"'
        case PartnerCalled():
            return f'called = "{names[event.seat]}: {act_text(event)}"'
        case Announced():
            return f"{'+'.join(_speakers(event, names))}: {event.what}"
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
    """Return the word of a typed line that expresses the event, or the line if no single word does.

    Without a line, return the card or call of the event.
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


_SOURCE: Final = phrase("words.source")

_KEYS: Final[Mapping[type[Event], str]] = {
    CardPlayed: "play",
    CardTurned: "turned",
    PartnerCalled: "called",
    CardsExchanged: "exchange",
    TrumpNamed: "trump",
    BidMade: "calls",
    TrickGathered: "play",
}
"""The keys of a hand record, by the type of event written under them."""

_MARKS: Final = str.maketrans("：／＞", ":/>")
"""Full-width marks between words and their ASCII forms; `vocabulary.py` reads the words themselves."""


def events_from_text(fold: TableFold, index: int, replaced: Event | None, text: str) -> tuple[Event, ...]:
    """Parse a text, words or JSON, as the events at that index of the entries that are read.

    `replaced`: the event that they replace; None if they are put in. Raise `MalformedError` naming the words that
    cannot be read.
    """
    if not text.strip():
        raise MalformedError(phrase("words.nothing"), phrase("words.or_json"))
    if text.lstrip().startswith(("{", "[")):
        return events_from_json(text)
    if isinstance(replaced, Noted):
        return (structs.replace(replaced, text=text),)
    if isinstance(replaced, DealVoided):
        return (DealVoided(reason=text),)
    text = text.translate(_MARKS)
    record = _deal_at(fold, index, replaced)
    if isinstance(replaced, DealStarted):
        return (structs.replace(replaced, dealer=Names(record.players).seat(text)),)
    if isinstance(replaced, CardsDealt):
        return (_dealt_otherwise(fold, record, replaced, text),)
    return _acted(fold, record, index, replaced, text)


def events_from_json(text: str) -> tuple[Event, ...]:
    """Parse one event, or a list of events, from JSON. Raise `MalformedError` for anything else."""
    try:
        raw = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as error:
        what = phrase("words.not_json", why=localised(error))
        raise MalformedError(what, phrase("words.events"), text[:200]) from None
    events: tuple[Event, ...] = converted(
        raw if isinstance(raw, list) else [raw], cast(Any, tuple[Recordable, ...]), "events"
    )
    if not events:
        raise MalformedError(phrase("words.no_event"), phrase("words.events_or_strike"), text)
    return events


def _deal_at(fold: TableFold, index: int, replaced: Event | None) -> DealRecord:
    started = [record for record in fold.deals if record.start <= index]
    if not started or (replaced is None and started[-1].start == index):
        started = started[:-1]
    if not started:
        what = phrase("words.before_first_deal")
        if replaced is not None:
            what = phrase("words.type_before_first_deal", event=type_name(replaced))
        raise MalformedError(what, phrase("words.as_json"))
    return started[-1]


def _dealt_otherwise(fold: TableFold, record: DealRecord, dealt: CardsDealt, text: str) -> CardsDealt:
    """Return the deal with the hands given as `Baron: SA S2 … / stock: …`; other hands stay."""
    names, hands, stock = Names(record.players), list(dealt.hands), dealt.stock
    for name, held in named_cards(re.split("[/\n]", text)):
        cards = tuple(read_cards(held, fold.game))
        if means("stock", name):
            stock = cards
        else:
            hands[names.seat(name)] = cards
    return structs.replace(dealt, hands=tuple(hands), stock=stock)


def _acted(fold: TableFold, record: DealRecord, index: int, replaced: Event | None, text: str) -> tuple[Event, ...]:
    """Parse actions of the deal: calls, exchanges, cards, announcements, and who took a trick."""
    machine = machine_before(fold, record, index)
    events: list[Event] = []

    def act(event: Event, _: int) -> Sequence[Violation]:
        events.append(event)
        return machine.apply(event, fold.entries[index - 1][0])

    turns = Turns(fold.game, Names(record.players), machine, act)
    key = _key_for(machine, text) if replaced is None else _KEYS.get(type(replaced), "play")
    if replaced is not None and type(replaced) not in fold.game.event_types | {TrickGathered}:
        what = phrase("words.not_in_words", event=type_name(replaced))
        raise MalformedError(what, phrase("words.as_json"), text)
    line = _with_name(text, key, replaced, turns)
    page = Page(line, _SOURCE)
    DealLines(page, turns, 0).read(typed_deal(page, _part_of_deal(key, line), 0, record.dealer))
    return tuple(events)


def _part_of_deal(key: str, line: str) -> DealPart:
    try:
        return converted({key: [line] if key in ("calls", "exchange", "play") else line}, DealPart, "")
    except MalformedError as error:
        raise replace(
            error, what=phrase("words.field", what=error.what), field=f"{_SOURCE}.{error.faulty_field}"
        ) from None


def _with_name(text: str, key: str, replaced: Event | None, turns: Turns) -> str:
    """Return the text with a name before it, if it has none: of the replaced actor, or in mid-trick of the seat in
    turn.
    """
    if isinstance(replaced, TrickGathered):
        return text if ">" in text else f"> {text}"
    if ":" in text or key == "turned":
        return text
    seat: int | None = getattr(replaced, "seat", None)
    if replaced is None and turns.cards_in_trick():
        seat = turns.machine.turn()
    return text if seat is None else f"{turns.names.players[seat]}: {text}"


def _key_for(machine: Deal, text: str) -> str:
    """Return the key of a hand record for this text, chosen by the legal events and then by the first word."""
    first = text.rpartition(":")[2].split()[:1]
    legal = machine.legal()
    kinds = [kind for kind in _KEYS if includes(legal, kind)]
    wants_card = bool(first) and is_card(first[0])
    fitting = [kind for kind in kinds if wants_card == (kind not in (BidMade, TrumpNamed))]
    if fitting or kinds:
        return _KEYS[(fitting or kinds)[0]]
    return "play" if machine.view().tricks else "calls"
