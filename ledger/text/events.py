"""One event in words, as in a line of a replay, a correction or a list of entries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct, to_builtins

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
    HandsOpened,
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
from ledger.text.cards import amount_text, amounts_text, card_text, cards_text, hand_text, value_text
from ledger.text.catalogue import Wording


def event_text(event: Event, players: Sequence[str], wording: Wording, viewer: int | None = None) -> str:
    """Return the event in words, with the cards that the `viewer` (None: the recorder) could see."""
    return wording.cards(_event_text(event, players, wording, viewer))


def _event_text(event: Event, players: Sequence[str], wording: Wording, viewer: int | None) -> str:
    if isinstance(event, CardsExchanged):
        return exchange_text(event, players, wording, viewer=viewer)
    describe = _DESCRIPTIONS.get(type(event))
    if describe is not None:
        return describe(event, players, wording)
    seat = getattr(event, "seat", None)
    who = "" if seat is None else players[seat]
    said = getattr(event, "suit", None) or getattr(event, "card", None)
    return f"{who} {value_text(said)}".strip()


def whole_event_text(event: Event, players: Sequence[str], wording: Wording, viewer: int | None = None) -> str:
    """Return the event in words, for the recorder including dealt hands."""
    if viewer is not None or not isinstance(event, CardsDealt):
        return event_text(event, players, wording, viewer)
    hands = [f"{players[seat]} {hand_text(hand)}" for seat, hand in enumerate(event.hands) if hand]
    return wording.cards(wording.listed([wording.say("event.cards_dealt"), *hands]))


def events_text(events: Iterable[Event], players: Sequence[str], wording: Wording, viewer: int | None = None) -> str:
    """Return the events that one entry is read as; empty for none."""
    return wording.clauses(whole_event_text(event, players, wording, viewer) for event in events)


def exchange_text(
    exchange: CardsExchanged,
    players: Sequence[str],
    wording: Wording,
    viewer: int | None = None,
    *,
    is_labelled: bool = False,
) -> str:
    """Return who exchanged how many cards, and which, as far as recorded and seen by the `viewer`.

    `is_labelled`: a label before the text already names the exchange.
    """
    parts = [wording.say("exchanged" if is_labelled else "event.exchanged", count=exchange.count)]
    if viewer in (None, exchange.seat) and exchange.discarded:
        put_aside = "put_aside" if is_labelled else "event.put_aside"
        parts.append(wording.say(put_aside, cards=cards_text(exchange.discarded)))
    if viewer in (None, exchange.seat) and exchange.drawn:
        drew = "drew" if is_labelled else "event.drew"
        parts.append(wording.say(drew, cards=cards_text(exchange.drawn)))
    return wording.say("event.exchanges", name=players[exchange.seat], what=wording.listed(parts))


def partner_call_text(
    called: PartnerCalled, players: Sequence[str], wording: Wording, *, is_labelled: bool = False
) -> str:
    """Return who called which card, whose holder becomes the partner. `is_labelled`: as in `exchange_text`."""
    name = players[called.seat]
    if called.card is None:
        return wording.say("called_none" if is_labelled else "event.calls_none", name=name)
    return wording.say("called_card" if is_labelled else "event.calls_card", name=name, card=card_text(called.card))


def continued(line: str) -> str:
    """Indent the further lines of text written by people, so that none passes for a line of the program."""
    margin = len(line) - len(line.lstrip(" ")) + 4
    return line.replace("\n", "\n" + " " * margin)


def _bid(event: BidMade, players: Sequence[str], wording: Wording) -> str:
    named = "" if event.card is None else f" {card_text(event.card)}"
    return wording.say("event.bids", name=players[event.seat], call=f"{wording.word(event.call)}{named}")


def _announcement(event: Announced, players: Sequence[str], wording: Wording) -> str:
    what = wording.spoken(event.what)
    if event.seat is None:
        return wording.say("event.somebody_says", what=what)
    return wording.say("event.says", name=players[event.seat], what=what)


_SEATS: Final = frozenset(("ombre", "partner", "maker", "defender", "seat"))
"""Fields of results and sheets that hold a seat."""


class _FieldFormatter(Struct, frozen=True):
    """Formats fields of results and sheets for readers: players by name, without fields that do not apply.

    People write anything on a sheet, so unexpected values are shown as they are. `declarers`: of the result, if its
    pairs belong to the declarers' side and the others; otherwise pairs belong to the two teams.
    """

    players: Sequence[str]
    wording: Wording
    declarers: Any = None

    def fields(self, values: Mapping[str, Any]) -> str:
        applying = ((key, value) for key, value in values.items() if value not in (None, (), []) and value is not False)
        return self.wording.clauses(self._field(key, value) for key, value in applying)

    def _field(self, key: str, value: Any) -> str:
        name = self.wording.known("field", key)
        if value is True:
            return name
        if key == "deltas" and isinstance(value, tuple) and len(value) == len(self.players):
            return amounts_text(value, self.players, self.wording.lang)
        return f"{name} {self._value(key, value)}"

    def _value(self, key: str, value: Any) -> str:
        if key in _SEATS:
            return self._names((value,))
        if key == "declarers" and isinstance(value, list):
            return self._names(value)
        if key == "winner" and value in (0, 1):
            return self._names(range(value, len(self.players), 2))
        if isinstance(value, list | tuple):
            return self.wording.listed(self._items(value))
        return value_text(self.wording.word(value)) if isinstance(value, str) else str(value)

    def _items(self, items: Sequence[Any]) -> Iterator[str]:
        if all(isinstance(one, int) for one in items):
            for side, amount in zip(self._sides(len(items)), items, strict=True):
                yield f"{self._names(side)} {amount}"
            return
        for one in items:
            match one:
                case {"from": source, "to": target, "amount": amount}:
                    yield f"{self._names((source,))} → {self._names((target,))} {amount}"
                case _:
                    yield _field_value(one, self.wording)

    def _sides(self, count: int) -> Iterator[Sequence[Any]]:
        """Yield the seats of each side."""
        seats = range(len(self.players))
        if count == 2 and isinstance(self.declarers, list):
            yield self.declarers
            yield [seat for seat in seats if seat not in self.declarers]
        else:
            yield from (seats[place::count] for place in range(count))

    def _names(self, seats: Iterable[Any]) -> str:
        """Return the players of these seats; a number that is no seat stays as it is."""
        known = dict(enumerate(self.players))
        return self.wording.say("together").join(known.get(seat) or str(seat) for seat in map(_hashable, seats))


def _hashable(value: Any) -> Any:
    return value if isinstance(value, int) else str(value)


def _fields(values: Mapping[str, Any] | None, players: Sequence[str], wording: Wording) -> str:
    if wording.is_written:
        fields = values or {}
        return _FieldFormatter(players, wording, fields.get("declarers")).fields(fields)
    shown = (f"{wording.known('field', key)} {_field_value(value, wording)}" for key, value in (values or {}).items())
    return wording.listed(shown)


def _field_value(value: Any, wording: Wording) -> str:
    match value:
        case bool() | None:
            return wording.known("value", str(value).lower())
        case str():
            return wording.word(value)
        case list():
            return f"[{', '.join(_within(item, wording) for item in value)}]"
        case dict():
            shown = (f"{wording.known('field', key)!r}: {_within(item, wording)}" for key, item in value.items())
            return f"{{{', '.join(shown)}}}"
    return str(value)


def _within(value: Any, wording: Wording) -> str:
    """Return a value inside another one; words are in quotes there."""
    shown = _field_value(value, wording)
    return repr(shown) if isinstance(value, str) else shown


def _result(event: ResultRecorded, players: Sequence[str], wording: Wording) -> str:
    return wording.say("event.result", fields=_fields(event.outcome, players, wording))


def _sheet(event: ScoreClaimed, players: Sequence[str], wording: Wording) -> str:
    claimed = {"deltas": event.deltas, "pool": event.pool, "totals": event.totals, **(event.sheet or {})}
    stated = {
        key: " ".join(map(str, value)) if isinstance(value, tuple) and not wording.is_written else value
        for key, value in claimed.items()
        if value is not None
    }
    return wording.say("event.sheet", fields=_fields(stated, players, wording))


def _table_opened(event: TableOpened, players: Sequence[str], wording: Wording) -> str:
    return wording.say("event.table_opened", game=wording.word(event.game), players=wording.listed(event.players))


def _dispute(event: DisputeRaised, players: Sequence[str], wording: Wording) -> str:
    about = "" if event.version is None else wording.say("dispute.about", version=event.version)
    by = "" if event.seat is None else wording.say("dispute.by", name=players[event.seat])
    return wording.say("event.dispute", deal=event.deal, about=about, by=by, text=event.text)


def _ruling(event: RulingGiven, players: Sequence[str], wording: Wording) -> str:
    """Return a ruling with all that it changes, its rule and its dispute."""
    moved = [] if event.deltas is None else [amounts_text(event.deltas, players, wording.lang)]
    if event.pool is not None:
        moved.append(wording.say("event.pool_moved", amount=amount_text(event.pool)))
    if event.award is not None:
        moved.append(_fields(to_builtins(event.award), players, wording))
    details = [] if event.rule is None else [event.rule]
    if event.dispute is not None:
        details.append(wording.say("event.ruled_dispute", version=event.dispute))
    return wording.say(
        "event.ruling",
        deal=event.deal,
        kind=wording.word(event.kind),
        moved=wording.say("event.moved", amounts=wording.listed(moved)) if moved else "",
        details=wording.say("with_remark", text="", remark=wording.listed(details)) if details else "",
        text=event.text,
    )


_DESCRIPTIONS: Final[Mapping[type, Callable[[Any, Sequence[str], Wording], str]]] = {
    DealStarted: lambda event, players, wording: wording.say("event.deals", name=players[event.dealer]),
    CardsDealt: lambda event, players, wording: wording.say("event.cards_dealt"),
    BidMade: _bid,
    CardTurned: lambda event, players, wording: wording.say("event.turned_up", card=card_text(event.card)),
    PartnerCalled: partner_call_text,
    Announced: _announcement,
    TrickGathered: lambda event, players, wording: wording.say("event.gathers", name=players[event.seat]),
    ResultRecorded: _result,
    ScoreClaimed: _sheet,
    DealVoided: lambda event, players, wording: wording.say("event.voided", reason=event.reason),
    Noted: lambda event, players, wording: wording.say("event.noted", text=event.text),
    PlayerSeated: lambda event, players, wording: wording.say("event.sits_down", name=event.player),
    TableOpened: _table_opened,
    HandsOpened: lambda event, players, wording: wording.say("event.hands_opened", deal=event.deal),
    TableClosed: lambda event, players, wording: wording.say("event.table_closed"),
    DisputeRaised: _dispute,
    RulingGiven: _ruling,
}
